// SPDX-License-Identifier: Apache-2.0
#include "many_programs.hpp"

#include "../src/outcome/invocation.hpp"
#include "../src/outcome/options.hpp"
#include "../src/outcome/report.hpp"
#include "budget.hpp"
#include "children.hpp"
#include "compile_commands.hpp"
#include "one_program.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/repository.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

namespace ringproof::verify {
namespace {

namespace fs = std::filesystem;
using command::exit_code, command::json;

/// The options with the files that they name as seen from here, since the programs work in the project's folder.
command_words with_whole_paths(command_words words) {
    constexpr std::array<std::string_view, 11> files{
        "--json",         "--junit",       "--sarif",      "--html",   "--markdown",        "--annotations",
        "--code-quality", "--save-replay", "--checkpoint", "--resume", "--compile-commands"};
    const auto whole = [](const std::string& path) {
        if (path.starts_with('@')) return "@" + fs::absolute(path.substr(1)).string();
        return path.empty() || path == "-" ? path : fs::absolute(path).string();
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string name = words[i].substr(0, words[i].find('='));
        const bool apart = name == words[i], next = i + 1 < words.size() && !words[i + 1].starts_with('-');
        const std::string value = !apart ? words[i].substr(name.size() + 1) : next ? words[i + 1] : "";
        if (std::find(files.begin(), files.end(), name) == files.end() &&
            (name != "--replay" || !value.starts_with('@')))
            continue;
        if (!apart)
            words[i] = name + "=" + whole(value);
        else if (next)
            words[++i] = whole(value);
    }
    return words;
}

/// What is printed to standard output goes to standard error, where standard output is for a machine.
class console_on_standard_error {
  public:
    explicit console_on_standard_error(bool wanted) : kept_(wanted ? dup(STDOUT_FILENO) : -1) {
        if (kept_ >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    ~console_on_standard_error() {
        if (kept_ < 0) return;
        std::fflush(stdout);
        dup2(kept_, STDOUT_FILENO);
        close(kept_);
    }
    console_on_standard_error(const console_on_standard_error&) = delete;
    console_on_standard_error& operator=(const console_on_standard_error&) = delete;

  private:
    int kept_;
};

std::vector<const project_program*> chosen(const project& all, const std::vector<std::string>& names) {
    std::vector<const project_program*> programs;
    std::vector<std::string_view> known;
    for (const project_program& program : all.programs) {
        known.push_back(program.name);
        if (names.empty() || std::find(names.begin(), names.end(), program.name) != names.end())
            programs.push_back(&program);
    }
    for (const std::string& name : names)
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            const std::string meant = command::suggestion(name, known);
            fmt::print(stderr, "error: no program '{}'{}\n", name,
                       meant.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : meant);
            return {};
        }
    return programs;
}

/// The options of a program's search: the project's, then the user's.
command_words options_of(const project_program& program, const command_options& asked,
                         const command_words& users) {
    command_words words = program.options;
    if (asked.models.empty())
        for (const std::string& model : program.models) words.insert(words.end(), {"--model", model});
    if (!program.expect.empty()) words.insert(words.end(), {"--expect", program.expect});
    words.insert(words.end(), users.begin(), users.end());
    return words;
}

/// A program that is to be checked, with its sources found.
struct chosen_program {
    const project_program* program;
    std::string database; ///< of compile commands; empty: none
    std::vector<source_file> sources;
};

/// All that may be wrong with a source is said before anything is searched.
chosen_program with_sources(const project_program& program, const command_options& asked) {
    chosen_program made{
        &program, asked.compile_commands.empty() ? program.compile_commands : asked.compile_commands, {}};
    for (const std::string& source : program.sources) try {
            made.sources.push_back(made.database.empty() ? source_file{source}
                                                         : source_in_database(made.database, source));
        } catch (const command::file_error& error) {
            throw command::file_error(
                fmt::format("{}: program '{}': {}", program.place, program.name, error.what()));
        }
    return made;
}

checked_program prepared(const chosen_program& chosen, const command_words& options,
                         const command_words& flags) {
    const project_program& program = *chosen.program;
    checked_program made;
    made.name = program.name;
    made.sources = chosen.sources;
    made.flags = program.flags;
    made.flags.insert(made.flags.end(), flags.begin(), flags.end());
    made.options = options;
    made.command = {"ringproof", "check"};
    made.command.insert(made.command.end(), program.sources.begin(), program.sources.end());
    made.command.insert(made.command.end(), options.begin(), options.end());
    if (!chosen.database.empty())
        made.command.insert(made.command.end(),
                            {"--compile-commands", fs::proximate(chosen.database).string()});
    if (!made.flags.empty()) made.command.emplace_back("--");
    made.command.insert(made.command.end(), made.flags.begin(), made.flags.end());
    made.replay = {"ringproof", "check", "--program", program.name};
    return made;
}

/// A result of a program that was not searched.
json result_without_search(const project_program& program, const std::vector<std::string>& models,
                           std::string_view verdict, const std::string& message) {
    json results = json::array();
    for (const std::string& model : models.empty() ? std::vector<std::string>{"rc11"} : models) {
        results.push_back({{"name", program.name}, {"model", model}, {"verdict", verdict}});
        if (!program.expect.empty()) results.back()["expected"] = program.expect;
        results.back().update({{"ok", false},
                               {"message", message},
                               {"executions", 0},
                               {"file", command::path_in_results(program.sources.front())},
                               {"line", 1}});
    }
    return results;
}

exit_code worse(exit_code a, exit_code b) {
    constexpr std::array by_weight{exit_code::holds,    exit_code::inconclusive, exit_code::usage,
                                   exit_code::internal, exit_code::refuted,      exit_code::interrupted};
    const auto weight = [&](exit_code code) { return std::find(by_weight.begin(), by_weight.end(), code); };
    return weight(a) < weight(b) ? b : a;
}

/// "3 results: 2 as expected; REFUTED: flag (rc11)"
std::string summary_of(const json& results) {
    std::size_t good = 0;
    std::string others;
    for (const json& r : results)
        if (r.value("ok", false))
            ++good;
        else
            others += fmt::format("; {}: {} ({})", r.value("verdict", ""), r.value("name", ""),
                                  r.value("model", ""));
    return fmt::format("{} result{}: {} as expected{}", results.size(), results.size() == 1 ? "" : "s", good,
                       others);
}

/// One run over the programs.
class project_run {
  public:
    project_run(const project& all, const command_options& asked, command_words users, command_words flags)
        : asked_(asked), users_(std::move(users)), flags_(std::move(flags)),
          time_(asked.budget > 0 ? asked.budget : all.budget) {}
    /// @param left how many programs are left, this one among them
    void check(const chosen_program& chosen, std::size_t left);
    json& results() { return results_; }
    const std::set<std::string>& compilers() const { return compilers_; }
    exit_code code() const { return code_; }

  private:
    void take(const project_program& program, const std::vector<std::string>& models, int code,
              const std::string& document);

    const command_options& asked_;
    command_words users_, flags_;
    budget time_;
    json results_ = json::array();
    std::set<std::string> compilers_;
    exit_code code_ = exit_code::holds;
};

void project_run::check(const chosen_program& chosen, std::size_t left) {
    const project_program& program = *chosen.program;
    command_words options = options_of(program, asked_, users_);
    const command_options own = parse_command("ringproof check", options, true).options;
    const std::size_t searches = std::max<std::size_t>(own.models.size(), 1);
    if (time_.used_up()) {
        for (json& result : result_without_search(
                 program, own.models, "inconclusive",
                 fmt::format("the budget of {} s was used up before this program", time_.seconds())))
            results_.push_back(std::move(result));
        code_ = worse(code_, exit_code::inconclusive);
        return;
    }
    const double most = own.seconds > 0 ? own.seconds : program.seconds;
    if (const double seconds = time_.for_each_search(left, searches, most); seconds > 0)
        options.insert(options.end(), {"--time", fmt::format("{:.2f}", seconds)});
    checked_program what = prepared(chosen, options, flags_);
    what.keep_ndebug = own.keep_ndebug;
    what.dialect = own.dialect;
    const command::temporary_folder folder("ringproof-check");
    const std::string document = (folder.path() / "results.json").string();
    what.options.insert(what.options.end(),
                        {"--json", document, "--color", asked_.colored ? "always" : "never"});
    if (asked_.quiet) what.options.emplace_back("--quiet");
    if (asked_.verbose) what.options.emplace_back("--verbose");
    take(program, own.models, check_program(what), document);
}

void project_run::take(const project_program& program, const std::vector<std::string>& models, int code,
                       const std::string& document) {
    code_ =
        worse(code_, code == to_int(exit_code::holds) || code == to_int(exit_code::refuted) ||
                             code == to_int(exit_code::usage) || code == to_int(exit_code::inconclusive) ||
                             code == to_int(exit_code::interrupted)
                         ? static_cast<exit_code>(code)
                         : exit_code::internal);
    if (fs::exists(document)) {
        const json made = command::read_document(document);
        for (const json& result : made.at("results")) results_.push_back(result);
        if (const json& about = made.at("environment"); about.contains("program_compiler"))
            compilers_.insert(about.value("program_compiler", ""));
    } else if (!was_interrupted()) {
        const char* why = code == to_int(exit_code::usage)
                              ? "the program does not compile: the log has the compiler's words"
                              : "the search ended without a result: the log says why";
        for (json& result : result_without_search(program, models, "error", why))
            results_.push_back(std::move(result));
    }
}

/// What makes sense for one program only, such as a replay; its search writes the results itself.
int check_one(const project_program& program, const command_options& asked, const command_words& words,
              const command_words& flags, const command_words& command) {
    const command_words users = options_of(program, asked, without(words, {option_purpose::project}));
    checked_program what = prepared(with_sources(program, asked), users, flags);
    what.command = command;
    const command_options own = parse_command("ringproof check", users, true).options;
    what.keep_ndebug = own.keep_ndebug;
    what.dialect = own.dialect;
    return check_program(what);
}

std::vector<std::string> names_of(const std::vector<const project_program*>& programs) {
    std::vector<std::string> names;
    for (const project_program* program : programs) names.push_back(program->name);
    return names;
}

int check_all(const project& all, const std::vector<const project_program*>& programs,
              const command_options& asked, const command_words& words, const command_words& flags,
              const command_words& command) {
    std::vector<chosen_program> chosen;
    for (const project_program* program : command::of_shard(programs, asked.shard))
        chosen.push_back(with_sources(*program, asked));
    json document = command::make_document("ringproof-verify/1", command);
    if (asked.shard) document["shard"] = to_json(*asked.shard, names_of(programs));
    project_run run(all, asked,
                    without(words, {option_purpose::output, option_purpose::project, option_purpose::jobs}),
                    flags);
    {
        const console_on_standard_error elsewhere(takes_standard_output(asked));
        for (std::size_t i = 0; i < chosen.size() && !was_interrupted(); ++i) {
            if (!asked.quiet)
                fmt::print(stderr, "[{}/{}] {}\n", i + 1, chosen.size(), chosen[i].program->name);
            run.check(chosen[i], chosen.size() - i);
        }
        document["results"] = std::move(run.results());
        if (chosen.size() > 1) fmt::print("\n{}\n", summary_of(document["results"]));
    }
    if (!run.compilers().empty())
        document["environment"]["program_compiler"] = fmt::format("{}", fmt::join(run.compilers(), ", "));
    document["environment"]["folder"] = command::path_in_results(all.folder.string());
    const bool interrupted = was_interrupted();
    if (interrupted) {
        document["interrupted"] = true;
        fmt::print(stderr, "interrupted: the results are partial\n");
    }
    if (!asked.json.empty()) command::write_document(document, asked.json);
    if (reports_asked(asked) || !asked.junit.empty()) make_reports(document, asked);
    return to_int(interrupted ? exit_code::interrupted : run.code());
}

} // namespace

int check_project(const project& all, const std::vector<std::string>& options,
                  const std::vector<std::string>& flags, const std::vector<std::string>& command) {
    const command_words words = with_whole_paths(options);
    const command_options asked = parse_command("ringproof check", words, true).options;
    const std::vector<const project_program*> programs = chosen(all, asked.programs);
    if (programs.empty()) return to_int(exit_code::no_match);
    fs::current_path(all.folder);
    if (std::none_of(words.begin(), words.end(), asks_one_program))
        return check_all(all, programs, asked, words, flags, command);
    if (programs.size() > 1)
        throw std::invalid_argument(
            "--replay, --resume, --checkpoint, --save-replay, --estimate and --weaken are "
            "for one program: add --program NAME");
    return check_one(*programs.front(), asked, words, flags, command);
}

} // namespace ringproof::verify
