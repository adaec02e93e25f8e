// SPDX-License-Identifier: Apache-2.0
#include "verdict.hpp"

#include "results.hpp"

namespace ringproof::bench {

bool is_ours(const entry& e) { return e.peer.empty() || e.peer.starts_with(ours); }

run_result judge(const entry& what, const placement& where, run_result raw) {
    if (!raw.error.empty() || !raw.skipped.empty()) return raw;
    const bool may_collapse = where.oversubscribed() && !is_ours(what);
    // Somebody else's thread that others kept from its CPU: nothing was seen of the peer. (Ours get the time to tell.)
    constexpr double held_up = 0.1;
    if (!raw.stuck.empty() && !is_ours(what) && !where.oversubscribed() && raw.off_cpu > held_up) {
        raw = {};
        return raw;
    }
    if (!raw.stuck.empty()) {
        if (may_collapse)
            raw.collapsed = raw.stuck;
        else
            raw.error = raw.stuck + ": items lost or the queue hangs";
    } else if (may_collapse && raw.operations == 0 && raw.seconds > 0 && raw.cpu_seconds > raw.seconds / 2) {
        raw.collapsed = "not one operation done, though its threads ran";
    }
    return raw;
}

} // namespace ringproof::bench
