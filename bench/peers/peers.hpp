// SPDX-License-Identifier: Apache-2.0
#pragma once
// The peers this build found. Each adapter is one file; CMake compiles those whose headers are installed
// and lists the others, so that a missing peer is named rather than silently absent.

#include "../src/workload/catalogue.hpp"

#include <string>
#include <vector>

namespace ringproof::bench {

/// Ours first: the ratios are against it.
void add_peers(catalogue& out);
/// Name and Debian package of peers not found when this was configured.
std::vector<std::string> missing_peers();

/// A queue broken on purpose (`mode`: lose, twice, reorder, damage, hang), for the tests of the checks.
/// @throws std::invalid_argument on another mode
void add_broken_peer(catalogue& out, const std::string& mode);

} // namespace ringproof::bench
