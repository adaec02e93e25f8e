// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../trace/counterexample.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ringproof::verify {

/// A complete execution, and what it leaves in each atomic location, by name.
struct shown_execution {
    counterexample execution; ///< with neither kind nor message
    std::vector<std::pair<std::string, std::string>> final_state;
};

shown_execution show(const std::vector<recorded_event>& history, memory_model model, const symbols& names);

/// "x = 1, y = 0"
std::string final_text(const shown_execution& shown);

} // namespace ringproof::verify
