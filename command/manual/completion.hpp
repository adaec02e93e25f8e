// SPDX-License-Identifier: Apache-2.0
#pragma once
// Completion of verbs, options and their values, for three shells.

#include "tables.hpp"

#include <string>

namespace ringproof::manual {

std::string bash_completion(const command& of);
std::string zsh_completion(const command& of);
std::string fish_completion(const command& of);

/// Whether a verb takes files as arguments.
bool takes_files(const verb& what);

} // namespace ringproof::manual
