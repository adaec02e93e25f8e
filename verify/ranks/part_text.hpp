// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parts of searches as the text of checkpoints, for the pool.

#include "../src/division/part.hpp"
#include "pool.hpp"

#include <string>
#include <vector>

namespace ringproof::verify::ranks {

/// The searches of a checkpoint, each as a piece of its own.
/// @throws std::invalid_argument for what is none of this version
std::vector<piece> pieces_of(const std::string& checkpoint);

/// What is left of a piece. Its size is what its positions weigh, or else that of `before`, as far as it is left.
piece rest_of(const piece& before, std::string text);

/// By `ringproof split`.
std::vector<piece> divided(const piece& what, std::size_t into);

/// Links of the part as one text; a part of a part begins with the text of that.
std::string part_name(const part_of_search& part);
std::string part_name(const std::string& text_of_part);

} // namespace ringproof::verify::ranks
