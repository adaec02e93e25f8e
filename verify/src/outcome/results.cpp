// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"
#include "../division/stored_hidden.hpp"
#include "../graph/clock.hpp"
#include "../linear/registry.hpp"
#include "../program/base.hpp"
#include "invocation.hpp"
#include "report.hpp"

#include <ringproof/command/repository.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace ringproof::verify {
namespace {

using command::json;

json text_or_null(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }

json pairs(const counterexample::pairs& relation) {
    json all = json::array();
    for (const auto& [from, to] : relation) all.push_back({from, to});
    return all;
}

/// The events of an execution, and those among them that are to blame.
json events_of(const counterexample& example, json& culprits) {
    json events = json::array();
    for (std::size_t i = 0; i < example.events.size(); ++i) {
        const shown_event& e = example.events[i];
        const std::size_t id = i + 1;
        if (e.culprit) culprits.push_back(id);
        json event{{"id", id},
                   {"thread", e.thread},
                   {"kind", kind_name(e.kind)},
                   {"location", text_or_null(e.location)},
                   {"value", text_or_null(e.value)},
                   {"order", text_or_null(e.order)},
                   {"label", e.label},
                   {"file", text_or_null(command::path_in_results(e.source.file))},
                   {"line", e.source.line > 0 ? json(e.source.line) : json(nullptr)}};
        for (const source_position& p : e.callers)
            event["callers"].push_back({{"file", command::path_in_results(p.file)},
                                        {"line", p.line},
                                        {"function", text_or_null(p.function)}});
        event["rf"] = e.rf == shown_event::nowhere ? json(nullptr) : json(e.rf);
        if (e.misses != shown_event::nowhere) event["misses"] = e.misses;
        events.push_back(std::move(event));
    }
    return events;
}

json relations_of(const counterexample& example) {
    return {{"po", pairs(example.po)},
            {"rf", pairs(example.rf)},
            {"co", pairs(example.co)},
            {"fr", pairs(example.fr)},
            {"sw", pairs(example.sw)}};
}

json to_json(const counterexample& example) {
    json culprits = json::array();
    const json events = events_of(example, culprits);
    return {{"kind", example.kind}, {"message", example.message},         {"events", events},
            {"culprits", culprits}, {"relations", relations_of(example)}, {"replay", example.replay}};
}

json to_json(const shown_execution& shown) {
    json culprits, final_state = json::object();
    for (const auto& [location, value] : shown.final_state) final_state[location] = value;
    return {{"events", events_of(shown.execution, culprits)},
            {"relations", relations_of(shown.execution)},
            {"final", final_state}};
}

json to_json(const linear::registered_test& t) {
    json history{{"promise", linear::promise_name(t.of().options.promise)},
                 {"clients", t.clients().size()},
                 {"threads", t.bounds().threads},
                 {"calls", t.bounds().calls},
                 {"synchronisations", t.bounds().waits},
                 {"specification", static_cast<bool>(t.of().allows)},
                 {"may_fail", json::array()},
                 {"one_thread", json::array()}};
    if (t.in_all() != 0) history["in_all"] = t.in_all();
    if (t.of().options.promise == linear::promise::wait_free) history["steps"] = t.of().options.steps;
    for (const linear::operation& o : t.of().operations) {
        if (o.may_fail) history["may_fail"].push_back(o.name);
        if (o.one_thread) history["one_thread"].push_back(o.name);
    }
    return history;
}

json bounds_of(const command_options& options) {
    const exploration_limits defaults;
    // No other bound than that of an execution.
    const std::uint64_t most_events = options.max_events > 0 ? options.max_events : defaults.execution_events;
    json bounds{{"spins", defaults.spins}, {"threads", max_threads}, {"thread events", most_events}};
    if (options.seconds > 0) bounds["seconds"] = options.seconds;
    if (options.executions > 0) bounds["executions"] = options.executions;
    if (options.rounds > 0) bounds["rounds"] = options.rounds;
    bounds["events"] = most_events;
    return bounds;
}

json assumptions_of(const outcome& o) {
    json assumptions = json::array();
    for (const shown_assumption& a : o.assumptions)
        assumptions.push_back({{"kind", row_of(a.kind).name},
                               {"standing", standing_name(a)},
                               {"place", text_or_null(a.place)},
                               {"times", a.times}});
    return assumptions;
}

json to_json(const outcome& o, const command_options& options, const command_words& command) {
    const exploration_result& r = o.result;
    json result{{"name", o.what->name}, {"model", model_name(o.model)}, {"verdict", verdict_name(o.verdict)}};
    if (o.expected) result["expected"] = verdict_name(*o.expected);
    result["ok"] = o.ok();
    if (!o.message.empty()) result["message"] = o.message;
    if (o.what->options.mutant) result["mutant"] = std::string(1, o.what->options.mutant);
    result["executions"] = r.executions;
    result["permutations"] = std::llround(r.permutations);
    result["blocked"] = r.blocked;
    if (r.blocked_by_assumption > 0) result["blocked_by_assumption"] = r.blocked_by_assumption;
    if (r.discarded > 0) result["discarded"] = r.discarded;
    if (!o.blocked.empty()) result["blocked_at"] = o.blocked;
    result["pruned"] = r.pruned;
    result["events"] = r.events;
    result["longest"] = r.longest;
    result["seconds"] = r.seconds;
    result["bounds"] = bounds_of(options);
    if (const auto* test = linear::find_registered(o.what->name)) result["history"] = to_json(*test);
    if (!options.not_reduced.empty()) result["not_reduced"] = options.not_reduced;
    if (r.walks > 0) result["random"] = {{"executions", r.walks}, {"seed", options.seed}};
    if (r.walks > 0 && options.depth > 0) result["random"]["depth"] = options.depth;
    if (r.failing > 1) result["failing"] = r.failing;
    if (r.processes > 1) result["processes"] = r.processes;
    for (const shown_execution& shown : o.shown) result["shown"].push_back(to_json(shown));
    if (r.stopped) result["stopped_by"] = r.stopped_by;
    result["properties"] = o.own_properties();
    if (o.has_property()) result["properties"].push_back("assertions");
    result["assumptions"] = assumptions_of(o);
    json covered = json::object();
    for (const std::string& wanted : o.what->options.covers) covered[wanted] = false;
    for (const std::string& met : r.covered) covered[met] = true;
    result["covered"] = covered;
    result["file"] = command::path_in_results(o.what->file);
    result["line"] = o.what->line;
    if (const auto& w = o.weakened)
        result["weakened"] = {{"function", w->function}, {"access", w->access},
                              {"from", w->from},         {"to", w->to},
                              {"finding", w->finding},   {"scenario", text_or_null(w->scenario)},
                              {"calls", w->calls},       {"data", text_or_null(w->data)}};
    if (!o.part.empty()) {
        result["part"] = to_json(o.part);
        json loops = json::array();
        for (const shown_counting_loop& loop : o.loops)
            loops.push_back({{"place", loop.place}, {"endless", loop.endless}, {"left", loop.left}});
        result["found"] = {{"learnt", r.has_learnt},
                           {"bounds", o.bounds},
                           {"loops", loops},
                           {"unordered_reads", r.unordered_reads},
                           {"hidden", to_json(r.hidden, place_of)},
                           {"judged", r.judged}};
    }
    result["command"] = command;
    if (!o.example) return result;
    result["counterexample"] = to_json(*o.example);
    // With orders weakened it is another program.
    if (!o.weakened) result["counterexample"]["replay_command"] = user_replay(command, o.example->replay);
    return result;
}

/// The result of a part is put together with the others': it is to be what was written.
json with_checksum_of_part(json result) {
    if (result.contains("part")) result["checksum"] = checksum_of_result(result);
    return result;
}

json document_of(const std::vector<outcome>& outcomes, const command_options& options,
                 const std::vector<std::string>& invocation, const about_results& about) {
    json document = command::make_document("ringproof-verify/1", invocation);
    if (about.interrupted) document["interrupted"] = true;
    if (!about.shard.is_null()) document["shard"] = about.shard;
    // What came from another compiler than the checker has other numbers of executions, too.
    if (const char* compiler = std::getenv("RINGPROOF_CHECK_COMPILER"); compiler && *compiler)
        document["environment"]["program_compiler"] = compiler;
    std::error_code error;
    if (const auto here = std::filesystem::current_path(error); !error)
        document["environment"]["folder"] = command::path_in_results(here.string());
    for (const outcome& o : outcomes)
        document["results"].push_back(with_checksum_of_part(to_json(o, options, invocation)));
    if (!about.opinions.is_null()) document["opinions"] = about.opinions;
    return document;
}

} // namespace

void write_json(const std::vector<outcome>& outcomes, const command_options& options,
                const std::vector<std::string>& invocation, const about_results& about) {
    command::write_document(document_of(outcomes, options, invocation, about), options.json);
}

void write_reports(const std::vector<outcome>& outcomes, const command_options& options,
                   const std::vector<std::string>& invocation, const about_results& about) {
    command_options without_junit = options; // which write_junit() has written, with the executions
    without_junit.junit.clear();
    make_reports(document_of(outcomes, options, invocation, about), without_junit);
}

void write_list(const std::vector<const subject*>& all, const std::string& path) {
    json list{{"schema", "ringproof-scenarios/1"}, {"scenarios", json::array()}};
    for (const subject* s : all) {
        json models = json::array();
        for (const memory_model m : s->options.models) models.push_back(model_name(m));
        json scenario{{"name", s->name},
                      {"models", models},
                      {"expected", verdict_name(s->options.expect)},
                      {"covers", s->options.covers},
                      {"file", command::path_in_results(s->file)},
                      {"line", s->line}};
        if (s->options.mutant) scenario["mutant"] = std::string(1, s->options.mutant);
        list["scenarios"].push_back(std::move(scenario));
    }
    command::write_document(list, path);
}

} // namespace ringproof::verify
