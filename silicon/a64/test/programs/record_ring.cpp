// SPDX-License-Identifier: Apache-2.0
// The core's record ring as it ships: room for two records, three are written, as the compiler makes it.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <ringproof/record_ring.hpp>
#include <span>
#include <thread>

/// One letter of the barriers is missing: WITHOUT is its number.
enum letter { A, B, C, D, none };
#ifndef WITHOUT
#define WITHOUT none
#endif
struct weakened : ringproof::acquire_release {
    using position = std::uint64_t;
    static constexpr std::memory_order least(letter which, std::memory_order order) {
        return which == WITHOUT ? std::memory_order_relaxed : order;
    }
    static position load_tail(const std::atomic<position>& tail) noexcept {
        return tail.load(least(A, std::memory_order_acquire));
    }
    static void publish_head(std::atomic<position>& head, position value) noexcept {
        head.store(value, least(B, std::memory_order_release));
    }
    static position load_head(const std::atomic<position>& head) noexcept {
        return head.load(least(C, std::memory_order_acquire));
    }
    static void release_tail(std::atomic<position>& tail, position value) noexcept {
        tail.store(value, least(D, std::memory_order_release));
    }
};

int main() {
    constexpr std::uint64_t records = 3;
    ringproof::record_ring<ringproof::single, weakened> ring{64};
    std::thread producer([&] {
        for (std::uint64_t i = 1; i <= records; ++i) {
            const std::uint64_t payload[3] = {i, i, i};
            while (!ring.try_write(std::as_bytes(std::span(payload)))) {
            }
        }
        ring.flush();
    });
    std::uint64_t got[records][3], count = 0;
    while (count < records)
        for (const auto record : ring.read()) record.copy_to(std::as_writable_bytes(std::span(got[count++])));
    producer.join();
    // Only now: a branch on what was read would order the store of the tail behind the reads, and D would be there.
    for (std::uint64_t i = 0; i < records; ++i)
        for (const std::uint64_t word : got[i]) assert(word == i + 1);
}
