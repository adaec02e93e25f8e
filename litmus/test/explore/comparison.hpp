// SPDX-License-Identifier: Apache-2.0
#pragma once
// The explorer beside the cat simulator, its judge: the same final states, each with as many executions, and no
// execution twice.

#include "../../src/explore/explored.hpp"
#include "../../src/frontend/front_ends.hpp"

#include <stdexcept>

namespace ringproof::litmus {

struct comparison {
    enum class outcome { equal, different, refused, too_long };
    outcome what = outcome::equal;
    std::string message; ///< what differs, or why it was refused
    std::uint64_t executions = 0, blocked = 0, parts = 0;
    double simulator_seconds = 0, explorer_seconds = 0;
};

/// @param seconds a test that takes the simulator or the explorer longer is left out
comparison compare_engines(const std::string& name, const std::string& text, const model& m, int unroll,
                           double seconds);

} // namespace ringproof::litmus
