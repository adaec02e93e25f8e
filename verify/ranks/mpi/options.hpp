// SPDX-License-Identifier: Apache-2.0
#pragma once
// The options of `ringproof mpi`.

#include <string>
#include <vector>

namespace ringproof::verify::ranks {

struct options {
    std::vector<std::string> command; ///< the program, and what it is given
    std::string checkpoint, json;
    double seconds = 0, turn = 60, first_turn = 1, lost_after = 30;
    bool quiet = false;
};

/// @return the exit code where there is nothing more to do; -1 otherwise
/// @param speaks whether this rank is the one that prints help and errors
int parse(int argc, char** argv, bool speaks, options& into);

} // namespace ringproof::verify::ranks
