// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <ringproof/barriers.hpp>

/// A policy of barriers of which one letter is missing: WITHOUT is its name, BASE the policy.
enum letter { A, B, C, D, I, J, none };
#ifndef WITHOUT
#define WITHOUT none
#endif
#ifndef BASE
#define BASE acquire_release
#endif
struct weakened : ringproof::BASE {
    using policy = ringproof::BASE;
    using position = std::uint64_t;
    using word = std::atomic<position>;
    static constexpr auto relaxed = std::memory_order_relaxed;

    static position load_tail(const word& tail) noexcept {
        return WITHOUT == A ? tail.load(relaxed) : policy::load_tail(tail);
    }
    static void publish_head(word& head, position value) noexcept {
        WITHOUT == B ? head.store(value, relaxed) : policy::publish_head(head, value);
    }
    static position load_head(const word& head) noexcept {
        return WITHOUT == C ? head.load(relaxed) : policy::load_head(head);
    }
    static void release_tail(word& tail, position value) noexcept {
        WITHOUT == D ? tail.store(value, relaxed) : policy::release_tail(tail, value);
    }

    // In band: a word of the slot or record itself.
    static std::uint64_t load_vacancy(std::uint64_t& w) noexcept {
        return WITHOUT == A ? std::atomic_ref(w).load(relaxed) : policy::load_vacancy(w);
    }
    static void commit(std::uint64_t& w, std::uint64_t value) noexcept {
        WITHOUT == B ? std::atomic_ref(w).store(value, relaxed) : policy::commit(w, value);
    }
    static std::uint64_t load_commit(std::uint64_t& w) noexcept {
        return WITHOUT == C ? std::atomic_ref(w).load(relaxed) : policy::load_commit(w);
    }
    static void vacate(std::uint64_t& w, std::uint64_t value) noexcept {
        WITHOUT == D ? std::atomic_ref(w).store(value, relaxed) : policy::vacate(w, value);
    }

    // A ring that overwrites says what it is about to overwrite.
    static void intend(word& intent, position value) noexcept {
        WITHOUT == I ? intent.store(value, relaxed) : policy::intend(intent, value);
    }
    static position load_intent(const word& intent) noexcept {
        return WITHOUT == J ? intent.load(relaxed) : policy::load_intent(intent);
    }
};
