// SPDX-License-Identifier: Apache-2.0
#pragma once
// One execution as it is shown: events and the relations between them. Event numbers are indices:
// the initial writes of the locations first, then thread after thread in program order.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ringproof::litmus {

struct execution {
    struct event {
        int thread = -1;      ///< -1: an initial write
        std::string kind;     ///< init, R, W, U (reads and writes), F
        std::string location; ///< "" if it has none
        std::string loaded, stored;
        std::vector<std::string> labels; ///< "ACQ", "MFENCE"
        std::size_t offset = 0;          ///< in the source
    };
    std::vector<event> events;
    /// po and co without what follows from them, rf, fr to the next store only, addr, data, ctrl, rmw;
    /// those without a pair are left out. Each in order of its pairs.
    std::vector<std::pair<std::string, std::vector<std::pair<std::size_t, std::size_t>>>> relations;
    std::string state; ///< "0:r1=0; [x]=1;"
    bool witness = false;
};

struct cycle_step {
    std::size_t from;
    std::string relation; ///< po, rf, co, fr, addr, … ; ends in ^-1 if it is gone backwards
    std::size_t to;
};

/// Why no execution has an outcome: one that would have it, and the check of the model that it fails.
struct why_not {
    std::string check;      ///< its name in the model
    std::string test;       ///< acyclic, irreflexive, empty
    std::size_t failed = 0; ///< how many checks reject that execution
    std::vector<cycle_step> cycle;
    execution rejected;
};

} // namespace ringproof::litmus
