// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringproof {

/// What a snapshot met that can't be in a ring of this kind. It has no records from there on.
enum class snapshot_error : std::uint8_t {
    none,
    header_damaged, ///< a size that is no multiple of 8, or less than the header and the filling
    no_trailer, ///< forward: the last word of a record does not repeat its size; somebody wrote without one
    overtaken,  ///< the writer went once around while the copy was made: nothing of it can be trusted
};

} // namespace ringproof
