// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>

/// Counts how many exist, so that a test sees an item lost, leaked or destroyed twice.
struct counted {
    static inline int alive = 0;
    int value;
    explicit counted(int v) noexcept : value(v) { ++alive; }
    counted(counted&& other) noexcept : value(other.value) { ++alive; }
    counted(const counted& other) noexcept : value(other.value) { ++alive; }
    counted& operator=(counted&&) noexcept = default;
    counted& operator=(const counted&) noexcept = default;
    ~counted() { --alive; }
};

/// Its construction from a negative number, and its copy while `copies_throw`, throw.
struct touchy {
    static inline bool copies_throw = false;
    int value;
    explicit touchy(int v) : value(v) {
        if (v < 0) throw std::runtime_error("negative");
    }
    touchy(const touchy& other) : value(other.value) {
        if (copies_throw) throw std::runtime_error("copied");
    }
    touchy(touchy&&) noexcept = default;
    touchy& operator=(const touchy& other) {
        if (copies_throw) throw std::runtime_error("assigned");
        value = other.value;
        return *this;
    }
};
