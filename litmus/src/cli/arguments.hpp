// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `ringproof litmus FILE…` is asked, as options of its command line.

#include "../hardware/tune.hpp"

#include <ringproof/command/shard.hpp>

#include <optional>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library has named it
class App;
} // namespace CLI

namespace ringproof::litmus {

struct arguments {
    std::vector<std::string> paths;
    bool hardware = false;
    run_options run;
    std::string sync = "none";
    std::string pinning = "incr";
    std::string compiler;
    std::string json;
    unsigned jobs = 1;
    std::optional<command::shard> shard;
    bool quiet = false;
    bool why = false;
    bool no_shuffle = false;
    bool no_touch = false;
    bool tune = false;
    bool no_tune = false;
    tuning how_tuned = tuning::brief;
    double tune_seconds = 0.1;
    // simulator
    std::vector<std::string> models;
    std::vector<std::string> folders;
    std::vector<std::string> bells;
    std::vector<std::string> macros;
    std::string show;
    std::string graphs = "graphs";
    std::size_t executions = 1;
    std::vector<std::string> variants;
    std::vector<std::string> skipped_checks;
    bool whole_executions = false;
    std::string engine = "enumerate";
    int unroll = 2;
    std::vector<std::string> compilers;
    // other simulators
    std::vector<std::string> second_opinions;
    double opinion_seconds = 10;
};

/// Adds the options, which fill `a`.
void describe(CLI::App& app, arguments& a);

/// Whether, and how long, settings of the hardware are tried: briefly, unless one was given.
tuning tuning_of(const CLI::App& app, const arguments& a);

} // namespace ringproof::litmus
