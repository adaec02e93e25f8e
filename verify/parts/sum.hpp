// SPDX-License-Identifier: Apache-2.0
#pragma once
// One result of many.

#include "parts_of_results.hpp"

#include <string>
#include <vector>

namespace ringproof::verify {

/// What the parts of a search come to.
struct summed_result {
    command::json result;
    std::vector<std::string> missing; ///< parts that are not given, by name
};

/// Adds up what was found by the parts of a search, and gives it the verdict that the whole search would have: refuted
/// by any part, verified where all parts are searched to their ends. A whole search stays as it is.
summed_result sum_up(const part_tree& search);

} // namespace ringproof::verify
