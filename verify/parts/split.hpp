// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dividing a checkpoint into parts that are checkpoints themselves, without the program.

#include <ringproof/command/document.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace ringproof::verify {

struct divided_checkpoint {
    std::vector<command::json> parts;
    double smallest = 0, largest = 0; ///< part, as a part of what is left
};

/// Divides what is left of the searches of a checkpoint so that the parts are of about one size, as far as the positions
/// tell. What was counted before is in the first part of each search.
/// @param text the checkpoint's, with its checksum
/// @param into how many parts; there are fewer where fewer can be had
/// @throws std::invalid_argument when it is no checkpoint of this version, or has nothing left
divided_checkpoint split(const std::string& text, std::size_t into);

} // namespace ringproof::verify
