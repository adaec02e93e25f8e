// SPDX-License-Identifier: Apache-2.0
#pragma once
// Many tests through several compilers: what `ringproof litmus --compile` does.

#include "../enumerate/model.hpp"

#include <atomic>
#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace ringproof::litmus::compiled {

struct campaign_options {
    std::vector<std::string> files;
    std::vector<std::string> compilers; ///< commands with their flags
    std::string model;                  ///< of the source; empty: C11 with load buffering, or the kernel's
    cat::setting setting;
    int unroll = 2;     ///< rounds of the loops that the tests have
    double seconds = 0; ///< of a simulation; 0: no limit
    unsigned jobs = 1;
};

/// Of one compiler.
struct tally {
    std::string compiler, version, machine;
    std::size_t tests = 0, consistent = 0, refuted = 0, skipped = 0, inconclusive = 0, errors = 0;
    std::size_t distinct =
        0;              ///< simulations: code that another compiler has made as well is not simulated again
    double seconds = 0; ///< compiling, reading and simulating, of all jobs
};

struct campaign_item {
    std::string log; ///< for stdout; empty if there is nothing to tell
    std::size_t done = 0, of = 0;
    std::string name;
};

struct campaign_result {
    std::vector<tally> compilers;
    std::vector<std::string> absent; ///< why a compiler is not used: it is not installed
    double source_seconds = 0;
};

/// @throws std::runtime_error for a model that cannot be read, or a compiler for a machine that is none of ours
campaign_result compile_and_compare(const campaign_options& o, const std::atomic<bool>& interrupted,
                                    const std::function<void(const campaign_item&)>& tell,
                                    nlohmann::ordered_json& results);

/// The totals as a table, a row for each compiler.
std::string to_text(const campaign_result& r);

} // namespace ringproof::litmus::compiled
