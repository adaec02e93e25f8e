// SPDX-License-Identifier: Apache-2.0
#pragma once
// GenMC (github.com/MPI-SWS/genmc) as a program: where it is, and what it has printed. For the adapter of the scenarios, and
// for the museum.

#include <cstdint>
#include <string>
#include <string_view>

namespace ringproof::opinions {

/// A GenMC that was looked for.
struct genmc_tool {
    std::string program, version;
    std::string headers;          ///< its folder of headers for programs; empty: it is not beside the program
    std::string absent, unusable; ///< why it cannot be asked; both empty: it can
};

/// Looks in RINGPROOF_GENMC_ROOT, then in PATH, and asks for the version.
genmc_tool find_genmc();

/// What a run of GenMC has said of a program.
struct genmc_answer {
    std::string error;     ///< "Non-atomic race"; of an assertion "assertion violation: WORDS"; empty: none
    bool finished = false; ///< it has explored all, and detected nothing
    std::uint64_t complete = 0, blocked = 0; ///< executions, without the one that fails
    std::string compiler_error;              ///< "no such header"; there is no verdict
};

/// @param said all that it has written
genmc_answer read_genmc(const std::string& said);

/// What stands between `begin` and the end of its line; empty: `begin` is not there.
std::string behind(const std::string& said, std::string_view begin);

} // namespace ringproof::opinions
