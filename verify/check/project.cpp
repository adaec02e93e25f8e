// SPDX-License-Identifier: Apache-2.0
#include "project.hpp"

#include "../src/outcome/invocation.hpp"
#include "../src/outcome/options.hpp"
#include "globs.hpp"
#include "source.hpp"

#include <ringproof/command/file.hpp>
#include <ringproof/command/mistyped.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <toml++/toml.h>

namespace ringproof::verify {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> keys_of_file{"budget", "compile_commands", "defaults", "program"};
constexpr std::array<std::string_view, 6> keys_of_defaults{"flags", "models",  "assume",
                                                           "time",  "options", "compile_commands"};
constexpr std::array<std::string_view, 9> keys_of_program{
    "name", "sources", "flags", "models", "assume", "time", "options", "expect", "compile_commands"};

/// Reads one file. Every member function throws command::file_error with the place of what is wrong.
class reader {
  public:
    reader(std::string shown, fs::path folder) : shown_(std::move(shown)), folder_(std::move(folder)) {}
    project read(const toml::table& file) const;
    [[noreturn]] void fail(const toml::source_region& where, const std::string& what) const {
        throw command::file_error(fmt::format("{}: {}", place(where), what));
    }

  private:
    std::string place(const toml::source_region& where) const {
        return fmt::format("{}:{}:{}", shown_, where.begin.line, where.begin.column);
    }
    void know(const toml::table& table, std::span<const std::string_view> keys, std::string_view of) const;
    std::string text(const toml::node& node, std::string_view key) const;
    std::string text_at(const toml::table& table, std::string_view key) const;
    double seconds_at(const toml::table& table, std::string_view key) const;
    /// Calls `take` with each string of an array, and its place.
    template <class Take>
    void each_at(const toml::table& table, std::string_view key, Take take) const;
    void choose(const std::string& word, const std::vector<std::string>& known, std::string_view kind,
                const toml::source_region& where) const;
    void read_common(project_program& into, const toml::table& from) const;
    void read_options(project_program& into, const toml::table& from) const;
    project_program read_program(const project_program& defaults, const toml::table& from) const;

    std::string shown_;
    fs::path folder_;
};

void reader::know(const toml::table& table, std::span<const std::string_view> keys,
                  std::string_view of) const {
    for (const auto& [key, node] : table)
        if (std::find(keys.begin(), keys.end(), key.str()) == keys.end()) {
            const std::string meant = command::suggestion(key.str(), keys);
            fail(key.source(),
                 fmt::format("unknown key '{}'{}{}", key.str(), meant,
                             meant.empty() ? fmt::format("; {} has {}", of, fmt::join(keys, ", ")) : ""));
        }
}

std::string reader::text(const toml::node& node, std::string_view key) const {
    const auto value = node.value<std::string>();
    if (!value || !node.is_string()) fail(node.source(), fmt::format("'{}' must be a string", key));
    if (value->find('\0') != std::string::npos) fail(node.source(), fmt::format("'{}' has a zero byte", key));
    return *value;
}

std::string reader::text_at(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    return node ? text(*node, key) : "";
}

double reader::seconds_at(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (!node) return 0;
    const auto value = node->is_number() ? node->value<double>() : std::nullopt;
    if (!value || !(*value > 0) || !std::isfinite(*value))
        fail(node->source(), fmt::format("'{}' must be a number of seconds above 0", key));
    return *value;
}

template <class Take>
void reader::each_at(const toml::table& table, std::string_view key, Take take) const {
    const toml::node* node = table.get(key);
    if (!node) return;
    const toml::array* all = node->as_array();
    if (!all)
        fail(node->source(), fmt::format("'{}' must be an array of strings, as in {} = [\"...\"]", key, key));
    for (const toml::node& one : *all) {
        if (!one.is_string()) fail(one.source(), fmt::format("'{}' must be an array of strings", key));
        take(text(one, key), one.source());
    }
}

void reader::choose(const std::string& word, const std::vector<std::string>& known, std::string_view kind,
                    const toml::source_region& where) const {
    if (std::find(known.begin(), known.end(), word) != known.end()) return;
    const std::vector<std::string_view> names(known.begin(), known.end());
    const std::string meant = command::suggestion(word, names);
    fail(where, fmt::format("unknown {} '{}'{}", kind, word,
                            meant.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : meant));
}

/// "options" are those of the command line that belong to a search. Where results go, and which programs there are, is
/// said once for all programs.
void reader::read_options(project_program& into, const toml::table& from) const {
    std::vector<std::string> words;
    each_at(from, "options", [&](const std::string& word, const toml::source_region& where) {
        const option_shape* shape = shape_of(word);
        if (asks_one_program(word))
            fail(where, fmt::format("'{}' is for the command line, with --program NAME", word));
        if (word == "--" ||
            (shape && (shape->purpose == option_purpose::output ||
                       shape->purpose == option_purpose::project || shape->purpose == option_purpose::jobs)))
            fail(where, fmt::format("'{}' is not for one program{}", word,
                                    word == "--" ? ": the compiler's flags are 'flags'"
                                                 : ": give it to `ringproof check` itself"));
        words.push_back(word);
    });
    // What is wrong is said there; the place is said here.
    if (!words.empty() && parse_command("ringproof check [OPTIONS]", words, true).exit >= 0)
        fail(from.get("options")->source(), "these options are not understood: see the line before");
    into.options.insert(into.options.end(), words.begin(), words.end());
}

void reader::read_common(project_program& into, const toml::table& from) const {
    each_at(from, "flags",
            [&](const std::string& flag, const toml::source_region&) { into.flags.push_back(flag); });
    if (from.contains("models")) into.models.clear();
    std::vector<std::string> models = known_models();
    models.emplace_back("all");
    each_at(from, "models", [&](const std::string& model, const toml::source_region& where) {
        choose(model, models, "model", where);
        into.models.push_back(model);
    });
    each_at(from, "assume", [&](const std::string& kind, const toml::source_region& where) {
        choose(kind, known_assumptions(), "assumption", where);
        into.options.insert(into.options.end(), {"--assume", kind});
    });
    if (from.contains("time")) into.seconds = seconds_at(from, "time");
    if (from.contains("compile_commands")) into.compile_commands = text_at(from, "compile_commands");
    read_options(into, from);
}

project_program reader::read_program(const project_program& defaults, const toml::table& from) const {
    project_program made = defaults;
    made.place = place(from.source());
    know(from, keys_of_program, "a program");
    made.name = text_at(from, "name");
    if (made.name.empty()) fail(from.source(), "this program has no name: add name = \"...\"");
    read_common(made, from);
    each_at(from, "sources", [&](const std::string& pattern, const toml::source_region& where) {
        const std::vector<std::string> files = files_matching(folder_, pattern);
        if (files.empty()) fail(where, fmt::format("no file matches '{}' in {}", pattern, folder_.string()));
        for (const std::string& file : files) {
            if (language_of(file) == language::none)
                fail(where, fmt::format("{} is no source in C or C++ ({})", file, source_endings));
            if (std::find(made.sources.begin(), made.sources.end(), file) == made.sources.end())
                made.sources.push_back(file);
        }
    });
    if (made.sources.empty())
        fail(from.source(), fmt::format("program '{}' has no sources: add sources = [\"...\"]", made.name));
    if (const toml::node* node = from.get("expect")) {
        made.expect = text(*node, "expect");
        choose(made.expect, {"verified", "refuted"}, "verdict", node->source());
    }
    return made;
}

project reader::read(const toml::table& file) const {
    project made;
    made.folder = folder_;
    know(file, keys_of_file, "the file");
    made.budget = seconds_at(file, "budget");
    project_program defaults;
    defaults.compile_commands = text_at(file, "compile_commands");
    if (const toml::node* node = file.get("defaults")) {
        const toml::table* table = node->as_table();
        if (!table) fail(node->source(), "'defaults' must be a table: [defaults]");
        know(*table, keys_of_defaults, "[defaults]");
        read_common(defaults, *table);
    }
    const toml::node* programs = file.get("program");
    const toml::array* all = programs ? programs->as_array() : nullptr;
    if (programs && !all) fail(programs->source(), "a program begins with [[program]], in two brackets");
    if (!all || all->empty())
        throw command::file_error(fmt::format(
            "{}: there is no program in this file: add [[program]] with name and sources", shown_));
    for (const toml::node& one : *all) {
        const toml::table* table = one.as_table();
        if (!table) fail(one.source(), "a program must be a table: [[program]]");
        project_program program = read_program(defaults, *table);
        for (const project_program& other : made.programs)
            if (other.name == program.name)
                fail(table->source(),
                     fmt::format("a program named '{}' is at {} already", other.name, other.place));
        made.programs.push_back(std::move(program));
    }
    return made;
}

} // namespace

project parse_project(std::string_view text, const std::string& shown, const fs::path& folder) {
    const reader to_project(shown, folder);
    toml::table file;
    try {
        file = toml::parse(text, shown);
    } catch (const toml::parse_error& error) {
        to_project.fail(error.source(), std::string(error.description()));
    }
    return to_project.read(file);
}

project read_project(const fs::path& file) {
    const std::string shown = fs::proximate(file).string();
    const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
    return parse_project(command::read_text(shown), shown, folder);
}

} // namespace ringproof::verify
