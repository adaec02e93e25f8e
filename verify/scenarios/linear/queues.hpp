// SPDX-License-Identifier: Apache-2.0
#pragma once
// Queues that scenarios ask several promises of.

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>

namespace linear_scenarios {

using std::memory_order;

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

} // namespace linear_scenarios
