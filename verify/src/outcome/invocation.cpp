// SPDX-License-Identifier: Apache-2.0
#include "invocation.hpp"

#include <ringproof/command/document.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace ringproof::verify {
namespace {

using command::json;
using value = option_shape::value;
using enum option_purpose;

constexpr std::array shapes{
    option_shape{"--model", value::needed, search},
    option_shape{"--time", value::needed, search},
    option_shape{"--max-executions", value::needed, search},
    option_shape{"--max-memory", value::needed, search},
    option_shape{"--jobs", value::needed, search},
    option_shape{"-j", value::needed, search},
    option_shape{"--quick", value::none, search},
    option_shape{"--random", value::needed, search},
    option_shape{"--pct", value::needed, search},
    option_shape{"--seed", value::needed, search},
    option_shape{"--estimate", value::none, search},
    option_shape{"--shortest", value::none, search},
    option_shape{"--check-determinism", value::none, search},
    option_shape{"--weaken", value::none, search},
    option_shape{"--show-executions", value::optional, search},
    option_shape{"--replay", value::needed, search},
    option_shape{"--resume", value::needed, search},
    option_shape{"--checkpoint", value::needed, search},
    option_shape{"--divide", value::needed, search},
    option_shape{"--shard", value::needed, jobs},
    option_shape{"--save-replay", value::needed, search},
    option_shape{"--second-opinion", value::needed, search},
    option_shape{"--opinion-scheduler", value::needed, search},
    option_shape{"--opinion-time", value::needed, search},
    option_shape{"--opinion-runs", value::needed, search},
    option_shape{"--opinion-context-bound", value::needed, search},
    option_shape{"--assume", value::needed, search},
    option_shape{"--expect", value::needed, search},
    option_shape{"--rounds", value::needed, meaning},
    option_shape{"--races", value::needed, meaning},
    option_shape{"--liveness", value::needed, meaning},
    option_shape{"--max-events", value::needed, meaning},
    option_shape{"--exit-code", value::needed, meaning},
    option_shape{"--no-reduction", value::needed, meaning},
    option_shape{"--filter", value::needed, search},
    option_shape{"--compile-commands", value::needed, meaning},
    option_shape{"--dialect", value::needed, meaning},
    option_shape{"--with", value::needed, meaning},
    option_shape{"--gtest", value::none, meaning},
    option_shape{"--catch2", value::none, meaning},
    option_shape{"--json", value::optional, output},
    option_shape{"--junit", value::needed, output},
    option_shape{"--sarif", value::needed, output},
    option_shape{"--html", value::needed, output},
    option_shape{"--markdown", value::needed, output},
    option_shape{"--annotations", value::needed, output},
    option_shape{"--code-quality", value::needed, output},
    option_shape{"--color", value::needed, output},
    option_shape{"--quiet", value::none, output},
    option_shape{"--verbose", value::none, output},
    option_shape{"--project", value::needed, project},
    option_shape{"--program", value::needed, project},
    option_shape{"--budget", value::needed, project},
};

constexpr const char* command_variable = "RINGPROOF_CHECK_COMMAND";
constexpr const char* replay_variable = "RINGPROOF_CHECK_REPLAY";

/// Words in the environment, as JSON, since a flag may hold any character.
command_words words_in(const char* variable) {
    const char* text = std::getenv(variable);
    const json words = text ? json::parse(text, nullptr, false) : json();
    command_words found;
    if (words.is_array())
        for (const json& word : words)
            if (word.is_string()) found.push_back(word);
    return found;
}

/// Without the names of scenarios: a token says which one it is of.
command_words without_filters(const command_words& command) {
    command_words kept;
    const std::size_t names = !command.empty() && command.front() == "ringproof" ? 2 : 1;
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (i >= names && !command[i].starts_with('-')) continue;
        kept.push_back(command[i]);
        const option_shape* shape = shape_of(command[i]);
        if (shape && command[i] == shape->name && shape->takes == value::needed && i + 1 < command.size())
            kept.push_back(command[++i]);
    }
    return kept;
}

void put(const char* variable, const command_words& words) {
    if (words.empty())
        unsetenv(variable);
    else
        setenv(variable, json(words).dump(-1, ' ', false, json::error_handler_t::replace).c_str(), 1);
}

} // namespace

const option_shape* shape_of(std::string_view word) {
    const std::string_view name = word.substr(0, word.find('='));
    const auto* const found =
        std::find_if(shapes.begin(), shapes.end(), [&](const option_shape& s) { return s.name == name; });
    return found == shapes.end() ? nullptr : found;
}

bool asks_one_program(std::string_view word) {
    const std::string_view name = word.substr(0, word.find('='));
    constexpr std::array<std::string_view, 6> one{"--replay",      "--resume",   "--checkpoint",
                                                  "--save-replay", "--estimate", "--weaken"};
    return std::find(one.begin(), one.end(), name) != one.end();
}

command_words without(const command_words& words, const std::vector<option_purpose>& purposes) {
    command_words kept;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--") {
            kept.insert(kept.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
            break;
        }
        const option_shape* shape = shape_of(words[i]);
        const bool apart = shape && words[i] == shape->name; // its value is not in the same word
        const bool next = i + 1 < words.size();
        const bool two =
            apart && next &&
            (shape->takes == value::needed ||
             (shape->takes == value::optional && (!words[i + 1].starts_with('-') || words[i + 1] == "-")));
        if (!shape || std::find(purposes.begin(), purposes.end(), shape->purpose) == purposes.end()) {
            kept.push_back(words[i]);
            if (two) kept.push_back(words[i + 1]);
        }
        i += two;
    }
    return kept;
}

command_words replay_of(const command_words& command, const std::string& token) {
    command_words made = without(command, {search, output, jobs});
    const auto flags = std::find(made.begin(), made.end(), "--");
    const command_words replay{"--replay", token};
    made.insert(flags, replay.begin(), replay.end());
    return made;
}

command_words user_command(int argc, char** argv) {
    if (command_words told = words_in(command_variable); !told.empty()) return told;
    command_words words(argv, argv + argc);
    if (words.empty()) return words;
    // As the command calls its verbs: by "verify", or by the path of ringproof-verify.
    std::string name = words.front().substr(words.front().find_last_of('/') + 1);
    if (name.starts_with("ringproof-")) name.erase(0, std::string_view("ringproof-").size());
    for (const std::string_view verb : {"verify", "classics", "zoo", "museum"})
        if (name == verb) {
            words.front() = name;
            words.insert(words.begin(), "ringproof");
            break;
        }
    return words;
}

command_words user_replay(const command_words& command, const std::string& token) {
    const command_words told = words_in(replay_variable);
    return replay_of(told.empty() ? without_filters(command) : told, token);
}

void commands_for_program(const command_words& command, const command_words& replay) {
    put(command_variable, command);
    put(replay_variable, replay);
}

} // namespace ringproof::verify
