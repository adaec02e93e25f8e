// SPDX-License-Identifier: Apache-2.0
#pragma once
// The program's memory, which lies at its own addresses in this process; little-endian, as this machine is.

#include "instruction.hpp"

#include <ringproof/silicon/event.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace ringproof::silicon::a64 {

static_assert(std::endian::native == std::endian::little);

inline std::byte* bytes_at(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

/// @param bytes up to 8
inline word read_word(std::uint64_t address, std::uint32_t bytes) {
    word w;
    std::memcpy(&w.low, bytes_at(address), std::min(bytes, 8u));
    return w;
}
inline void write_word(const word& w, std::uint64_t address, std::uint32_t bytes) {
    std::memcpy(bytes_at(address), &w.low, std::min(bytes, 8u));
}

inline std::uint64_t cut_to(std::uint64_t value, std::uint32_t bytes) {
    return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

/// What one or two general registers have.
struct register_bytes {
    std::array<std::uint64_t, 2> of{};
    bool operator==(const register_bytes&) const = default;
};

/// What a load of general registers gets from there, one behind the other; and what a store puts there.
inline register_bytes registers_at(const instruction& i, std::uint64_t address) {
    register_bytes r;
    for (std::size_t k = 0; k < i.count; ++k) r.of[k] = read_word(address + k * i.bytes, i.bytes).low;
    return r;
}
inline void put_registers(const register_bytes& r, const instruction& i, std::uint64_t address) {
    for (std::size_t k = 0; k < i.count; ++k) write_word({r.of[k], 0}, address + k * i.bytes, i.bytes);
}

} // namespace ringproof::silicon::a64
