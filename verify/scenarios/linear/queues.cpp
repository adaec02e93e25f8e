// SPDX-License-Identifier: Apache-2.0
// Queues, each beside one in which a step is missing.

#include "../classic/michael_scott_queue.hpp"

#include <ringproof/verify/linearizable.hpp>
#include <ringproof/verify/specifications.hpp>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>

namespace {

using std::memory_order;
namespace spec = ringproof::verify::linear::spec;

/// Vyukov's bounded queue (1024cores.net, 2010): a cell's number says whose turn it is. "Empty" may be said while a push is
/// under way that took an older cell.
template <std::size_t Cells, bool Claims = true>
class bounded_queue {
  public:
    bounded_queue() {
        for (std::size_t i = 0; i != Cells; ++i) cells_[i].number.store(i, memory_order::relaxed);
    }
    bool push(int value) {
        std::size_t at = pushed_.load(memory_order::relaxed);
        for (;;) {
            cell& here = cells_[at % Cells];
            const std::size_t number = here.number.load(memory_order::acquire);
            if (number == at) {
                if (!Claims)
                    pushed_.store(at + 1, memory_order::relaxed);
                else if (!pushed_.compare_exchange_strong(at, at + 1, memory_order::relaxed))
                    continue;
                here.value.store(value, memory_order::relaxed);
                here.number.store(at + 1, memory_order::release);
                return true;
            }
            if (number < at) return false;
            at = pushed_.load(memory_order::relaxed);
        }
    }
    std::optional<int> pop() {
        std::size_t at = popped_.load(memory_order::relaxed);
        for (;;) {
            cell& here = cells_[at % Cells];
            const std::size_t number = here.number.load(memory_order::acquire);
            if (number == at + 1) {
                if (!popped_.compare_exchange_strong(at, at + 1, memory_order::relaxed)) continue;
                const int value = here.value.load(memory_order::relaxed);
                here.number.store(at + Cells, memory_order::release);
                return value;
            }
            if (number < at + 1) return std::nullopt;
            at = popped_.load(memory_order::relaxed);
        }
    }

  private:
    struct cell {
        std::atomic<std::size_t> number;
        std::atomic<int> value{0};
    };
    cell cells_[Cells];
    std::atomic<std::size_t> pushed_{0}, popped_{0};
};

/// Herlihy and Wing's queue (TOPLAS 1990) with few places, and a pop that says "nothing" when it has seen none.
template <bool TakesAtOnce = true>
class array_queue {
  public:
    void push(int value) {
        items_[back_.fetch_add(1, memory_order::acq_rel)].store(value, memory_order::release);
    }
    std::optional<int> pop() {
        const int range = back_.load(memory_order::acquire);
        for (int i = 0; i < range; ++i) {
            if (TakesAtOnce) {
                if (const int value = items_[i].exchange(0, memory_order::acq_rel)) return value;
            } else if (const int value = items_[i].load(memory_order::acquire)) {
                items_[i].store(0, memory_order::release);
                return value;
            }
        }
        return std::nullopt;
    }

  private:
    std::atomic<int> back_{0}, items_[8] = {};
};

/// A queue with a lock. @tparam LooksLocked whether a pop looks for an item with the lock held
template <bool LooksLocked = true>
class locked_queue {
  public:
    void push(int value) {
        const std::lock_guard<std::mutex> guard(mutex_);
        items_[last_.load(memory_order::relaxed)] = value;
        last_.store(last_.load(memory_order::relaxed) + 1, memory_order::release);
    }
    std::optional<int> pop() {
        if (!LooksLocked && first_.load(memory_order::relaxed) == last_.load(memory_order::acquire))
            return std::nullopt;
        const std::lock_guard<std::mutex> guard(mutex_);
        const int first = first_.load(memory_order::relaxed);
        if (LooksLocked && first == last_.load(memory_order::relaxed)) return std::nullopt;
        first_.store(first + 1, memory_order::relaxed);
        return items_[first];
    }

  private:
    std::mutex mutex_;
    int items_[16] = {};
    std::atomic<int> first_{0}, last_{0};
};

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
