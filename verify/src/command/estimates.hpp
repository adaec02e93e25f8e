// SPDX-License-Identifier: Apache-2.0
#pragma once
// --estimate: how large the searches would be.

#include "../outcome/outcome.hpp"

#include <cstdio>
#include <utility>
#include <vector>

namespace ringproof::verify {

/// Estimates each, and prints a line for it. @return whether an execution failed on the way
bool print_estimates(const std::vector<std::pair<const subject*, memory_model>>& all,
                     const command_options& options, std::FILE* out);

} // namespace ringproof::verify
