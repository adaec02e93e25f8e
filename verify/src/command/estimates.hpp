// SPDX-License-Identifier: Apache-2.0
#pragma once
// --estimate: how large the searches would be.

#include "../outcome/outcome.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ringproof::verify {

/// Estimates each, and prints a line for it; --json writes all of them into a document without results.
/// @return whether an execution failed on the way
/// @throws command::file_error when the document cannot be written
bool print_estimates(const std::vector<std::pair<const subject*, memory_model>>& all,
                     const command_options& options, const std::vector<std::string>& invocation);

} // namespace ringproof::verify
