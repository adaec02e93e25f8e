// SPDX-License-Identifier: Apache-2.0
#pragma once
// A barrier policy that calls the test before every single access a producer makes, which is where a signal could
// come. So all interleavings of a writer with writers that interrupt it can be run, without a signal.
#include "called_barriers.hpp"

struct interrupted_barriers : called_barriers {
    static inline std::function<void()> after_publication;

    static position load_tail(const std::atomic<position>& tail) noexcept {
        return come_in(), acquire_release::load_tail(tail);
    }
    static void publish_head(std::atomic<position>& head, position value) noexcept {
        come_in();
        acquire_release::publish_head(head, value);
        if (after_publication) after_publication();
    }
    template <class T>
    static T own(const std::atomic<T>& word) noexcept {
        return come_in(), acquire_release::own(word);
    }
    template <class T>
    static T stat(const std::atomic<T>& word) noexcept {
        return come_in(), acquire_release::stat(word);
    }
    template <class T>
    static void set_own(std::atomic<T>& word, T value) noexcept {
        come_in(), acquire_release::set_own(word, value);
    }
    static bool local_cmpxchg(std::atomic<position>& word, position& expected, position desired) noexcept {
        return come_in(), acquire_release::local_cmpxchg(word, expected, desired);
    }
    static position local_add(std::atomic<position>& word, position by) noexcept {
        return come_in(), acquire_release::local_add(word, by);
    }
    static std::uint32_t raise(std::atomic<std::uint32_t>& flag, std::uint32_t value) noexcept {
        return come_in(), acquire_release::raise(flag, value);
    }
};
