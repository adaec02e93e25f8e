// SPDX-License-Identifier: Apache-2.0
#pragma once
// A source without gaps: each byte follows from its position, so that whatever is delivered can be judged alone.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ringproof/record.hpp"

namespace trace_bytes {

inline std::byte at(std::uint64_t position) {
    return static_cast<std::byte>((position * 0x9e37'79b9'7f4a'7c15U) >> 56U);
}

inline std::vector<std::byte> from(std::uint64_t position, std::size_t size) {
    std::vector<std::byte> result(size);
    for (std::size_t i = 0; i != size; ++i) result[i] = at(position + i);
    return result;
}

inline bool are_from(std::uint64_t position, std::span<const std::byte> bytes) {
    for (const auto one : bytes)
        if (one != at(position++)) return false;
    return true;
}

inline bool are_from(std::uint64_t position, ringproof::ring_bytes<const std::byte> bytes) {
    return are_from(position, bytes.first) && are_from(position + bytes.first.size(), bytes.second);
}

} // namespace trace_bytes
