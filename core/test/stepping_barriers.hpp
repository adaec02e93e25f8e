// SPDX-License-Identifier: Apache-2.0
#pragma once
// A barrier policy that calls the test before every single access a writer of a `recorder<shared>` makes, which is
// where it could be stopped, interrupted or overtaken; and before every one of a snapshot.
#include "called_barriers.hpp"

struct stepping_barriers : called_barriers {
    static inline std::function<void()> before_copy;

    static position claimed(const std::atomic<position>& reserved) noexcept {
        return come_in(), acquire_release::claimed(reserved);
    }
    static void mark(std::atomic<position>& place, position value) noexcept {
        come_in(), acquire_release::mark(place, value);
    }
    static position load_mark(const std::atomic<position>& place) noexcept {
        return come_in(), acquire_release::load_mark(place);
    }
    static bool take_place(std::atomic<position>& owner, position expected, position desired) noexcept {
        return come_in(), acquire_release::take_place(owner, expected, desired);
    }
    static position load_head(const std::atomic<position>& head) noexcept {
        return come_in(), acquire_release::load_head(head);
    }
    static bool claim_over(std::atomic<position>& reserved, position& expected, position desired) noexcept {
        return come_in(), acquire_release::claim_over(reserved, expected, desired);
    }
    static bool account(std::atomic<position>& reported, position& expected, position desired) noexcept {
        return come_in(), acquire_release::account(reported, expected, desired);
    }
    /// Of a snapshot: word by word, so that writers can come between.
    static void get_words(std::uint64_t* to, std::uint64_t* from, std::size_t count) noexcept {
        for (std::size_t i = 0; i != count; ++i) {
            if (before_copy) before_copy();
            acquire_release::get_words(to + i, from + i, 1);
        }
    }
    static position load_intent(const std::atomic<position>& intent) noexcept {
        if (before_copy) before_copy();
        return acquire_release::load_intent(intent);
    }
};
