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

/// Takes the greater half of the open ways of the first decision that has any off `p`.
/// @return those; nothing where no way is open
std::optional<search_position> split_off(search_position& p);

/// A position and its share, for the pieces to be divided further.
struct piece {
    search_position at;
    double share = 0;
};

/// Divides the largest piece, again and again, until there are `wanted` or none can be divided.
/// @param search_on searches a piece in which no way is open until one is. It returns that position; nothing when it has come
/// to the piece's end, and the piece itself where it could not. Without it such pieces stay as they are
using searching_on = std::function<std::optional<search_position>(const search_position&)>;
std::vector<piece> divide(std::vector<search_position> all, std::size_t wanted,
                          const searching_on& search_on = {});

} // namespace ringproof::verify
