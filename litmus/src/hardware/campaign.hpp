// SPDX-License-Identifier: Apache-2.0
#pragma once
// Many tests on this machine: what `ringproof litmus --hardware FILE…` does. What is seen is compared
// with what the model allows.

#include "../enumerate/model.hpp"
#include "library.hpp"
#include "tune.hpp"

#include <nlohmann/json_fwd.hpp>

namespace ringproof::litmus {

struct campaign_options {
    std::vector<std::string> files;
    run_options run;
    std::string compiler;
    std::string model; ///< to compare with; empty: that of the test's dialect
    cat::setting setting;
    tuning tune = tuning::none;
    double tune_seconds = 0.1; ///< for each setting tried by tuning::thorough
    bool print = true;         ///< logs, on standard output
    bool quiet = false;
};

struct campaign_result {
    bool ran = false, refuted = false, skipped = false, bad_input = false;
};

/// @throws no_compiler
campaign_result run_campaign(const campaign_options& o, const std::atomic<bool>& interrupted,
                             nlohmann::ordered_json& results);

} // namespace ringproof::litmus
