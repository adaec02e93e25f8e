// SPDX-License-Identifier: Apache-2.0
#pragma once
// One judged measurement: bracketed by probes, repeated while the machine was not in one state during it.

#include "../workload/catalogue.hpp"
#include "regime.hpp"

#include <functional>

namespace ringproof::bench {

struct measurement {
    run_result result;
    probe_pair probes;
    int attempts = 0;
    bool steady = false; ///< the probes agreed and no thread was held up

    bool usable() const { return result.usable(); }
};

struct patience {
    int attempts = 4;                ///< of one measurement
    double off_cpu = 0.02;           ///< share of time a thread may have been held up
    bool judge_off_cpu = true;       ///< false when oversubscribed: there it is what is measured
    double* retry_seconds = nullptr; ///< what all measurements may still spend on repeating; shared
};

/// Runs until an attempt is steady, attempts or retry time run out; keeps the least disturbed attempt.
/// An error ends it at once: a queue that loses something is not tried again until it does not.
measurement measure(const std::function<run_result()>& run, const std::function<double()>& probe,
                    const patience& how);

} // namespace ringproof::bench
