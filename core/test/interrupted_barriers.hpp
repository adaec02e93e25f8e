// SPDX-License-Identifier: Apache-2.0
#pragma once
// A barrier policy that calls the test before every single access a producer makes, which is where a signal could
// come. So all interleavings of a writer with writers that interrupt it can be run, without a signal.
#include <functional>

#include "ringproof/barriers.hpp"

struct interrupted_barriers : ringproof::acquire_release {
    static inline std::function<void()> before_access, after_publication;

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
    static void put_word(std::uint64_t& word, std::uint64_t value) noexcept {
        come_in(), acquire_release::put_word(word, value);
    }
    /// Word by word, so that a snapshot can find any part of a record.
    static void put_words(std::uint64_t* to, const std::byte* from, std::size_t count) noexcept {
        for (std::size_t i = 0; i != count; ++i) {
            come_in();
            acquire_release::put_words(to + i, from + 8 * i, 1);
        }
    }
    static std::uint32_t raise(std::atomic<std::uint32_t>& flag, std::uint32_t value) noexcept {
        return come_in(), acquire_release::raise(flag, value);
    }

  private:
    static void come_in() noexcept {
        if (before_access) before_access();
    }
};
