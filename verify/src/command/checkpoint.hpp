// SPDX-License-Identifier: Apache-2.0
#pragma once
// Searches that were stopped, in a file, for --resume. What is counted so far and where the search stands cannot be
// seen from the program, so a checkpoint is believed only when all of this holds:
//   - its checksum, over every byte behind it: nothing was damaged or cut off (it is no signature: who computes it
//     anew can write what they like);
//   - the checker, the program's and the engine's bytes, and the options that shape a search are the same;
//   - it is well formed: known scenarios and models, each once, numbers in range, positions that do not overlap.
// Whether the positions exist in the program is seen on the way to them (exploration_result::misfit).

#include "../division/part.hpp"
#include "../outcome/outcome.hpp"

#include <string>
#include <vector>

namespace ringproof::verify {

struct stopped_search {
    std::string scenario;
    memory_model model = memory_model::rc11;
    exploration_result
        so_far; ///< its figures and positions; without any it is at its beginning, with what it has learnt
    part_of_search part = {};
};

/// @throws command::file_error when the file cannot be written
void write_checkpoint(const std::vector<stopped_search>& searches, const command_options& options,
                      const std::string& path);

/// @param subjects what the program has to search
/// @throws command::file_error when the file cannot be read
/// @throws std::invalid_argument when it is no checkpoint, not whole, or not one of this program and these options
std::vector<stopped_search> read_checkpoint(const std::string& path, const command_options& options,
                                            const std::vector<subject>& subjects);

} // namespace ringproof::verify
