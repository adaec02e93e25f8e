// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <fmt/format.h>
#include <unordered_set>

namespace ringproof::litmus {
namespace {

/// Everything that makes an execution the one it is: choices, reads-from, coherence.
std::string identity(const silicon::part_of_execution& x) {
    std::string text;
    for (std::size_t t = 0; t < x.threads.size(); ++t) {
        text += 'T';
        for (const auto& [at, outcome] : x.threads[t].past.chosen) text += fmt::format("{}:{},", at, outcome);
        for (std::size_t i = 0; i < x.threads[t].reads.size(); ++i)
            if (const auto& from = x.threads[t].reads[i].from)
                text += fmt::format("{}<{}.{},", i, from->thread, from->index);
    }
    for (const auto& [location, writes] : x.order) {
        text += fmt::format("L{}:", location);
        for (const auto& w : writes) text += fmt::format("{}.{},", w.id.thread, w.id.index);
    }
    return text;
}

std::string difference(const simulation& expected, const simulation& found) {
    std::map<std::vector<value>, std::uint64_t> a, b;
    for (const state& s : expected.states) a[s.values] = s.executions;
    for (const state& s : found.states) b[s.values] = s.executions;
    if (a == b) return "";
    std::string text = fmt::format("simulator {} states, explorer {}\n", a.size(), b.size());
    for (const state& s : expected.states)
        if (b.count(s.values) == 0 || b[s.values] != s.executions)
            text += fmt::format("simulator {} x {}, explorer {}\n", s.executions, state_text(expected, s),
                                b.count(s.values) ? b[s.values] : 0);
    for (const state& s : found.states)
        if (a.count(s.values) == 0)
            text += fmt::format("explorer only: {} x {}\n", s.executions, state_text(found, s));
    return text;
}

} // namespace

comparison compare_engines(const std::string& name, const std::string& text, const model& m, int unroll,
                           double seconds) {
    using outcome = comparison::outcome;
    comparison c;
    try {
        watch time(seconds);
        const loaded_test loaded = load_test({name, text}, unroll, nullptr, &time);
        limits l;
        l.seconds = seconds;
        if (!loaded.complete) return {outcome::too_long, "", 0, 0, 0, 0, 0};
        const simulation expected = simulate(loaded.text, loaded.what, m, l);
        c.simulator_seconds = expected.seconds;
        std::unordered_set<std::string> seen;
        bool twice = false;
        const explored e = explore_test(loaded.text, unroll, l, [&](const silicon::part_of_execution& x) {
            twice = !seen.insert(identity(x)).second || twice;
        });
        c.explorer_seconds = e.result.seconds;
        c.executions = e.totals.executions;
        c.blocked = e.totals.blocked;
        c.parts = e.totals.parts;
        if (!expected.complete || !e.result.complete) {
            c.what = outcome::too_long;
            return c;
        }
        c.message = difference(expected, e.result);
        if (twice) c.message += "an execution was found twice\n";
        if (expected.thin_air) c.message += "the simulator allows values out of thin air\n";
        if (!c.message.empty()) c.what = outcome::different;
    } catch (const std::runtime_error& error) {
        c.what = outcome::refused;
        c.message = error.what();
    }
    return c;
}

} // namespace ringproof::litmus
