// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results of litmus tests from several commands (--shard), one after the other.

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace ringproof::verify {

/// Whether a file has results of litmus tests. @throws command::file_error
bool has_litmus_results(const std::string& file);

struct joined_results {
    std::vector<command::json> results; ///< in the order of the files
    command::json environment;          ///< of the first file
};

/// @throws std::invalid_argument for a document of something else, or shards of which one is missing, foreign or
/// given twice
joined_results join(const std::vector<std::string>& files);

/// As `ringproof litmus` itself: refuted, then errors, then inconclusive.
command::exit_code code_of(const joined_results& all);

/// The tests that did not end well, and how many there are of each verdict.
void print(const joined_results& all, std::FILE* out);

} // namespace ringproof::verify
