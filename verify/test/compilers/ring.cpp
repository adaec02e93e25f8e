// SPDX-License-Identifier: Apache-2.0
// A ring of one producer and one consumer, which wait for each other by tries.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

template <class T, std::size_t N>
class ring {
  public:
    bool try_push(T v) {
        const std::size_t head = head_.load(std::memory_order_relaxed);
        if (head - tail_.load(std::memory_order_acquire) == N) return false;
        slots_[head % N] = v;
        head_.store(head + 1, std::memory_order_release);
        return true;
    }
    bool try_pop(T& v) {
        const std::size_t tail = tail_.load(std::memory_order_relaxed);
        if (head_.load(std::memory_order_acquire) == tail) return false;
        v = slots_[tail % N];
        tail_.store(tail + 1, std::memory_order_release);
        return true;
    }

  private:
    std::array<T, N> slots_{};
    std::atomic<std::size_t> head_{0}, tail_{0};
};

ring<int, 2> shared;

int main() {
    std::thread producer([] {
        for (int i = 1; i <= 4; ++i)
            while (!shared.try_push(i)) {
            }
    });
    for (int i = 1; i <= 4; ++i) {
        int got = 0;
        while (!shared.try_pop(got)) {
        }
        assert(got == i);
    }
    producer.join();
}
