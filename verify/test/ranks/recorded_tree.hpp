// SPDX-License-Identifier: Apache-2.0
#pragma once
// A search as the tree that it is: its subtrees in the order of the search, and how long each takes.

#include <ringproof/verify/explore.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ringproof::verify::ranks {

/// A subtree that is searched by one.
struct leaf {
    std::vector<std::uint32_t> ways; ///< to it, from the first decision on
    double seconds = 0;
    double weight = 0; ///< what the search thinks of it when it is divided
};

struct recorded_tree {
    std::string name;
    std::uint64_t executions = 0;
    std::vector<leaf> leaves;
    std::vector<double> before; ///< seconds of all leaves before this one; one more than leaves
};

/// Divides the search of `body` into about `leaves` subtrees, and searches each.
recorded_tree record(const std::string& name, const std::function<void()>& body, std::uint64_t leaves);

/// The same tree of a program whose executions take longer, so that the search takes `seconds`.
recorded_tree scaled(recorded_tree tree, double seconds);

} // namespace ringproof::verify::ranks
