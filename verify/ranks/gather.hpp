// SPDX-License-Identifier: Apache-2.0
#pragma once
// What all ranks found, as the results of searches.

#include "../parts/merge.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ringproof::verify::ranks {

/// @param files the results of parts that are done
/// @param left how many parts are left of searches, by name; a search in which something is left is inconclusive,
/// unless a part refutes it
merged_results gather(const std::vector<std::string>& files, std::map<std::string, std::size_t> left);

} // namespace ringproof::verify::ranks
