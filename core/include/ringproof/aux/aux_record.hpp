// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

#include "ringproof/record.hpp"

namespace ringproof {

namespace record_type {
inline constexpr std::uint32_t aux = 11; ///< PERF_RECORD_AUX: bytes have appeared in the AUX area
} // namespace record_type

/// What an AUX record says about its bytes; values of linux/perf_event.h.
namespace aux_flag {
inline constexpr std::uint64_t truncated = 1; ///< some were dropped for want of room; the source has stopped
inline constexpr std::uint64_t overwrite = 2; ///< snapshot mode: `offset` is where the newest byte ends
inline constexpr std::uint64_t partial = 4;   ///< there are gaps in them
inline constexpr std::uint64_t collision = 8; ///< a sample collided with another
inline constexpr std::uint64_t format =
    0xff00; ///< what the source calls its format; it informs nobody of a loss
} // namespace aux_flag

/// The payload of an AUX record in the data ring.
struct aux_record {
    std::uint64_t offset; ///< position of the first byte; in snapshot mode, of the end
    std::uint64_t size;   ///< bytes
    std::uint64_t flags;
};
static_assert(sizeof(aux_record) == 24 && std::has_unique_object_representations_v<aux_record>);

namespace detail {

/// Is there anything to tell? A record with nothing but what is always so would only fill the data ring, and at
/// each start of the source.
[[nodiscard]] constexpr bool worth_telling(const aux_record& one) noexcept {
    return one.size != 0 || (one.flags & ~(aux_flag::overwrite | aux_flag::format)) != 0;
}

} // namespace detail
} // namespace ringproof
