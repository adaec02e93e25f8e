// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringproof::verify {

/// A hash of what `hash` is one of, and of `word` behind it.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9e37'79b9'7f4a'7c15u;
    return hash ^ hash >> 29;
}

} // namespace ringproof::verify
