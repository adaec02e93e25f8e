// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <algorithm>
#include <chrono>

namespace ringproof::bench {
namespace {

/// How far from steady; at most 1 is steady.
double disturbance(const measurement& m, const patience& how) {
    if (m.result.starved()) return 1e9;
    double worst = how.judge_off_cpu ? m.result.off_cpu / how.off_cpu : 0;
    if (m.probes.present())
        worst = std::max(worst, std::max(m.probes.before, m.probes.after) /
                                    (std::min(m.probes.before, m.probes.after) * probe_tolerance));
    return worst;
}

} // namespace

measurement measure(const std::function<run_result()>& run, const std::function<double()>& probe,
                    const patience& how) {
    measurement best;
    double least = 0;
    for (int attempt = 1; attempt <= how.attempts; ++attempt) {
        const auto start = std::chrono::steady_clock::now();
        measurement m;
        m.probes.before = probe();
        m.result = run();
        m.probes.after = probe();
        const double worst = disturbance(m, how);
        m.steady = worst <= 1;
        if (attempt == 1 || worst < least || m.result.decided()) {
            best = m;
            least = worst;
        }
        best.attempts = attempt;
        if (best.steady || best.result.decided()) break;
        if (how.retry_seconds) {
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
            // The first attempt was due anyway; what is counted is what a further one will cost.
            if (*how.retry_seconds < spent.count()) break;
            *how.retry_seconds -= spent.count();
        }
    }
    return best;
}

} // namespace ringproof::bench
