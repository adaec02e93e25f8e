// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "ringproof/record.hpp"
#include "ringproof/snapshot_error.hpp"

namespace ringproof {

/// A ring that overwrites and is written upwards. Each record repeats its size in its last two bytes, so that a
/// reader can step back from head, which is where the newest record ends.
///
///      head - capacity                          head
///       | clipped | oldest … | older | newest … size |
///
/// After the patch "perf: add PERF_SAMPLE_SIZE" (2015, not merged), whose four limits are checked here:
/// | there                                    | here                                                          |
/// |------------------------------------------|---------------------------------------------------------------|
/// | writers must be stopped for the walk     | what was overwritten during the copy is known and left out    |
/// | every event must select the trailer      | every record gets one, LOST too; a reader that meets another  |
/// |                                          | says no_trailer                                               |
/// | no records of the kernel's own           | the same check                                                |
/// | two bytes a record, and 8-byte alignment | eight bytes a record, within max_payload()                    |
struct forward {
    static constexpr bool in_pages = false;
    static constexpr std::size_t trailer_size = 8;
    static constexpr bool downwards = false;

    /// The last word of a record: its last two bytes are its size.
    [[nodiscard]] static constexpr std::uint64_t trailer(std::size_t size) noexcept {
        return std::bit_cast<std::uint64_t>(
            std::array<std::uint16_t, 4>{0, 0, 0, static_cast<std::uint16_t>(size)});
    }

    struct step {
        record_header header{};
        std::size_t begin = 0;
        snapshot_error error = snapshot_error::none;
    };

    /// `words` is the copy of the capacity that ends at head.
    [[nodiscard]] static step next(std::span<const std::uint64_t> words, std::size_t distance,
                                   std::size_t limit) noexcept {
        step found;
        const std::size_t end = words.size() * 8 - distance;
        if (limit - distance < detail::header_size + trailer_size) return found;
        const std::uint64_t last = words[end / 8 - 1];
        const std::size_t size = std::bit_cast<std::array<std::uint16_t, 4>>(last)[3];
        if (last == 0) return {}; // never written
        if (last != trailer(size) || size % 8 != 0 || size < detail::header_size + trailer_size) {
            found.error = snapshot_error::no_trailer;
            return found;
        }
        if (size > limit - distance) return {}; // the clipped one: its trailer goes last
        found.begin = end - size;
        found.header = std::bit_cast<record_header>(words[found.begin / 8]);
        if (found.header.size != size)
            found.error = snapshot_error::no_trailer;
        else if (size < detail::header_size + trailer_size + detail::filling(found.header))
            found.error = snapshot_error::header_damaged;
        return found;
    }
};

} // namespace ringproof
