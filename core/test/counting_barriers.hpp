// SPDX-License-Identifier: Apache-2.0
#pragma once
// A barrier policy that counts how often each letter is used, so that tests can say what an operation costs.
// It also shows what every policy outside the core relies on: a ring calls the functions of the type it is
// given, so hiding one changes that letter only.
#include "ringproof/barriers.hpp"

struct letter_tally {
    int a = 0, b = 0, c = 0, d = 0, claims = 0;
    bool operator==(const letter_tally&) const = default;
};

struct counting_barriers : ringproof::acquire_release {
    using tally = letter_tally;
    static inline tally used;

    /// What was used since the last call.
    static tally take() {
        const tally result = used;
        used = {};
        return result;
    }

    static position load_tail(const std::atomic<position>& tail) noexcept {
        return ++used.a, acquire_release::load_tail(tail);
    }
    static void publish_head(std::atomic<position>& head, position value) noexcept {
        ++used.b, acquire_release::publish_head(head, value);
    }
    static position load_head(const std::atomic<position>& head) noexcept {
        return ++used.c, acquire_release::load_head(head);
    }
    static void release_tail(std::atomic<position>& tail, position value) noexcept {
        ++used.d, acquire_release::release_tail(tail, value);
    }
    static std::uint64_t load_vacancy(std::uint64_t& word) noexcept {
        return ++used.a, acquire_release::load_vacancy(word);
    }
    static void commit(std::uint64_t& word, std::uint64_t value) noexcept {
        ++used.b, acquire_release::commit(word, value);
    }
    static std::uint64_t load_commit(std::uint64_t& word) noexcept {
        return ++used.c, acquire_release::load_commit(word);
    }
    static void vacate(std::uint64_t& word, std::uint64_t value) noexcept {
        ++used.d, acquire_release::vacate(word, value);
    }
    static bool claim(std::atomic<position>& reserved, position& expected, position desired) noexcept {
        return ++used.claims, acquire_release::claim(reserved, expected, desired);
    }
};
