// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "ringproof/record.hpp"
#include "ringproof/snapshot_error.hpp"

namespace ringproof {

/// A ring that overwrites and is written downwards, perf's write_backward: head is where the newest record begins,
/// and reading upwards from there goes back in time.
///
///      head                                        head + capacity
///       | newest | older | older | … | oldest | clipped |
///
/// Nothing is added to a record, and the kernel's own overwritable ring is read the same way.
struct backward {
    static constexpr bool in_pages = false;
    static constexpr std::size_t trailer_size = 0;
    static constexpr bool downwards = true;

    [[nodiscard]] static constexpr std::uint64_t trailer(std::size_t) noexcept { return 0; }

    /// The record whose newer neighbour, or head, is `distance` bytes from head. `words` is the copy, from head
    /// upwards. @param limit how many bytes of the copy can be trusted
    struct step {
        record_header header{};
        std::size_t begin = 0; ///< index of the header in the copy, in bytes
        snapshot_error error = snapshot_error::none;
    };
    [[nodiscard]] static step next(std::span<const std::uint64_t> words, std::size_t distance,
                                   std::size_t limit) noexcept {
        step found;
        if (limit - distance < detail::header_size) return found;
        found.begin = distance;
        found.header = std::bit_cast<record_header>(words[distance / 8]);
        if (found.header.type == 0 && found.header.size == 0) return {}; // never written
        const read_error wrong = detail::check(found.header, limit - distance);
        if (wrong == read_error::size_too_large) return {}; // the clipped one
        if (wrong != read_error::none) found.error = snapshot_error::header_damaged;
        return found;
    }
};

} // namespace ringproof
