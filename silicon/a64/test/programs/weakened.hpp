// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <ringproof/barriers.hpp>

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
