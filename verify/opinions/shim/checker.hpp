// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each checker's file defines: who it is, and how it searches one scenario.

#include "program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringproof::opinions {

struct search_options {
    std::string scheduler;
    std::uint64_t runs = 0; ///< of a random scheduler, at most; others end by themselves
    double seconds = 0;     ///< 0: no limit
    std::uint64_t seed = 1;
    unsigned context_bound = 0; ///< of a scheduler that bounds preemptions
};

struct search_result {
    bool bug = false;
    bool finished = false; ///< the scheduler has nothing more to try
    std::uint64_t runs = 0;
    double seconds = 0;
    std::string words;   ///< the checker's own
    std::string place;   ///< of the bug: file:line
    std::string history; ///< the run that shows the bug, as the checker prints it
};

struct checker {
    const char* name;
    std::vector<std::string> schedulers; ///< the first is the default
    std::string bounds;                  ///< what its schedule space leaves out
};

const checker& this_checker();

search_result search(const named_scenario& scenario, const search_options& options);

} // namespace ringproof::opinions
