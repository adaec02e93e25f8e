// SPDX-License-Identifier: Apache-2.0
// Vyukov's bounded queue of many producers and many consumers: each cell's number says whose turn it is.
// D. Vyukov: Bounded MPMC queue. 1024cores.net, 2010.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstddef>
#include <thread>

namespace {

using std::memory_order;

/// @tparam Cells how many. With one cell "just filled" and "free for the next lap" are the same number, and a push
///         overwrites what nobody has read: the original asks for two at least.
/// @tparam HandOver the order in which a cell changes hands
template <std::size_t Cells, memory_order HandOver>
class bounded_queue {
  public:
    bounded_queue() {
        for (std::size_t i = 0; i != Cells; ++i) cells_[i].number.store(i, memory_order::relaxed);
    }

    bool try_push(int value) {
        std::size_t at = pushed_.load(memory_order::relaxed);
        for (;;) {
            cell& here = cells_[at % Cells];
            const std::size_t number = here.number.load(memory_order::acquire);
            if (number == at) {
                if (!pushed_.compare_exchange_weak(at, at + 1, memory_order::relaxed, memory_order::relaxed))
                    continue;
                here.value = value;
                here.number.store(at + 1, HandOver);
                return true;
            }
            if (number < at) return false; // full
            at = pushed_.load(memory_order::relaxed);
        }
    }

    bool try_pop(int& value) {
        std::size_t at = popped_.load(memory_order::relaxed);
        for (;;) {
            cell& here = cells_[at % Cells];
            const std::size_t number = here.number.load(memory_order::acquire);
            if (number == at + 1) {
                if (!popped_.compare_exchange_weak(at, at + 1, memory_order::relaxed, memory_order::relaxed))
                    continue;
                value = here.value;
                here.number.store(at + Cells, HandOver);
                return true;
            }
            if (number < at + 1) return false; // empty
            at = popped_.load(memory_order::relaxed);
        }
    }

  private:
    struct cell {
        std::atomic<std::size_t> number;
        int value = 0;
    };
    cell cells_[Cells];
    std::atomic<std::size_t> pushed_{0}, popped_{0};
};

/// Two threads push one item each, and each pops one: whichever is there.
template <class Queue>
void everything_arrives_once() {
    Queue queue;
    int seen[2] = {0, 0};
    const auto run = [&](int me) {
        while (!queue.try_push(me + 1)) std::this_thread::yield();
        while (!queue.try_pop(seen[me])) std::this_thread::yield();
    };
    std::thread other(run, 1);
    run(0);
    other.join();
    VERIFY_THAT(seen[0] + seen[1] == 3 && seen[0] * seen[1] == 2);
}

/// Three items through two cells: each cell is used again.
template <class Queue>
void everything_arrives_in_order() {
    Queue queue;
    std::thread producer([&] {
        for (int i = 1; i <= 3; ++i)
            while (!queue.try_push(i)) std::this_thread::yield();
    });
    for (int expected = 1, item = 0; expected <= 3;)
        if (queue.try_pop(item))
            VERIFY_THAT(item == expected++);
        else
            std::this_thread::yield();
    producer.join();
}

} // namespace

VERIFY("Vyukov's queue: two push and pop", .models = {rc11, tso, sc}) {
    everything_arrives_once<bounded_queue<2, memory_order::release>>();
}
VERIFY("Vyukov's queue: one pushes, one pops, cells are used again", .models = {rc11, tso, sc}) {
    everything_arrives_in_order<bounded_queue<2, memory_order::release>>();
}
VERIFY("Vyukov's queue, mutant: a cell changes hands relaxed", .expect = refuted) {
    everything_arrives_in_order<bounded_queue<2, memory_order::relaxed>>();
}
VERIFY("Vyukov's queue, mutant: only one cell", .models = {rc11, tso, sc}, .expect = refuted) {
    everything_arrives_in_order<bounded_queue<1, memory_order::release>>();
}
