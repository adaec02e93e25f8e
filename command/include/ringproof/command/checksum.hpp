// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ringproof::command {

/// Any change of a single byte changes it (FNV-1a). It is no signature: anyone can compute it anew.
constexpr std::uint64_t checksum_of(std::string_view bytes) {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325u;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100'0000'01b3u;
    return hash;
}

} // namespace ringproof::command
