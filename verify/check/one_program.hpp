// SPDX-License-Identifier: Apache-2.0
#pragma once
// One program from its sources to its exit code: it is compiled, linked with the checker, and run.

#include "compile.hpp"

#include <string>
#include <vector>

namespace ringproof::verify {

/// What is to be checked.
struct checked_program {
    std::string name;                         ///< in results, and of replay tokens
    std::vector<source_file> sources, second; ///< of the program, and of one that runs beside it
    std::vector<std::string> flags;           ///< of all sources and of the link
    std::vector<std::string> options;         ///< of the command line, for the search
    std::vector<std::string> command;         ///< that checks it, in results
    std::vector<std::string> replay;          ///< that --replay is added to
    bool keep_ndebug = false;
    std::string dialect; ///< whose headers it finds besides; empty: none
};

/// Compiles and runs it. pass_signals_on() has been called.
/// @return the exit code
int check_program(const checked_program& what);

} // namespace ringproof::verify
