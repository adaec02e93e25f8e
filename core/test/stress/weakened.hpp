// SPDX-License-Identifier: Apache-2.0
#pragma once
// The default policy with one letter relaxed. A stress test under ThreadSanitizer must report a race for each:
// otherwise it could not have seen the race in the real thing either.
#include "ringproof/barriers.hpp"

struct without_a : ringproof::acquire_release {
    static position load_tail(const std::atomic<position>& tail) noexcept {
        return tail.load(std::memory_order_relaxed);
    }
    static std::uint64_t load_vacancy(std::uint64_t& word) noexcept {
        return std::atomic_ref(word).load(std::memory_order_relaxed);
    }
};

struct without_b : ringproof::acquire_release {
    static void publish_head(std::atomic<position>& head, position value) noexcept {
        head.store(value, std::memory_order_relaxed);
    }
    static void commit(std::uint64_t& word, std::uint64_t value) noexcept {
        std::atomic_ref(word).store(value, std::memory_order_relaxed);
    }
};

struct without_c : ringproof::acquire_release {
    static position load_head(const std::atomic<position>& head) noexcept {
        return head.load(std::memory_order_relaxed);
    }
    static std::uint64_t load_commit(std::uint64_t& word) noexcept {
        return std::atomic_ref(word).load(std::memory_order_relaxed);
    }
};

struct without_d : ringproof::acquire_release {
    static void release_tail(std::atomic<position>& tail, position value) noexcept {
        tail.store(value, std::memory_order_relaxed);
    }
    static void vacate(std::uint64_t& word, std::uint64_t value) noexcept {
        std::atomic_ref(word).store(value, std::memory_order_relaxed);
    }
};
