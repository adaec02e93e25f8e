// SPDX-License-Identifier: Apache-2.0
#pragma once
// `ringproof check` of one of the programs in programs/, with flags for its compiler.
#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace ringproof::verify::test {

inline program_run check(const std::string& program, const std::vector<std::string>& flags) {
    std::vector<std::string> arguments{RINGPROOF_TEST_CHECK,
                                       std::string(RINGPROOF_TEST_PROGRAMS) + "/" + program, "--"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run_binary(arguments);
}

inline void holds(const std::string& program, const std::vector<std::string>& flags) {
    const program_run run = check(program, flags);
    CAPTURE(program, flags, run.out);
    CHECK(run.code == 0);
}

} // namespace ringproof::verify::test
