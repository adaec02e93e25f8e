// SPDX-License-Identifier: Apache-2.0
#pragma once
// What barrier policies have in common that call the test before single accesses.
#include <functional>

#include "ringproof/barriers.hpp"

struct called_barriers : ringproof::acquire_release {
    static inline std::function<void()> before_access;

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

  protected:
    static void come_in() noexcept {
        if (before_access) before_access();
    }
};
