// SPDX-License-Identifier: Apache-2.0
#include "compare.hpp"
#include "../enumerate/search.hpp"
#include "translate.hpp"

#include <ringproof/verify/explore.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace ringproof::litmus::witness {
namespace {

namespace rv = ringproof::verify;
using states = std::set<std::vector<std::int64_t>>;

// At fixed places, as the memory of the program under test is saved and restored.
const executable* subject = nullptr;
ending left;

const model& model_of(const std::string& name) {
    static std::map<std::string, model> models;
    const auto at = models.find(name);
    if (at != models.end()) return at->second;
    cat::setting s;
    s.variants.insert("cxx20"); // the checker's release sequences are those of C++20
    return models.emplace(name, model::load(name, s)).first->second;
}

std::string text_of(const simulation& s, const states& some) {
    std::string text;
    for (const auto& values : some) {
        state one;
        for (const std::int64_t n : values) one.values.push_back({n, -1});
        text += fmt::format("  {}\n", state_text(s, one));
    }
    return text;
}

states without(const states& a, const states& b) {
    states only;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(only, only.end()));
    return only;
}

} // namespace

comparison compare(const loaded_test& t, const std::string& model_name, double seconds) {
    comparison c;
    const bool tso = model_name == "x86-tso";
    if (tso != (t.what.architecture == "X86") && model_name != "sc") {
        c.reason = fmt::format("{} is no model of {} tests", model_name, t.what.architecture);
        return c;
    }
    executable e;
    try {
        e = translate(t);
    } catch (const untranslatable& why) {
        c.reason = why.what();
        return c;
    }
    limits l;
    l.seconds = seconds;
    const simulation simulated = simulate(t.text, t.what, model_of(model_name), l);
    c.simulator_seconds = simulated.seconds;
    states expected;
    for (const state& s : simulated.states) {
        std::vector<std::int64_t> values;
        for (const value& v : s.values) values.push_back(v.number);
        expected.insert(values);
    }

    subject = &e;
    states found;
    rv::exploration_options options;
    options.model = tso                  ? rv::memory_model::tso
                    : model_name == "sc" ? rv::memory_model::sc
                                         : rv::memory_model::rc11;
    options.limits.seconds = seconds;
    const question asked(t.text, t.what);
    options.on_complete = [&] {
        std::vector<std::int64_t> values;
        for (const executable::place& p : e.shown)
            values.push_back(p.thread < 0 ? left.memory[p.index]
                                          : static_cast<std::int32_t>(
                                                left.registers[static_cast<std::size_t>(p.thread)][p.index]));
        std::vector<value> seen;
        for (const std::int64_t n : values) seen.push_back({n, -1});
        if (!asked.filter || asked.filtered_in(seen)) found.insert(values);
    };
    const rv::exploration_result r = rv::explore([] { run_once(*subject, left); }, options);
    c.checker_seconds = r.seconds;
    c.executions = r.executions;
    c.states = found.size();
    if (!simulated.complete || r.stopped) {
        c.reason = "the time ran out";
        return c;
    }
    c.what = comparison::verdict::differ;
    const bool race = r.error.kind == rv::failure_kind::data_race;
    if (r.error.kind != rv::failure_kind::nothing && !race) {
        c.reason = "the checker stopped: " + r.error.message;
        return c;
    }
    // Our sc.cat says nothing of races; the checker's sc looks for them by happens-before.
    const bool expected_race = simulated.flags.count("undefined:race") != 0;
    if (race && model_name == "sc") {
        c.what = comparison::verdict::skipped;
        c.reason = "a data race";
        return c;
    }
    if (race && !expected_race && asked.filter) { // the checker stops at a race, whatever the filter
        c.what = comparison::verdict::skipped;
        c.reason = "a data race that the filter leaves out";
        return c;
    }
    if (race != expected_race) {
        c.reason = race ? "only the checker finds a data race" : "only the simulator finds a data race";
        return c;
    }
    c.race = race;
    if (!race && found != expected) {
        c.reason = fmt::format("final states\nonly the simulator's:\n{}only the checker's:\n{}",
                               text_of(simulated, without(expected, found)),
                               text_of(simulated, without(found, expected)));
        return c;
    }
    c.what = comparison::verdict::agree;
    return c;
}

} // namespace ringproof::litmus::witness
