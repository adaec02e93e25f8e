// SPDX-License-Identifier: Apache-2.0
// From an exploration to a verdict: what its figures allow to be said, and no more.

#include "../program/base.hpp"
#include "../program/facts.hpp"
#include "../program/memory_use.hpp"
#include "../trace/token.hpp"
#include "outcome.hpp"

#include <ringproof/verify/sampling.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace ringproof::verify {
namespace {

bool refutes(failure_kind kind) {
    switch (kind) {
    case failure_kind::nothing:
    case failure_kind::mixed_size:
    case failure_kind::nondeterminism:
    case failure_kind::limit:
    case failure_kind::unsupported:
        return false;
    default:
        return true;
    }
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
    return text;
}

/// Searches again: whatever differs is not of the program's own making.
void compare_with_second(exploration_result& first, const subject& what, exploration_options exploring) {
    if (first.stopped || first.error.kind != failure_kind::nothing) return;
    exploring.on_progress = nullptr;
    const exploration_result second = explore(what.body, exploring);
    if (second.stopped || (first.executions == second.executions && first.blocked == second.blocked &&
                           first.digest == second.digest && second.error.kind == failure_kind::nothing))
        return;
    first.error.kind = failure_kind::nondeterminism;
    first.error.message = fmt::format("the program is not deterministic: a second search found {} complete "
                                      "and {} blocked executions{}, the "
                                      "first one {} and {}; it depends on an address, a time or a random "
                                      "number that the checker does not control",
                                      second.executions, second.blocked,
                                      first.executions == second.executions ? " with other values" : "",
                                      first.executions, first.blocked);
}

/// What raced, for another process: data of libraries are left out, as these lie elsewhere there.
std::vector<raced_place> in_token(const std::vector<raced_granule>& raced) {
    std::vector<raced_place> places;
    for (const raced_granule& g : raced)
        if (in_executable(g.address))
            places.push_back({g.address - program_base(), true, g.unit});
        else
            places.push_back({g.address, false, g.unit});
    return places;
}

std::vector<raced_granule> here(const std::vector<raced_place>& places) {
    std::vector<raced_granule> raced;
    for (const raced_place& p : places) raced.push_back({p.at + (p.in_program ? program_base() : 0), p.unit});
    return raced;
}

/// Replays the failing execution, as a replay sees more of it: plain accesses, and who called what.
counterexample explained(const subject& what, const outcome& o, const command_options& command,
                         const symbols& names) {
    exploration_options options;
    options.limits = limits_of(command, what);
    options.limits.leaks = o.result.error.kind == failure_kind::leak;
    options.model = o.model;
    options.raced = o.result.raced;
    const exploration_result again = replay(what.body, o.result.steps, options);
    const bool same = again.error.kind == o.result.error.kind && again.error.site == o.result.error.site;
    counterexample example = explain(same ? again : o.result, o.model, names);
    example.replay = encode({name_hash(what.name), o.model, o.result.steps, in_token(o.result.raced)});
    return example;
}

void judge(outcome& o, const subject& what, const command_options& options, const symbols& names) {
    const exploration_result& r = o.result;
    if (refutes(r.error.kind)) {
        o.verdict = verdict::refuted;
    } else if (r.error.kind == failure_kind::limit) {
        o.verdict = verdict::inconclusive;
        o.message = fmt::format("{}, {} at {}", r.error.message, thread_name(r.error.thread),
                                place_text(r.error.site, names));
    } else if (r.error.kind != failure_kind::nothing) {
        o.verdict = verdict::error;
        o.bad_input = r.error.kind != failure_kind::nondeterminism;
        o.message = r.error.message;
    } else if (r.walks > 0) {
        o.verdict = verdict::inconclusive;
        o.message =
            fmt::format("no error in {} random executions{}, {} of them complete; these are not all", r.walks,
                        options.depth > 0 ? fmt::format(" by priorities (PCT, depth {})", options.depth) : "",
                        r.executions);
        if (r.stopped) o.message += "; ended by " + r.stopped_by;
    } else if (r.stopped) {
        o.verdict = verdict::inconclusive;
        o.message = "ended by " + r.stopped_by;
        if (r.has_learnt)
            o.message +=
                ", which the other parts do not know: the whole search is to be divided anew. It is what "
                "--checkpoint writes of this part";
        if (r.busiest != 0)
            o.message += fmt::format("; a thread went round {} or more times at {}: --rounds N bounds that",
                                     r.busiest_rounds, place_text(r.busiest, names));
        if (const std::string blocked = blocked_text(r, names); !blocked.empty())
            o.message += fmt::format(
                "; {}: --pct 3 --random 10000 completes executions, --rounds N bounds loops", blocked);
    } else if (!r.bounds.empty() || !r.cut_at.empty()) {
        o.verdict = verdict::inconclusive;
        o.message = "bounds cut executions short: " + joined(bounds_met(r, options, names));
    } else if (!o.part.empty()) {
        o.verdict = verdict::inconclusive;
        const part_link& part = o.part.back();
        o.message = fmt::format("part {} of {}: no error; the verdict is `ringproof merge`'s", part.number,
                                part.parts);
    } else if (r.executions == 0) {
        o.verdict = verdict::inconclusive;
        o.message =
            fmt::format("no execution was complete ({} were blocked), so nothing was shown", r.blocked);
    } else if (const std::string open = open_text(o.assumptions); !open.empty()) {
        o.verdict = verdict::inconclusive;
        o.message = open;
    } else {
        o.verdict = verdict::verified;
    }
    if (o.verdict != verdict::verified || o.expected != verdict::verified) return;
    for (const std::string& wanted : what.options.covers)
        if (r.covered.count(wanted) == 0) o.unmet.push_back(wanted);
    if (!o.unmet.empty()) {
        o.verdict = verdict::refuted;
        o.message = "no execution met what the scenario requires: " + joined(o.unmet);
    }
}

} // namespace

std::vector<std::string> bounds_met(const exploration_result& r, const command_options& options,
                                    const symbols& names) {
    std::vector<std::string> all = r.bounds;
    for (const std::uintptr_t site : r.cut_at) {
        const std::string text = fmt::format("loop bound {} at {}", options.rounds, place_text(site, names));
        if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
    }
    return all;
}

std::string blocked_text(const exploration_result& r, const symbols& names) {
    constexpr std::uint64_t few = 1000, times = 10;
    const auto most = std::max_element(r.blocked_at.begin(), r.blocked_at.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (r.blocked < few || r.blocked / times < r.executions || most == r.blocked_at.end()) return "";
    return fmt::format("{} of {} blocked branches wait at {}", most->second, r.blocked,
                       place_text(most->first, names));
}

std::string among(const exploration_result& r) {
    const auto events = [](std::size_t n) { return fmt::format("{} event{}", n, n == 1 ? "" : "s"); };
    std::string text = events(r.steps.size());
    text += r.failing > 1 ? fmt::format("; the shortest of {} executions met that fail", r.failing)
                          : "; no other was met that fails";
    if (r.stopped) text += "; ended by " + r.stopped_by;
    return text;
}

std::string unseen_text(const subject& what) {
    return "inline assembly, or an atomic operation that the compiler does not instrument, reads, writes or "
           "orders memory out of the checker's sight, at " +
           what.unseen;
}

bool outcome::part_holds() const {
    return !part.empty() && verdict == verdict::inconclusive && !result.stopped &&
           result.error.kind == failure_kind::nothing;
}

std::vector<std::string> outcome::own_properties() const {
    std::vector<std::string> all;
    if (!races_ignored()) all.emplace_back("races");
    all.emplace_back("memory errors");
    if (!waits_ignored()) all.emplace_back("deadlocks");
    return all;
}

bool outcome::ok() const {
    if (part_holds()) return true;
    if (expected && verdict == verdict::refuted && *expected == verdict::refuted) {
        const auto& kinds = what->options.errors;
        return kinds.empty() ||
               std::find(kinds.begin(), kinds.end(), kind_name(result.error.kind)) != kinds.end();
    }
    if (expected) return verdict == *expected;
    return verdict == verdict::verified || verdict == verdict::refuted;
}

std::string_view verdict_name(verdict v) {
    switch (v) {
    case verdict::verified:
        return "verified";
    case verdict::refuted:
        return "refuted";
    case verdict::inconclusive:
        return "inconclusive";
    case verdict::skipped:
        return "skipped";
    case verdict::error:
        return "error";
    }
    return "";
}

exploration_limits limits_of(const command_options& options, const subject& what) {
    const auto explores = [](const std::string& asked) {
        return asked == "always"  ? exploring::always
               : asked == "never" ? exploring::never
                                  : exploring::when_told;
    };
    exploration_limits limits;
    limits.rounds = options.rounds;
    if (options.max_events > 0) limits.execution_events = options.max_events;
    limits.spurious = explores(options.spurious);
    limits.reuse = explores(options.reuse);
    limits.leaks = options.leaks || what.options.leaks;
    limits.unfair = options.unfair || what.options.unfair;
    limits.races_go_on = options.races_go_on;
    limits.races_ignored = options.races_ignored;
    limits.hangs_refute = options.liveness;
    limits.reduce.symmetry = limits.reduce.commuting_update = true;
    limits.reduce.allocating_iteration = is_assumed(assumption::allocating_iteration, what, options);
    for (const std::string& name : options.not_reduced) limits.reduce.*find_reduction(name)->member = false;
    return limits;
}

/// What the command line says of the whole search.
static exploration_options exploring_of(const subject& what, memory_model model,
                                        const command_options& options) {
    exploration_options exploring;
    exploring.model = model;
    exploring.jobs = options.jobs;
    exploring.digest = options.check_determinism;
    exploring.limits = limits_of(options, what);
    exploring.limits.seconds = options.seconds;
    exploring.limits.executions = options.executions;
    constexpr std::uint64_t mebi = 1024 * 1024;
    exploring.limits.memory =
        (options.max_memory > 0 ? options.max_memory * mebi : memory_available() / 4 * 3) /
        std::max(options.jobs, 1u);
    exploring.limits.divide = options.divide;
    exploring.limits.resumable = !options.checkpoint.empty();
    exploring.limits.shown = options.shown;
    exploring.limits.shortest = options.shortest;
    exploring.limits.shorter_steps = options.shorter_steps;
    return exploring;
}

/// Makes what --show-executions prints, until it is interrupted; of a search that was interrupted all that it has found.
/// @return whether that is all
static bool show_all(outcome& o, const symbols& names) {
    const bool search_interrupted = search_facts::interrupted;
    for (const auto& history : o.result.shown) {
        if (search_facts::interrupted && !search_interrupted) return false;
        o.shown.push_back(show(history, o.model, names));
    }
    return true;
}

outcome run(const subject& what, memory_model model, const command_options& options, const symbols& names,
            command::progress& progress, const exploration_result* earlier, const part_of_search& part) {
    outcome o;
    o.part = part;
    o.what = &what;
    o.model = model;
    const auto& named = what.options.models;
    if (what.options.expect == verdict::verified ||
        std::find(named.begin(), named.end(), model) != named.end())
        o.expected = what.options.expect;
    exploration_options exploring = exploring_of(what, model, options);
    exploring.resume = earlier;
    exploring.part = !part.empty();
    const std::uint64_t executions_before = earlier ? earlier->executions : 0;
    const double seconds_before = earlier ? earlier->seconds : 0;
    std::string blocked;
    double blocked_until = 0; // seconds
    exploring.on_progress = [&](const exploration_result& r) {
        double fraction = r.fraction;
        const auto or_sooner = [&](double done, double limit) {
            if (limit > 0) fraction = std::max(fraction, done / limit);
        };
        or_sooner(static_cast<double>(r.executions - executions_before),
                  static_cast<double>(options.executions));
        or_sooner(r.seconds - seconds_before, options.seconds);
        or_sooner(static_cast<double>(r.walks), static_cast<double>(options.random));
        std::string done = fmt::format("{} [{}]: {} executions", what.name, model_name(model), r.executions);
        if (r.seconds > blocked_until) { // its place takes a look at debug information
            blocked = blocked_text(r, names);
            blocked_until = r.seconds + 1;
        }
        if (!blocked.empty()) done += ", " + blocked;
        progress.update(std::min(fraction, 1.0), done);
    };
    if (options.depth > 0)
        o.result = explore_by_priorities(what.body, options.random, options.depth, options.seed, exploring);
    else if (options.random > 0)
        o.result = explore_randomly(what.body, options.random, options.seed, exploring);
    else
        o.result = explore(what.body, exploring);
    if (o.result.misfit)
        throw std::invalid_argument(
            fmt::format("the checkpoint cannot be resumed: the search of '{}' under {} stood at a place "
                        "that is not in this program (or the program is not deterministic, as "
                        "--check-determinism tells)",
                        what.name, model_name(model)));
    if (options.check_determinism) compare_with_second(o.result, what, exploring);
    const bool all_shown = show_all(o, names);
    const failure_kind kind = o.result.error.kind;
    o.interrupted =
        search_facts::interrupted && (o.result.stopped || kind == failure_kind::limit || !all_shown);
    o.assumptions = ledger_of(what, o.result, options, names);
    o.blocked = blocked_text(o.result, names);
    if (!part.empty()) {
        o.bounds = bounds_met(o.result, options, names);
        for (const auto& [site, loop] : o.result.counting)
            o.loops.push_back({place_text(site, names), loop.endless, loop.left});
    }
    judge(o, what, options, names);
    if (kind != failure_kind::nothing && kind != failure_kind::limit && !o.result.steps.empty())
        o.example = explained(what, o, options, names);
    if (o.example && options.shortest) o.among = among(o.result);
    if (o.example && !o.message.empty()) o.message = o.example->message; // which knows the place
    return o;
}

outcome run_token(const subject& what, const replay_token& token, const command_options& command,
                  const symbols& names) {
    outcome o;
    o.what = &what;
    o.model = token.model;
    exploration_options options;
    options.model = token.model;
    options.raced = here(token.raced);
    options.limits = limits_of(command, what);
    o.result = replay(what.body, token.steps, options);
    if (o.result.error.kind == failure_kind::nondeterminism)
        throw std::invalid_argument(o.result.error.message + "; was it compiled anew since?");
    o.expected = verdict::verified;
    if (o.result.error.kind == failure_kind::nothing)
        throw std::invalid_argument(
            "the token's execution no longer fails: was the program changed since, or is "
            "it to be run with --leaks or --unfair?");
    judge(o, what, {}, names);
    o.example = explain(o.result, token.model, names);
    o.example->replay = encode(token);
    return o;
}

} // namespace ringproof::verify
