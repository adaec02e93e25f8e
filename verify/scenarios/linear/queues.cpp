// SPDX-License-Identifier: Apache-2.0
// Queues, each beside one in which a step is missing.

#include "queues.hpp"
#include "../classic/michael_scott_queue.hpp"

#include <ringproof/verify/linearizable.hpp>
#include <ringproof/verify/specifications.hpp>

using namespace linear_scenarios;
namespace spec = ringproof::verify::linear::spec;

namespace {

/// A queue for each producer: of two values in turn, as a queue made of queues does it.
class queue_of_two {
  public:
    void push(int value) { parts_[value % 2].push(value); }
    std::optional<int> pop() {
        if (const auto value = parts_[0].pop()) return value;
        return parts_[1].pop();
    }

  private:
    locked_queue<> parts_[2];
};

} // namespace

LINEARIZABLE("Michael and Scott's queue", .models = {rc11, tso, sc}) {
    using queue = classic::michael_scott_queue<>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("Michael and Scott's queue, mutant: a pop overwrites the head", .models = {rc11, tso, sc},
             .expect = refuted) {
    using queue = classic::michael_scott_queue<memory_order::release, false, false>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("Vyukov's queue, which may say empty or full while others work", .models = {rc11, sc}) {
    using queue = bounded_queue<2>;
    object<queue>()
        .like<spec::fifo<2>>()
        .op("push", &queue::push, &spec::fifo<2>::push, fresh())
        .may_fail()
        .op("pop", &queue::pop, &spec::fifo<2>::pop)
        .may_fail();
}
LINEARIZABLE("Vyukov's queue, taken for linearizable", .models = {rc11, tso, sc}, .expect = refuted) {
    using queue = bounded_queue<2>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop);
}
LINEARIZABLE("Vyukov's queue, mutant: a cell is not claimed", .models = {rc11, sc}, .expect = refuted) {
    using queue = bounded_queue<2, false>;
    object<queue>().op("push", &queue::push, fresh()).may_fail().op("pop", &queue::pop).may_fail();
}

LINEARIZABLE("Herlihy and Wing's queue, which may say empty while others work", .models = {rc11, sc}) {
    using queue = array_queue<>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop).may_fail();
}
LINEARIZABLE("Herlihy and Wing's queue, mutant: taken after a look", .models = {rc11, sc},
             .expect = refuted) {
    using queue = array_queue<false>;
    object<queue>().op("push", &queue::push, fresh()).op("pop", &queue::pop).may_fail();
}

LINEARIZABLE("queue with a lock", .models = {rc11, sc}, .threads = 3) {
    object<locked_queue<>>().op("push", &locked_queue<>::push, fresh()).op("pop", &locked_queue<>::pop);
}
LINEARIZABLE("queue with a lock, mutant: looks before it locks", .models = {rc11, sc}, .threads = 3,
             .expect = refuted) {
    object<locked_queue<false>>()
        .op("push", &locked_queue<false>::push, fresh())
        .op("pop", &locked_queue<false>::pop);
}
LINEARIZABLE("queue with a lock, taken for a stack", .expect = refuted) {
    using queue = locked_queue<>;
    object<queue>()
        .like<spec::lifo<>>()
        .op("push", &queue::push, &spec::lifo<>::push, fresh())
        .op("pop", &queue::pop, &spec::lifo<>::pop);
}

LINEARIZABLE("queue of two queues, taken for one", .calls = 3, .synchronisations = 0, .expect = refuted) {
    object<queue_of_two>().op("push", &queue_of_two::push, fresh()).op("pop", &queue_of_two::pop);
}
