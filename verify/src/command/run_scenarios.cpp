// SPDX-License-Identifier: Apache-2.0
// The command line of a scenario binary, and of a checked program.

#include "../opinions/opinions.hpp"
#include "../outcome/invocation.hpp"
#include "../outcome/report.hpp"
#include "../outcome/results.hpp"
#include "../outcome/silence.hpp"
#include "../program/early_heap.hpp"
#include "../runtime/runtime.hpp"
#include "../trace/token.hpp"
#include "checkpoint.hpp"
#include "console.hpp"
#include "estimates.hpp"
#include "interrupt.hpp"
#include "select.hpp"

#include "../weaken/weaken.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>
#include <ringproof/command/verb.hpp>
#include <ringproof/verify/check.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace ringproof::verify {
namespace {

using command::exit_code;

std::vector<subject>& registry() {
    static std::vector<subject> all;
    return all;
}

/// The first asks for a partial report, the second for the end.
void on_interrupt(int, siginfo_t* signal, void*) {
    static std::atomic<bool> asked[2];
    search_facts::interrupted = true;
    if (asked[is_passed_on(*signal)].exchange(true)) _exit(to_int(exit_code::interrupted));
}

void take_interrupts() {
    struct sigaction interrupt {};
    interrupt.sa_sigaction = on_interrupt;
    interrupt.sa_flags = SA_SIGINFO;
    sigset_t both;
    sigemptyset(&both);
    for (const int signal : {SIGINT, SIGTERM}) {
        sigaction(signal, &interrupt, nullptr);
        sigaddset(&both, signal);
    }
    sigprocmask(SIG_UNBLOCK, &both, nullptr); // `ringproof check` keeps them back until now
}

exit_code code_of(const std::vector<outcome>& outcomes) {
    const auto any = [&](auto condition) { return std::any_of(outcomes.begin(), outcomes.end(), condition); };
    if (any([](const outcome& o) {
            return !o.ok() && (o.verdict == verdict::refuted || o.verdict == verdict::verified);
        }))
        return exit_code::refuted;
    if (any([](const outcome& o) { return o.verdict == verdict::error && !o.bad_input; }))
        return exit_code::internal;
    if (any([](const outcome& o) { return o.verdict == verdict::error; })) return exit_code::usage;
    if (any([](const outcome& o) { return !o.ok(); })) return exit_code::inconclusive;
    return exit_code::holds;
}

std::string token_text(const std::string& argument) {
    if (!argument.starts_with('@')) return argument;
    std::istringstream file(command::read_text(argument.substr(1)));
    std::string text;
    if (!(file >> text)) throw std::invalid_argument(argument.substr(1) + ": no token is in this file");
    return text;
}

/// Two scenarios of one name could not be told apart by a filter or a token.
void refuse_duplicates(const std::vector<subject>& all) {
    std::map<std::string_view, const subject*> seen;
    for (const subject& s : all)
        if (const auto [at, fresh] = seen.emplace(s.name, &s); !fresh)
            throw std::invalid_argument(fmt::format("two scenarios are named '{}': {}:{} and {}:{}", s.name,
                                                    at->second->file, at->second->line, s.file, s.line));
}

void save_token(const std::vector<outcome>& outcomes, const std::string& path) {
    for (const outcome& o : outcomes) {
        if (!o.example) continue;
        command::write_text(o.example->replay + "\n", path);
        fmt::print(stderr, "to see it again: --replay @{}\n", path);
        return;
    }
}

int finish(const std::vector<outcome>& outcomes, const command_options& options,
           const std::vector<std::string>& invocation, const command::json& shard = nullptr,
           const opinions* asked = nullptr) {
    const bool interrupted = search_facts::interrupted;
    const about_results about{interrupted, asked ? to_json(*asked) : command::json(), shard};
    if (!options.json.empty()) write_json(outcomes, options, invocation, about);
    if (!options.junit.empty()) write_junit(outcomes, options.junit);
    if (reports_asked(options)) write_reports(outcomes, options, invocation, about);
    if (!options.save_replay.empty()) save_token(outcomes, options.save_replay);
    if (interrupted) fmt::print(stderr, "interrupted: the results are partial\n");
    if (interrupted) return to_int(exit_code::interrupted);
    if (outcomes.empty()) {
        fmt::print(stderr, "there are fewer searches than shards: this shard has none\n");
        return to_int(exit_code::no_match);
    }
    const exit_code own = code_of(outcomes);
    const int theirs = asked ? code_of(*asked) : to_int(exit_code::holds);
    return own == exit_code::holds || theirs == to_int(exit_code::refuted) ? theirs : to_int(own);
}

int run_replay(const std::vector<subject>& all, const command_options& options, const console& out,
               const std::vector<std::string>& invocation) {
    const replay_token token = decode(token_text(options.replay));
    const auto what = std::find_if(all.begin(), all.end(),
                                   [&](const subject& s) { return name_hash(s.name) == token.scenario; });
    if (what == all.end())
        throw std::invalid_argument("the replay token is of a scenario that is not in this program");
    const symbols names;
    std::vector<outcome> outcomes{run_token(*what, token, options, names)};
    out.print(outcomes.front());
    return finish(outcomes, options, invocation);
}

/// What names the scenarios of a program, if it is not checked itself: main(), or a function in its place.
struct naming {
    bool asked = false, by_main = false;
    void (*by)() = nullptr;
};
naming& names_scenarios() {
    static naming how;
    return how;
}

/// One search to do: a scenario under a model, from the beginning or where a checkpoint has it.
struct work {
    const subject* what;
    memory_model model;
    const exploration_result* earlier = nullptr;
    part_of_search part = {};
};

bool is_at_its_beginning(const exploration_result& r) { return r.positions.empty() && r.lessons.empty(); }

std::vector<work> work_of(const std::vector<const subject*>& chosen, const command_options& options,
                          const std::vector<stopped_search>& stopped) {
    std::vector<work> all;
    if (options.resume.empty()) {
        for (const subject* s : chosen)
            for (const memory_model m : models_for(*s, options)) all.push_back({s, m});
        return all;
    }
    const auto asked = [&](memory_model m) {
        return options.models.empty() || std::any_of(options.models.begin(), options.models.end(),
                                                     [&](const auto& name) { return name == model_name(m); });
    };
    for (const stopped_search& search : stopped)
        for (const subject* s : chosen)
            if (s->name == search.scenario && asked(search.model))
                all.push_back({s, search.model, is_at_its_beginning(search.so_far) ? nullptr : &search.so_far,
                               search.part});
    return all;
}

/// What is left of a part is that part again. Where it has learnt something, the whole search is left.
part_of_search rest_of(part_of_search part, const exploration_result& r) {
    if (r.has_learnt) return {};
    if (!part.empty()) ++part.back().run;
    return part;
}

/// What the document says of the shard that these searches are divided into.
command::json shard_of(const std::vector<work>& all, const command_options& options) {
    if (!options.shard) return nullptr;
    std::vector<std::string> names;
    for (const work& w : all) names.push_back(fmt::format("{} {}", model_name(w.model), w.what->name));
    return to_json(*options.shard, names);
}

int run_all(const std::vector<work>& all, const command_options& options, const console& out,
            const std::vector<std::string>& invocation) {
    const command::json shard = shard_of(all, options);
    const symbols names;
    std::vector<outcome> outcomes;
    std::vector<stopped_search> stopped;
    command::progress progress(options.quiet);
    for (const work& w : command::of_shard(all, options.shard)) {
        if (search_facts::interrupted) { // nothing of it is done
            stopped.push_back({w.what->name, w.model, w.earlier ? *w.earlier : exploration_result{}, w.part});
            continue;
        }
        {
            const silence quiet(!options.verbose);
            outcomes.push_back(run(*w.what, w.model, options, names, progress, w.earlier, w.part));
        }
        progress.clear();
        const outcome& last = outcomes.back();
        out.print(last);
        if (!last.result.stopped) continue;
        stopped.push_back({w.what->name, w.model, last.result, rest_of(w.part, last.result)});
        // Places are addresses, which another process has elsewhere.
        stopped.back().so_far.bounds = bounds_met(last.result, options, names);
    }
    if (outcomes.size() > 1) out.summary(outcomes);
    if (!options.checkpoint.empty() && !stopped.empty()) {
        write_checkpoint(stopped, options, options.checkpoint);
        fmt::print(stderr, "to go on: --resume {}\n", options.checkpoint);
    }
    if (options.second_opinions.empty() || search_facts::interrupted)
        return finish(outcomes, options, invocation, shard);
    const opinions asked = ask_opinions(outcomes, options);
    print(asked, takes_standard_output(options) ? stderr : stdout);
    return finish(outcomes, options, invocation, shard, &asked);
}

/// With a checkpoint: of all searches, each at its beginning.
int list(const std::vector<const subject*>& chosen, const command_options& options, const console& out) {
    if (options.json.empty())
        out.list(chosen);
    else
        write_list(chosen, options.json);
    if (options.checkpoint.empty()) return to_int(exit_code::holds);
    std::vector<stopped_search> all;
    for (const work& w : work_of(chosen, options, {})) all.push_back({w.what->name, w.model, {}});
    write_checkpoint(all, options, options.checkpoint);
    return to_int(exit_code::holds);
}

/// What a program is to be; scenarios say it themselves.
void expect(std::vector<subject>& programs, const command_options& options) {
    if (options.expect != "refuted") return;
    for (subject& program : programs) {
        program.options.models = models_for(program, options);
        program.options.expect = verdict::refuted;
    }
}

int run_command(std::vector<subject> all, int argc, char** argv, const char* name, bool check) {
    early_heap::close(); // main() has begun: no static object asks from here on
    const std::vector<std::string> invocation = user_command(argc, argv);
    parsed_command parsed = parse_command(name, {argv + std::min(argc, 1), argv + argc}, check);
    if (parsed.exit >= 0) return command::run_verb("error", [&] { return parsed.exit; });
    const command_options& options = parsed.options;
    runtime::exit_code = options.exit_code;
    expect(all, options);
    take_interrupts();
    return command::run_verb("error", [&] {
        refuse_duplicates(all);
        check_names(options);
        // Results for machines on standard output leave no room there for people's.
        const console out(options, takes_standard_output(options) ? stderr : stdout);
        if (!options.replay.empty()) return run_replay(all, options, out, invocation);
        std::vector<const subject*> chosen;
        for (const subject& s : all)
            if (selected(s.name, options.filters)) chosen.push_back(&s);
        if (chosen.empty()) {
            fmt::print(stderr, "no scenario matches; --list shows all {}\n", all.size());
            return to_int(exit_code::no_match);
        }
        if (options.list) return list(chosen, options, out);
        if (options.weaken == "sites") return weaken(chosen, options, invocation);
        if (options.weaken == "optimize") return optimize(chosen, options, invocation);
        std::vector<stopped_search> stopped;
        if (!options.resume.empty()) stopped = read_checkpoint(options.resume, options, all);
        const std::vector<work> searches = work_of(chosen, options, stopped);
        if (options.estimate) {
            std::vector<std::pair<const subject*, memory_model>> wanted;
            for (const work& w : searches) wanted.emplace_back(w.what, w.model);
            const bool failed = print_estimates(wanted, options, invocation);
            return to_int(search_facts::interrupted ? exit_code::interrupted
                          : failed                  ? exit_code::refuted
                                                    : exit_code::holds);
        }
        if (searches.empty()) {
            fmt::print(stderr, "{}: no scenario that matches was stopped there\n", options.resume);
            return to_int(exit_code::no_match);
        }
        return run_all(searches, options, out, invocation);
    });
}

} // namespace

std::vector<memory_model> models_for(const subject& s, const command_options& options) {
    if (options.models.empty()) return s.options.models;
    std::vector<memory_model> models;
    for (const std::string& name : options.models)
        for (const named_model& m : named_models)
            if (m.name == name) models.push_back(m.which);
    return models;
}

registrar::registrar(std::string_view name, void (*body)(), scenario_options options, const char* file,
                     int line) {
    name_scenario(name, body, std::move(options), file, line);
}

void name_scenario(std::string_view name, std::function<void()> body, scenario_options options,
                   const char* file, int line) {
    // A copy of its own, as what the scenarios' files allocate now is put back for each execution.
    const early_heap::left_alone engine;
    registry().push_back(
        {std::string(name), std::function<void()>(body), scenario_options(options), file, line});
}

void schedule_unfairly(std::string_view name) {
    for (subject& one : registry())
        if (one.name == name) one.options.unfair = true;
}

/// What people call a program by: as the command calls its verbs, or by its file.
static std::string command_of(std::string_view program) {
    program.remove_prefix(program.find_last_of('/') + 1);
    constexpr std::string_view own = "ringproof-";
    if (program.starts_with(own)) return fmt::format("ringproof {}", program.substr(own.size()));
    const bool verb = program == "verify" || program == "classics" || program == "zoo";
    return verb ? fmt::format("ringproof {}", program) : std::string(program.empty() ? "scenarios" : program);
}

int run_scenarios(int argc, char** argv) {
    // Links that do not say where their code is: scenarios run in the order of their files.
    std::vector<subject> all = registry();
    std::stable_sort(all.begin(), all.end(),
                     [](const subject& a, const subject& b) { return a.file < b.file; });
    return run_command(all, argc, argv, command_of(argc > 0 ? argv[0] : "").c_str(), false);
}

void main_names_scenarios() noexcept { names_scenarios().asked = true; }

void names_scenarios_by(void (*names)()) noexcept {
    names_scenarios().asked = true;
    if (names)
        names_scenarios().by = names;
    else
        names_scenarios().by_main = true;
}

/// main() of the program is run as it is, and what it names is explored.
static int run_named(int argc, char** argv, int (*program)(int, char**), char** arguments) {
    {
        const silence quiet(true);
        const naming& how = names_scenarios();
        if (how.by && !how.by_main)
            how.by();
        else
            program(1, arguments);
    }
    std::vector<subject> all = registry();
    if (all.empty()) {
        fmt::print(stderr, "error: main() ends without a call of rl::simulate, RUN_ALL_TESTS or "
                           "Catch::Session::run, or there is no "
                           "test, so there is nothing to check\n");
        return to_int(exit_code::usage);
    }
    if (const char* file = std::getenv("RINGPROOF_CHECK_FILE"))
        for (subject& s : all)
            if (s.file.empty()) s.file = file;
    return run_command(all, argc, argv, "ringproof check", true);
}

int run_program(int argc, char** argv, const char* name, int (*program)(int, char**)) {
    static char* arguments[] = {argv[0], nullptr};
    if (names_scenarios().asked) return run_named(argc, argv, program, arguments);
    const char* unseen = std::getenv("RINGPROOF_CHECK_UNSEEN");
    const char* libraries = std::getenv("RINGPROOF_CHECK_LIBRARIES");
    const char* file = std::getenv("RINGPROOF_CHECK_FILE");
    const std::vector<subject> all{{name,
                                    [program] {
                                        const int code = program(1, arguments);
                                        runtime::active()->check_exit_code(code, "main returns ", 0);
                                    },
                                    {},
                                    file ? file : name,
                                    1,
                                    std::getenv("RINGPROOF_CHECK_PROPERTY") != nullptr,
                                    libraries ? libraries : "",
                                    unseen ? unseen : ""}};
    return run_command(all, argc, argv, "ringproof check", true);
}

} // namespace ringproof::verify
