// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dividing what is left of a search, as far as its positions tell: a position stands for the subtree that its way leads
// to, and for the open ways beside it. Pieces of a position have nothing in common, and are together all of it.

#include <ringproof/verify/explore.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace ringproof::verify {

/// The part of the whole search, as if all ways on from a decision led to subtrees of one size; between 0 and 1.
double share_of(const search_position& p);

/// How long it takes, for positions of one search to be compared: its weight, or where that is not known its share.
double size_of(const search_position& p);

/// Takes the greater half of the open ways of the first decision that has any off `p`, and the weight that goes with it.
/// @return those; nothing where no way is open
std::optional<search_position> split_off(search_position& p);

/// For who can run the program:
struct runner {
    /// Searches a piece in which no way is open until one is. It returns that position; nothing when it has come to the
    /// piece's end, and the piece itself where it could not.
    std::function<std::optional<search_position>(const search_position&)> search_on = {};
    /// How many executions are left; more exact each time.
    std::function<double(const search_position&)> weigh = {};
};

/// Divides the largest piece, again and again, until there are `wanted` or none can be divided. Without the program, pieces
/// in which no way is open stay as they are.
std::vector<search_position> divide(std::vector<search_position> all, std::size_t wanted,
                                    const runner& by = {});

} // namespace ringproof::verify
