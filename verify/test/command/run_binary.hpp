// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs a program as a user would, without a shell in between.

#include <string>
#include <vector>

struct program_run {
    int code = -1; ///< exit code, or 128 + the signal
    std::string out, err;
};

/// @param interrupt_after milliseconds until SIGINT; 0: never
program_run run_binary(const std::vector<std::string>& command, unsigned interrupt_after = 0);

/// The content of a file; empty when there is none.
std::string content_of(const std::string& path);
