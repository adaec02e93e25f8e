// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which part of a divided search something belongs to.

#include <cstdint>
#include <string>
#include <vector>

namespace ringproof::verify {

/// A part of a division.
struct part_link {
    std::string of; ///< the division: a hash of the checkpoint that was divided, and into how many
    std::uint32_t number = 1, parts = 1; ///< from 1 to `parts`
    std::uint32_t run = 1;               ///< one more each time that what was left of the part goes on
    bool operator==(const part_link&) const = default;
};

/// A part of a part of …, the outermost first; empty: a whole search.
using part_of_search = std::vector<part_link>;

} // namespace ringproof::verify
