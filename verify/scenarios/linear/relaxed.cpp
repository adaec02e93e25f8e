// SPDX-License-Identifier: Apache-2.0
// A queue that is one but for K items: what is pushed goes into any free cell of the last segment, and what is popped comes from
// any full one of the first (after Kirsch, Lippautz and Payer, Fast and scalable, lock-free k-FIFO queues, PaCT 2013).

#include <ringproof/verify/linearizable.hpp>
#include <ringproof/verify/specifications.hpp>

#include <array>
#include <atomic>
#include <optional>

using namespace ringproof::verify;

namespace {

using std::memory_order;

/// @tparam Cells of a segment: an item is passed by `Cells` - 1 younger ones at most
template <unsigned Cells>
class segmented_queue {
  public:
    void push(int value) {
        for (segment& s : segments_)
            for (unsigned c = Cells;
                 c-- > 0;) { // from behind, and a pop looks from the front: the order is lost
                int expected = free;
                if (s[c].load(memory_order::acquire) == free &&
                    s[c].compare_exchange_strong(expected, value, memory_order::acq_rel,
                                                 memory_order::acquire))
                    return;
            }
    }
    std::optional<int> pop() {
        for (segment& s : segments_) {
            bool all_taken = true;
            for (std::atomic<int>& cell : s) {
                int seen = cell.load(memory_order::acquire);
                if (seen > 0 &&
                    cell.compare_exchange_strong(seen, taken, memory_order::acq_rel, memory_order::acquire))
                    return seen;
                all_taken = all_taken && cell.load(memory_order::acquire) == taken;
            }
            if (!all_taken) return std::nullopt; // there is nothing behind a free cell
        }
        return std::nullopt;
    }

  private:
    static constexpr int free = 0, taken = -1;
    using segment = std::array<std::atomic<int>, Cells>;
    std::array<segment, 4> segments_{};
};

using one_out = linear::spec::relaxed_fifo<1>;

} // namespace

LINEARIZABLE("queue of segments of two cells: first in, first out but for one item", .models = {rc11, sc}) {
    using queue = segmented_queue<2>;
    object<queue>()
        .like<one_out>()
        .op("push", &queue::push, &one_out::push, fresh())
        .op("pop", &queue::pop, &one_out::pop)
        .may_fail();
}
LINEARIZABLE("queue of segments of two cells, taken for first in, first out", .models = {rc11, sc},
             .expect = refuted) {
    using queue = segmented_queue<2>;
    using fifo = linear::spec::fifo<>;
    object<queue>()
        .like<fifo>()
        .op("push", &queue::push, &fifo::push, fresh())
        .op("pop", &queue::pop, &fifo::pop)
        .may_fail();
}
LINEARIZABLE("queue of segments of three cells, taken for one of two", .models = {rc11, sc},
             .expect = refuted) {
    using queue = segmented_queue<3>;
    object<queue>()
        .like<one_out>()
        .op("push", &queue::push, &one_out::push, fresh())
        .op("pop", &queue::pop, &one_out::pop)
        .may_fail();
}
