// SPDX-License-Identifier: Apache-2.0
#pragma once
// The command line of `ringproof armv8`, which is `ringproof check --model armv8`: its options have the names and the
// meaning that they have there.

#include "build.hpp"

#include <ringproof/command/reports.hpp>
#include <ringproof/silicon/a64/program.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::silicon::a64 {

struct options {
    build_order order;
    double seconds = 0; ///< 0: no limit
    std::uint64_t executions = 0, random = 0, seed = 1, shown = 0;
    program_limits limits;
    std::string json_file, save_replay, replay, expect = "verified", liveness = "error", color = "auto",
                                                spurious;
    command::report_files reports;
    bool quiet = false, verbose = false, weaken = false, estimate = false, shortest = false, quick = false;

    std::optional<double> missing;
    unsigned jobs = 1;
    std::string checkpoint, resume;

    std::string name() const; ///< of the program: its files
    /// How long to look for the orders that a counterexample lacks.
    double missing_seconds() const;
    bool hangs_fail() const { return liveness == "error"; }
    /// Whether standard output is for a machine.
    bool output_is_taken() const;
};

/// @return the exit code; -1: go on
int parse(int argc, char** argv, options& o);

/// What shows an execution of this program again, but for the token.
std::vector<std::string> replay_command(const options& o);

/// Why an option of `ringproof check` is not one here; empty: it is none of those.
std::string why_refused(const std::string& option);

} // namespace ringproof::silicon::a64
