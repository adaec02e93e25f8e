// SPDX-License-Identifier: Apache-2.0
#pragma once
// A search as the tree that it is: each execution with the ways that it took, in the order of the search.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ringproof::verify::ranks {

/// An execution, or several that are searched by one.
struct leaf {
    std::vector<std::uint32_t> ways; ///< to it, from the first decision on
    double seconds = 0;
};

struct recorded_tree {
    std::string name;
    std::vector<leaf> leaves;
    std::vector<double> before; ///< seconds of all leaves before this one; one more than leaves
};

/// Searches `body` and keeps every execution, complete or blocked, as a leaf of one second.
/// @throws std::runtime_error when there are more than `most`
recorded_tree record(const std::string& name, const std::function<void()>& body, std::size_t most);

/// The same tree of a program whose executions take longer, so that the search takes `seconds`.
recorded_tree scaled(recorded_tree tree, double seconds);

} // namespace ringproof::verify::ranks
