// SPDX-License-Identifier: Apache-2.0
#pragma once
// Searches that were stopped, in a file, for --resume.

#include "outcome.hpp"

#include <string>
#include <vector>

namespace ringproof::verify {

struct stopped_search {
    std::string scenario;
    memory_model model = memory_model::rc11;
    exploration_result so_far; ///< its figures and position; one without any ways is at the beginning
};

/// @throws std::runtime_error when the file cannot be written
void write_checkpoint(const std::vector<stopped_search>& searches, const std::string& path);

/// @throws std::invalid_argument when the file is no checkpoint, or not one of this very program
std::vector<stopped_search> read_checkpoint(const std::string& path);

} // namespace ringproof::verify
