// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results for machines. JSON is the truth; JUnit is what CI systems read.

#include "outcome.hpp"

#include <ringproof/command/document.hpp>

#include <string>
#include <vector>

namespace ringproof::verify {

/// Writes a "ringproof-verify/1" document. @param opinions of other checkers; null where none was asked for. @throws std::runtime_error when it cannot be written
void write_json(const std::vector<outcome>& outcomes, const command_options& options,
                const std::vector<std::string>& invocation, bool interrupted,
                const command::json& opinions = nullptr);

/// Writes what make_reports() makes, but for JUnit. @throws std::runtime_error when it cannot be written
void write_reports(const std::vector<outcome>& outcomes, const command_options& options,
                   const std::vector<std::string>& invocation, bool interrupted,
                   const command::json& opinions = nullptr);

/// Writes the list of scenarios as JSON on standard output.
void write_list(const std::vector<const subject*>& all, const std::string& path);

/// @throws std::runtime_error when it cannot be written
void write_junit(const std::vector<outcome>& outcomes, const std::string& path);

} // namespace ringproof::verify
