// SPDX-License-Identifier: Apache-2.0
#pragma once
// The programs of a project, one after the other, and one document of results for all.

#include "project.hpp"

#include <string>
#include <vector>

namespace ringproof::verify {

/// Checks those programs of a project that are asked for, in the project's folder, and writes the results.
/// @param options as the user wrote them
/// @param flags for the compiler, behind those of the programs
/// @param command the whole command line, for the results
/// @return the exit code: the worst of all
int check_project(const project& all, const std::vector<std::string>& options,
                  const std::vector<std::string>& flags, const std::vector<std::string>& command);

} // namespace ringproof::verify
