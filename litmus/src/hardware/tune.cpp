// SPDX-License-Identifier: Apache-2.0
#include "tune.hpp"

#include <fmt/format.h>
#include <tuple>
#include <vector>

namespace ringproof::litmus {
namespace {

using change = std::function<void(run_options&)>;

std::vector<std::vector<change>> parameters() {
    const auto size = [](std::uint64_t n) { return [n](run_options& o) { o.size = n; }; };
    const auto stride = [](std::uint64_t n) { return [n](run_options& o) { o.stride = n; }; };
    const auto group = [](std::uint64_t n) { return [n](run_options& o) { o.group = n; }; };
    const auto sync = [](synchronisation s) { return [s](run_options& o) { o.sync = s; }; };
    const auto pin = [](affinity a) { return [a](run_options& o) { o.pinning = a; }; };
    return {
        {size(500), size(2000), size(20'000), size(100'000)},
        {stride(1), stride(2), stride(3), stride(8)},
        {[](run_options& o) { o.shuffle = !o.shuffle; }},
        {[](run_options& o) { o.touch = !o.touch; }},
        {[](run_options& o) { o.flush = !o.flush; }},
        {sync(synchronisation::user), sync(synchronisation::fence), sync(synchronisation::timebase)},
        {group(2), group(8), group(32), group(256)},
        {pin(affinity::siblings), pin(affinity::l3), pin(affinity::package), pin(affinity::none)},
    };
}

/// Small batches stay in the nearest caches; meetings keep threads of one instance together; flushed or unread
/// locations delay stores and loads.
std::vector<change> usual() {
    const auto small = [](run_options& o) { o.size = 500; };
    const auto unread = [small](run_options& o) { small(o), o.touch = false; };
    const auto meeting = [](synchronisation s) { return [s](run_options& o) { o.sync = s, o.group = 8; }; };
    return {small,
            unread,
            [unread](run_options& o) { unread(o), o.stride = 8; },
            meeting(synchronisation::user),
            meeting(synchronisation::fence),
            [](run_options& o) { o.flush = true; }};
}

/// A setting has to be clearly better, or the noise decides.
void keep_if_better(tuned& t, const run_options& candidate, const score& s) {
    ++t.trials;
    if (!(t.after < s) || s.witnesses < 1.05 * t.after.witnesses) return;
    t.after = s;
    t.best = candidate;
}

tuned untuned(const run_options& from, const trial& attempt) {
    tuned t;
    t.best = from;
    t.before = t.after = attempt(from);
    t.trials = 1;
    return t;
}

} // namespace

bool operator<(const score& a, const score& b) {
    return std::tie(a.witnesses, a.states, a.iterations) < std::tie(b.witnesses, b.states, b.iterations);
}

tuned tune(run_options from, double each, const trial& attempt, const std::atomic<bool>& stop) {
    from.seconds = each;
    tuned t = untuned(from, attempt);
    for (int round = 0; round < 2; ++round)
        for (const std::vector<change>& parameter : parameters())
            for (const change& apply : parameter) {
                run_options candidate = t.best;
                apply(candidate);
                if (stop.load(std::memory_order_relaxed)) return t;
                // Without meetings there are no groups.
                if (candidate.group != t.best.group && candidate.sync == synchronisation::none) continue;
                try {
                    keep_if_better(t, candidate, attempt(candidate));
                } catch (const not_on_this_machine&) { // an affinity that there is not
                }
            }
    return t;
}

tuned tune_briefly(run_options from, double each, const trial& attempt, const std::atomic<bool>& stop) {
    from.seconds = each;
    tuned t = untuned(from, attempt);
    for (const change& apply : usual()) {
        if (stop.load(std::memory_order_relaxed)) break;
        run_options candidate = from;
        apply(candidate);
        keep_if_better(t, candidate, attempt(candidate));
    }
    return t;
}

std::string as_options(const run_options& o) {
    std::string s = fmt::format("-s {} --stride {} --sync {} --affinity {}", o.size, o.stride,
                                to_string(o.sync), to_string(o.pinning));
    if (o.group != 0) s += fmt::format(" --group {}", o.group);
    if (!o.shuffle) s += " --no-shuffle";
    if (!o.touch) s += " --no-touch";
    if (o.flush) s += " --flush";
    return s;
}

} // namespace ringproof::litmus
