// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results for people and for CI systems, made of the JSON.

#include "options.hpp"

#include <ringproof/command/document.hpp>

namespace ringproof::verify {

/// Whether the command line asks for any of SARIF, the page, Markdown and annotations.
bool reports_asked(const command_options& options);

/// Whether standard output is for a machine, so that people's words go to standard error.
bool takes_standard_output(const command_options& options);

/// Writes those that are asked for, and JUnit. @throws command::file_error, std::runtime_error when they cannot be
/// written
void make_reports(const command::json& document, const command_options& options);

} // namespace ringproof::verify
