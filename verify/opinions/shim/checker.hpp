// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each checker's file defines: who it is, and how it searches one scenario.

#include "program.hpp"

#include <cstdint>
#include <optional>
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
    /// Complete executions, of a checker that explores each once.
    std::optional<std::uint64_t> executions = {};
};

struct checker {
    const char* name;
    std::vector<std::string> schedulers; ///< the first is the default
    std::string bounds;                  ///< what its schedule space leaves out; empty: nothing
    std::string absent = {};   ///< why it cannot be asked, if it is looked for only now: it is not there
    std::string unusable = {}; ///< or it is there and does not work
};

const checker& this_checker();

search_result search(const named_scenario& scenario, const search_options& options);

} // namespace ringproof::opinions
