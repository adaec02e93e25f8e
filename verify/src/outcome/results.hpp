// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results for machines. JSON is the truth; JUnit is what CI systems read.

#include "outcome.hpp"

#include <ringproof/command/document.hpp>

#include <string>
#include <vector>

namespace ringproof::verify {

/// What a document says of its results together.
struct about_results {
    bool interrupted = false;
    command::json opinions = nullptr; ///< of other checkers; null: none was asked for
    command::json shard = nullptr;    ///< that these are of many; null: they are all
};

/// Writes a "ringproof-verify/1" document. @throws std::runtime_error when it cannot be written
void write_json(const std::vector<outcome>& outcomes, const command_options& options,
                const std::vector<std::string>& invocation, const about_results& about);

/// Writes what make_reports() makes, but for JUnit. @throws std::runtime_error when it cannot be written
void write_reports(const std::vector<outcome>& outcomes, const command_options& options,
                   const std::vector<std::string>& invocation, const about_results& about);

/// Writes the list of scenarios as JSON on standard output.
void write_list(const std::vector<const subject*>& all, const std::string& path);

/// @throws std::runtime_error when it cannot be written
void write_junit(const std::vector<outcome>& outcomes, const std::string& path);

} // namespace ringproof::verify
