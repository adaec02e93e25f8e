// SPDX-License-Identifier: Apache-2.0
#pragma once
// Drives Google Benchmark: registers every repetition as a benchmark of its own, in interleaved order,
// with one thread, one batch and manual time, and collects what it reports.

#include "results.hpp"

#include <benchmark/benchmark.h>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace ringproof::bench {

struct session {
    std::vector<subject> subjects;
    int repetitions = 0;
    double measure_seconds = 0;
    double retry_seconds = 0; ///< what may be spent on repeating disturbed measurements, altogether
    /// No measurement begins later than this after the start.
    double deadline_seconds = std::numeric_limits<double>::infinity();
    urgency priority = urgency::high;

    std::vector<observation> seen;                       ///< filled by run(), errors included
    std::vector<benchmark::BenchmarkReporter::Run> runs; ///< the same, as Google Benchmark reports them
    bool interrupted = false;
    bool out_of_time = false; ///< the deadline came before the last repetition

    /// `progress(fraction, name)` is called before each measurement.
    void run(const std::function<void(double, const std::string&)>& progress);
    /// Names of what never got a usable measurement, because its threads did not run.
    std::vector<std::string> unmeasured() const;
    /// "name: how it came to a standstill": peers, where threads share CPUs.
    std::vector<std::string> collapsed() const;
    /// "name: why it cannot be measured here".
    std::vector<std::string> skipped() const;
    /// "name: what went wrong", one for each subject that failed.
    std::vector<std::string> errors() const;
};

/// From now on the first SIGINT or SIGTERM ends the session after the measurement under way.
void stop_on_signals();

} // namespace ringproof::bench
