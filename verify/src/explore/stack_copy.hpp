// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../runtime/memory.hpp"

#include <cstring>
#include <string>

namespace ringproof::verify {

/// What a part of a stack held at some time.
class stack_copy {
  public:
    void take(const memory_range& of) { bytes_.assign(reinterpret_cast<const char*>(of.begin), of.size()); }
    /// Whether the part that was taken holds the same now.
    bool same(const memory_range& of) const {
        return std::memcmp(bytes_.data(), reinterpret_cast<const void*>(of.begin), of.size()) == 0;
    }
    char operator[](std::size_t i) const { return bytes_[i]; }

  private:
    std::string bytes_;
};

} // namespace ringproof::verify
