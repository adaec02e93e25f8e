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
    if (s.complete && !nothing_ended(s)) j["observation"] = observation(s.positive, s.negative);
    return j;
}

} // namespace ringproof::litmus
