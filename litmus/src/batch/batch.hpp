// SPDX-License-Identifier: Apache-2.0
#pragma once
// Many tests under one or several models: what `ringproof litmus FILE…` does.

#include "../enumerate/model.hpp"

#include <atomic>
#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace ringproof::litmus {

struct batch_options {
    std::vector<std::string> files;
    std::vector<std::string> models; ///< empty: each test under the model of its dialect
    std::vector<std::string> macros; ///< .def files
    cat::setting setting;
    int unroll = 2;
    double seconds = 0;     ///< per test; 0: none
    std::size_t graphs = 0; ///< executions of each test to be drawn
    std::string graph_folder;
    bool whole_executions = false; ///< ask the model about no parts of executions
    bool why = false;              ///< tell why an outcome is forbidden
    unsigned jobs = 1;
    bool explores = false; ///< by the engine that runs threads step by step (explore/), not by enumeration
};

struct batch_result {
    bool bad_input = false;
    bool refuted = false;
    bool inconclusive = false;
};

/// What became of one file under one model: told in the order of the files, whoever finishes first.
struct batch_item {
    std::string log;     ///< for stdout; empty for an error
    std::string error;   ///< for stderr
    std::string warning; ///< for stderr, beside a log
    std::size_t index = 0, of = 0;
    std::string name;
};

batch_result simulate_all(const batch_options& o, const std::atomic<bool>& interrupted,
                          const std::function<void(const batch_item&)>& tell,
                          nlohmann::ordered_json& results);

} // namespace ringproof::litmus
