// SPDX-License-Identifier: Apache-2.0
// moodycamel's ConcurrentQueue, as Debian has it: each producer has a queue of its own, and a pop looks at one after the other.
// Its author says that it is not linearizable, and that the items of one producer come out in order.

#include <ringproof/verify/linearizable.hpp>
#include <ringproof/verify/specifications.hpp>

#include <concurrentqueue.h>

namespace {

namespace spec = ringproof::verify::linear::spec;

/// As small as it can be: sizes change no more than how often memory is asked for.
struct small_traits : moodycamel::ConcurrentQueueDefaultTraits {
    static const std::size_t BLOCK_SIZE = 2;
    static const std::size_t EXPLICIT_INITIAL_INDEX_SIZE = 2;
    static const std::size_t IMPLICIT_INITIAL_INDEX_SIZE = 2;
    static const std::size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 4;
};

class queue {
  public:
    void push(int value) { items_.enqueue(value); }
    bool pop(int& value) { return items_.try_dequeue(value); }

  private:
    moodycamel::ConcurrentQueue<int, small_traits> items_{2};
};

} // namespace

LINEARIZABLE("moodycamel's ConcurrentQueue: first in, first out of each producer", .models = {rc11, sc},
             .synchronisations = 0) {
    using fifo = spec::fifo_of_each_producer;
    object<queue>()
        .like<fifo>()
        .op("push", &queue::push, &fifo::push, fresh())
        .op("pop", &queue::pop, &fifo::pop)
        .may_fail();
}
LINEARIZABLE("moodycamel's ConcurrentQueue, taken for linearizable", .models = {rc11, sc},
             .expect = refuted) {
    using fifo = spec::fifo<>;
    object<queue>()
        .like<fifo>()
        .op("push", &queue::push, &fifo::push, fresh())
        .op("pop", &queue::pop, &fifo::pop)
        .may_fail();
}
