// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/floating_point.hpp"
#include "../program/memory.hpp"

#include <cstring>
#include <string>

namespace ringproof::verify {

/// What a part of a stack held at some time, and the floating-point environment that its thread had.
class stack_copy {
  public:
    void take(const memory_range& of, const floating_point& floats) {
        bytes_.assign(reinterpret_cast<const char*>(of.begin), of.size());
        floats_ = floats;
    }
    /// Whether the part that was taken holds the same now.
    bool same(const memory_range& of, const floating_point& floats) const {
        return floats == floats_ &&
               std::memcmp(bytes_.data(), reinterpret_cast<const void*>(of.begin), of.size()) == 0;
    }
    /// Whether the word at this place of the copy is what lies at `address` now.
    bool same_word(std::size_t offset, std::uintptr_t address, std::size_t size) const {
        return std::memcmp(bytes_.data() + offset, reinterpret_cast<const void*>(address), size) == 0;
    }
    char operator[](std::size_t i) const { return bytes_[i]; }

  private:
    std::string bytes_;
    floating_point floats_;
};

} // namespace ringproof::verify
