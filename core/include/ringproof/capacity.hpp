// SPDX-License-Identifier: Apache-2.0
#pragma once
// What sizes a ring may have, and the sentence for those it may not.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace ringproof {

/// Data of different writers lies this far apart: two lines, since prefetchers fetch lines in pairs.
inline constexpr std::size_t line_pair = 128;

namespace detail {

/// Bytes that travel together between CPUs.
inline constexpr std::size_t cache_line = 64;

/// @return `capacity`, if a ring can have it
/// @throws std::invalid_argument with the reason otherwise
inline std::size_t checked_capacity(std::size_t capacity, std::size_t least, std::size_t unit_size,
                                    const char* unit) {
    const auto refuse = [&](const char* reason) {
        throw std::invalid_argument("a ring of " + std::to_string(capacity) + " " + unit +
                                    " is not possible: " + reason);
    };
    if (!std::has_single_bit(capacity)) refuse("the capacity must be a power of two");
    if (capacity < least) refuse(("the smallest is " + std::to_string(least)).c_str());
    // Half of what can be counted: later sums of a size and its padding don't wrap.
    if (capacity > std::numeric_limits<std::size_t>::max() / 2 / unit_size)
        refuse("its size in bytes does not fit the address space");
    return capacity;
}

} // namespace detail
} // namespace ringproof
