// SPDX-License-Identifier: Apache-2.0
// Vyukov's bounded queue of several producers and consumers, popped and pushed in loops that yield.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>
#include <vector>

#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef POPPED
#define POPPED 1
#endif

class queue {
  public:
    explicit queue(std::size_t n) : cells_(n), mask_(n - 1) {
        for (std::size_t i = 0; i < n; ++i) cells_[i].sequence.store(i, std::memory_order_relaxed);
    }
    bool push(int value) {
        std::size_t at = tail_.load(std::memory_order_relaxed);
        for (;;) {
            cell& c = cells_[at & mask_];
            const auto ahead = static_cast<std::ptrdiff_t>(c.sequence.load(std::memory_order_acquire) - at);
            if (ahead < 0) return false;
            if (ahead > 0) {
                at = tail_.load(std::memory_order_relaxed);
            } else if (tail_.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) {
                c.value = value;
                c.sequence.store(at + 1, std::memory_order_release);
                return true;
            }
        }
    }
    bool pop(int& value) {
        std::size_t at = head_.load(std::memory_order_relaxed);
        for (;;) {
            cell& c = cells_[at & mask_];
            const auto ahead =
                static_cast<std::ptrdiff_t>(c.sequence.load(std::memory_order_acquire) - (at + 1));
            if (ahead < 0) return false;
            if (ahead > 0) {
                at = head_.load(std::memory_order_relaxed);
            } else if (head_.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) {
                value = c.value;
                c.sequence.store(at + mask_ + 1, std::memory_order_release);
                return true;
            }
        }
    }

  private:
    struct cell {
        std::atomic<std::size_t> sequence;
        int value;
    };
    std::vector<cell> cells_;
    std::size_t mask_;
    std::atomic<std::size_t> head_{0}, tail_{0};
};

int main() {
    queue q(2);
    std::vector<std::thread> all;
    std::atomic<int> sum{0};
    for (int p = 0; p < 2; ++p)
        all.emplace_back([&, p] {
            for (int i = 0; i < ITEMS; ++i)
                while (!q.push(p + 1)) std::this_thread::yield();
        });
    for (int c = 0; c < 2; ++c)
        all.emplace_back([&] {
            for (int i = 0; i < POPPED; ++i) {
                int value = 0;
                while (!q.pop(value)) std::this_thread::yield();
                sum.fetch_add(value, std::memory_order_relaxed);
            }
        });
    for (std::thread& t : all) t.join();
    assert(sum == 3 * ITEMS || POPPED != ITEMS);
}
