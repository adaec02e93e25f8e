// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ringproof::litmus {
namespace {

constexpr std::string_view undefined_prefix = "undefined:";

bool is_undefined(const std::string& flag) {
    return flag.compare(0, undefined_prefix.size(), undefined_prefix) == 0;
}

/// Whether the loop bound left no execution at all: then nothing is known.
bool nothing_ended(const simulation& s) { return s.bounded && s.positive + s.negative == 0; }

/// Whether executions out of thin air, which are not counted, could change what is said of the condition.
bool thin_air_decides(const test& t, const simulation& s) {
    const bool for_all = t.final.how == condition::quantifier::forall;
    return s.thin_air && (for_all ? s.negative == 0 && s.thin_air_outlook.can_fail
                                  : s.positive == 0 && s.thin_air_outlook.can_hold);
}

std::string check_name(const why_not& why) { return why.check.empty() ? "(unnamed)" : why.check; }

std::string value_text(const execution::event& e) {
    if (e.kind == "U") return e.loaded + "," + e.stored;
    return e.kind == "R" ? e.loaded : e.stored;
}

/// "P0 line 5: W [x]=1"
std::string event_text(const why_not& why, const test& t, std::size_t event) {
    const execution::event& e = why.rejected.events[event];
    const std::string access =
        e.location.empty() ? e.kind : fmt::format("{} [{}]={}", e.kind, e.location, value_text(e));
    if (e.thread < 0) return fmt::format("initial [{}]={}", e.location, e.stored);
    return fmt::format("P{} line {}: {}", e.thread, syntax_error(t.from, e.offset, "").line(), access);
}

nlohmann::ordered_json to_json(const why_not& why, const test& t) {
    nlohmann::ordered_json cycle = nlohmann::ordered_json::array();
    for (const cycle_step& one : why.cycle)
        cycle.push_back({{"from", event_text(why, t, one.from)},
                         {"relation", one.relation},
                         {"to", event_text(why, t, one.to)}});
    return {{"check", check_name(why)}, {"test", why.test}, {"cycle", std::move(cycle)}};
}

} // namespace

std::string verdict(const test& t, const simulation& s) {
    const bool asks = t.final.how == condition::quantifier::exists;
    const bool met = validated(t.final.how, s.positive, s.negative);
    if (nothing_ended(s)) return "inconclusive";
    // One execution is enough to refute a claim, however many were not looked at.
    if (!asks && !met) return "refuted";
    if (!s.complete) return asks && met ? "observed" : "inconclusive";
    if (thin_air_decides(t, s)) return "inconclusive";
    return asks ? "observed" : "consistent";
}

std::string why_text(const test& t, const simulation& s) {
    if (s.nothing_to_explain)
        return fmt::format("WhyNot {} no path through the threads gives these values, whatever the model\n",
                           t.name);
    if (!s.why) return "";
    std::string text =
        fmt::format("WhyNot {} check {} ({}) of the model fails\n", t.name, check_name(*s.why), s.why->test);
    for (const cycle_step& one : s.why->cycle)
        text += fmt::format("  {} --{}-> {}\n", event_text(*s.why, t, one.from), one.relation,
                            event_text(*s.why, t, one.to));
    return text;
}

std::string to_log(const test& t, const std::string& model, const simulation& s) {
    using quantifier = condition::quantifier;
    const quantifier how = t.final.how;
    const char* kind = how == quantifier::exists   ? "Allowed"
                       : how == quantifier::forall ? "Required"
                                                   : "Forbidden";
    std::string log = fmt::format("Test {} {}\nStates {}\n", t.name, kind, s.states.size());
    for (const state& one : s.states) log += state_text(s, one) + "\n";
    const bool ok = validated(how, s.positive, s.negative);
    // As in the hardware's log: witnesses are of the condition, the observation is of its proposition.
    const bool swapped = how == quantifier::not_exists;
    log += fmt::format("{}\nWitnesses\nPositive: {} Negative: {}\n", ok ? "Ok" : "No",
                       swapped ? s.negative : s.positive, swapped ? s.positive : s.negative);
    for (const std::string& flag : s.flags)
        log += is_undefined(flag) ? fmt::format("Undefined {}\n", flag.substr(undefined_prefix.size()))
                                  : fmt::format("Flag {}\n", flag);
    log += fmt::format("Condition {}\n", to_string(t.final));
    if (nothing_ended(s))
        log += fmt::format("Observation {} Inconclusive 0 0 (no execution ends within the bound)\n", t.name);
    else if (s.complete)
        log += fmt::format("Observation {} {} {} {}\n", t.name, observation(s.positive, s.negative),
                           s.positive, s.negative);
    else
        log += fmt::format("Observation {} Inconclusive {} {} ({})\n", t.name, s.positive, s.negative,
                           s.stopped_by);
    if (s.thin_air)
        log += fmt::format(
            "ThinAir {} the model allows executions whose values only justify each other; they are "
            "not counted{}\n",
            t.name, thin_air_decides(t, s) ? ", and one could decide the condition: inconclusive" : "");
    if (s.bounded) log += fmt::format("Bound {} loops went round at most {} times\n", t.name, s.unroll);
    log += why_text(t, s);
    return log + fmt::format("Model {}\nTime {} {:.2f}\n", model, t.name, s.seconds);
}

nlohmann::ordered_json to_json(const test& t, const std::string& model, const simulation& s) {
    using json = nlohmann::ordered_json;
    json states = json::array(), flags = json::array();
    for (const state& one : s.states)
        states.push_back(
            {{"state", state_text(s, one)}, {"count", one.executions}, {"witness", one.witness}});
    for (const std::string& flag : s.flags) flags.push_back(flag);
    const std::string found = verdict(t, s);
    json j = {{"name", t.name},
              {"file", t.from.file},
              {"dialect", t.dialect},
              {"engine", "simulator"},
              {"model", model},
              {"condition", to_string(t.final)},
              {"observation", nullptr},
              {"validated", validated(t.final.how, s.positive, s.negative)},
              {"states", std::move(states)},
              {"positive", s.positive},
              {"negative", s.negative},
              {"candidates", s.candidates},
              {"flags", std::move(flags)},
              {"thin_air",
               {{"allowed", s.thin_air},
                {"could_satisfy", s.thin_air && s.thin_air_outlook.can_hold},
                {"could_violate", s.thin_air && s.thin_air_outlook.can_fail}}},
              {"bounds", {{"unroll", s.unroll}, {"reached", s.bounded}}},
              {"seconds", s.seconds},
              {"threads", t.threads.size()},
              {"verdict", found},
              {"ok", found != "refuted"}};
    if (s.why) j["why_not"] = to_json(*s.why, t);
    if (s.complete && !nothing_ended(s)) j["observation"] = observation(s.positive, s.negative);
    return j;
}

} // namespace ringproof::litmus
