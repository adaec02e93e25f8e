// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/memory.hpp"
#include "../program/thread.hpp"

#include <cstring>
#include <string>

namespace ringproof::verify {

/// What a part of a stack held at some time, the floating-point environment that its thread had, and what it asked for.
class stack_copy {
  public:
    void take(const memory_range& of, const thread_state& t) {
        bytes_.assign(reinterpret_cast<const char*>(of.begin), of.size());
        floats_ = t.floats;
        asked_ = t.what;
    }
    const char* bytes() const { return bytes_.data(); }
    const floating_point& floats() const { return floats_; }
    const request& asked() const { return asked_; }
    /// Whether the word at this place of the copy is what lies at `address` now.
    bool same_word(std::size_t offset, std::uintptr_t address, std::size_t size) const {
        return std::memcmp(bytes_.data() + offset, reinterpret_cast<const void*>(address), size) == 0;
    }
    char operator[](std::size_t i) const { return bytes_[i]; }

  private:
    std::string bytes_;
    floating_point floats_;
    request asked_; ///< which may come from registers that are dead behind it
};

} // namespace ringproof::verify
