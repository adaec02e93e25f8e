// SPDX-License-Identifier: Apache-2.0
#include "compare.hpp"
#include "../enumerate/report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace ringproof::litmus::compiled {
namespace {

const shared_variable* variable_of(const unit& u, const location& l) {
    const auto at = std::find_if(u.variables.begin(), u.variables.end(),
                                 [&](const shared_variable& v) { return v.from == l; });
    return at == u.variables.end() ? nullptr : &*at;
}

/// A value as the other side writes it: numbers have the width of the variable's type.
std::string written(const value& v, const std::vector<std::string>& locations, const std::string& type) {
    if (v.is_address())
        return fmt::format("{}+{}", locations[static_cast<std::size_t>(v.location)], v.number);
    if (type == "int") return std::to_string(static_cast<std::int32_t>(v.number));
    if (type == "int16_t") return std::to_string(v.number & 0xffff);
    if (type == "int8_t") return std::to_string(v.number & 0xff);
    return std::to_string(v.number);
}

/// The proposition that holds in this state only.
proposition exactly(const std::vector<location>& shown, const std::vector<value>& values,
                    const std::vector<std::string>& locations) {
    proposition all;
    all.what = proposition::kind::conjunction;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        proposition one;
        one.what = proposition::kind::equal;
        one.left = shown[i];
        one.number = values[i].number;
        if (values[i].is_address()) one.symbol = locations[static_cast<std::size_t>(values[i].location)];
        all.parts.push_back(one);
    }
    if (all.parts.empty()) all.what = proposition::kind::constant;
    return all;
}

/// "P1 reads 0 from [x] (line 7: ldr w0,[x19]; written by P0, line 5)"
std::string event_line(const execution& x, std::size_t e, const test& t) {
    const execution::event& event = x.events[e];
    const std::size_t line = syntax_error(t.from, event.offset, "").line();
    std::string code =
        t.from.text.substr(event.offset, t.from.text.find_first_of("|;\n", event.offset) - event.offset);
    while (!code.empty() && code.back() == ' ') code.pop_back();
    std::string what =
        event.kind == "F" ? std::string("F") : fmt::format("{} [{}]", event.kind, event.location);
    if (!event.loaded.empty()) what += "=" + event.loaded;
    if (!event.stored.empty()) what += (event.loaded.empty() ? "=" : ", ") + event.stored;
    for (const auto& [name, pairs] : x.relations)
        if (name == "rf")
            for (const auto& [from, to] : pairs)
                if (to == e)
                    what += x.events[from].thread < 0
                                ? std::string(", the initial value")
                                : fmt::format(", from P{} line {}", x.events[from].thread,
                                              syntax_error(t.from, x.events[from].offset, "").line());
    return fmt::format("  P{} line {}: {:<28} {}\n", event.thread, line, code, what);
}

class comparer {
  public:
    comparer(const source_side& source, const unit& u, const limits& l)
        : source_(source), unit_(u), limits_(l) {}

    comparison run(const std::string& text, const model& machine, const model& source_model, int unroll) {
        comparison c;
        c.machine_test = text;
        watch time(limits_.seconds, limits_.interrupted);
        const loaded_test loaded = load_test({"", text}, unroll, nullptr, &time);
        const simulation s = loaded.complete ? simulate(loaded.text, loaded.what, machine, limits_)
                                             : not_simulated(loaded.text, unroll);
        c.seconds = s.seconds;
        c.states = s.states.size();
        const std::vector<std::size_t> places = places_in(s);
        std::optional<state> first;
        std::set<std::vector<std::string>> seen;
        for (const state& one : s.states) {
            std::vector<std::string> values;
            for (std::size_t i = 0; i < places.size(); ++i)
                values.push_back(written(one.values[places[i]], s.locations, type_of(i)));
            if (!seen.insert(values).second) continue;
            c.machine_states.push_back(in_words(values));
            if (source_.states.count(values) != 0) continue;
            c.forbidden.push_back(c.machine_states.back());
            if (!first) first = one;
        }
        judge(c, s, loaded);
        if (c.verdict == "refuted" && first) explain(c, loaded, machine, source_model, s, *first, places);
        return c;
    }

  private:
    /// Where the values of the source's shown locations stand in the machine's states.
    std::vector<std::size_t> places_in(const simulation& s) const {
        std::vector<std::size_t> places;
        for (const location& l : source_.allowed.shown) {
            const shared_variable* const v = variable_of(unit_, l);
            const auto at = std::find_if(s.shown.begin(), s.shown.end(), [&](const location& shown) {
                return v && !shown.is_register() && shown.name == v->name;
            });
            if (at == s.shown.end())
                throw std::runtime_error(fmt::format("{} is not shown by the compiled test", l.printed()));
            places.push_back(static_cast<std::size_t>(at - s.shown.begin()));
        }
        return places;
    }

    std::string type_of(std::size_t shown) const {
        const shared_variable* const v = variable_of(unit_, source_.allowed.shown[shown]);
        return v ? v->type : std::string();
    }

    std::string in_words(const std::vector<std::string>& values) const {
        std::string text;
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::string one = values[i];
            if (one.ends_with("+0") && one.size() > 2) one.resize(one.size() - 2);
            text += fmt::format("{}{}={};", i != 0 ? " " : "", source_.allowed.shown[i].printed(), one);
        }
        return text;
    }

    void judge(comparison& c, const simulation& s, const loaded_test& loaded) const {
        c.verdict = "inconclusive";
        const bool cut = s.bounded && unit_.loops;
        if (!source_.undefined.empty()) {
            c.verdict = "skipped";
            c.message =
                fmt::format("the test has undefined behaviour ({}): any outcome is right", source_.undefined);
        } else if (!source_.allowed.complete) {
            c.message =
                fmt::format("the simulation of the source did not end: {}", source_.allowed.stopped_by);
        } else if (!c.forbidden.empty() && source_.allowed.bounded) {
            c.message = "an outcome of the compiled code may need more rounds of the source's loops than "
                        "--unroll allows";
        } else if (!c.forbidden.empty() && source_.allowed.thin_air) {
            c.message =
                "the source's model allows executions whose values only justify each other: not compared";
        } else if (!c.forbidden.empty()) {
            c.verdict = "refuted";
            c.message =
                fmt::format("{} of {} outcomes that the machine allows are forbidden by the source's model",
                            c.forbidden.size(), c.machine_states.size());
        } else if (!s.complete || !loaded.complete) {
            c.message = fmt::format("the simulation of the compiled code did not end: {}", s.stopped_by);
        } else if (s.states.empty()) {
            c.message = "no execution of the compiled code ends within --unroll rounds of its loops";
        } else {
            c.verdict = "consistent";
            c.message = fmt::format("{} of the source's {} outcomes, no other{}", c.machine_states.size(),
                                    source_.states.size(),
                                    cut ? fmt::format(" (loops go round at most {} times)", s.unroll) : "");
        }
    }

    /// Of one outcome: the check of the source's model that forbids it, and the execution of the machine that has it.
    void explain(comparison& c, const loaded_test& loaded, const model& machine, const model& source_model,
                 const simulation& s, const state& one, const std::vector<std::size_t>& places) const {
        limits l = limits_;
        l.seconds = l.seconds > 0 ? std::min(l.seconds, 5.0) : 5;
        l.why = true;
        test asked = source_.loaded.text;
        asked.final.how = condition::quantifier::exists;
        std::vector<value> values; // locations have their names on both sides
        for (const std::size_t at : places) values.push_back(one.values[at]);
        asked.final.what = exactly(source_.allowed.shown, values, s.locations);
        asked.filter.reset();
        c.explanation = fmt::format("The source forbids {}\n", c.forbidden.front()) +
                        why_text(asked, simulate(asked, source_.loaded.what, source_model, l));
        l.why = false;
        l.keep = 1;
        test reached = loaded.text;
        reached.final.how = condition::quantifier::exists;
        reached.final.what = exactly(s.shown, one.values, s.locations);
        reached.filter.reset();
        const simulation shown = simulate(reached, loaded.what, machine, l);
        if (shown.executions.empty() || !shown.executions.front().witness) return;
        c.explanation += "The machine allows it:\n";
        const execution& x = shown.executions.front();
        for (std::size_t e = 0; e < x.events.size(); ++e)
            if (x.events[e].thread >= 0) c.explanation += event_line(x, e, reached);
    }

    const source_side& source_;
    const unit& unit_;
    const limits& limits_;
};

} // namespace

source_side simulate_source(loaded_test loaded, const unit& u, const model& m, const limits& l) {
    source_side s;
    s.loaded = std::move(loaded);
    s.allowed = s.loaded.complete ? simulate(s.loaded.text, s.loaded.what, m, l)
                                  : not_simulated(s.loaded.text, s.loaded.what.unroll);
    for (const std::string& flag : s.allowed.flags) // "undefined:race", or the kernel model's "data-race"
        s.undefined = flag.substr(flag.find(':') + 1);
    for (const state& one : s.allowed.states) {
        std::vector<std::string> values;
        for (std::size_t i = 0; i < one.values.size(); ++i) {
            const shared_variable* const v = variable_of(u, s.allowed.shown[i]);
            values.push_back(written(one.values[i], s.allowed.locations, v ? v->type : ""));
        }
        s.states.insert(std::move(values));
    }
    return s;
}

comparison compare(const source_side& source, const unit& u, const std::string& test, const model& machine,
                   const model& source_model, const limits& l, int unroll) {
    return comparer(source, u, l).run(test, machine, source_model, unroll);
}

} // namespace ringproof::litmus::compiled
