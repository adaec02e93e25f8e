// SPDX-License-Identifier: Apache-2.0
#pragma once
// Other checkers that give a second opinion. Each is asked through a program of its own, an adapter, beside the one whose
// questions it answers: ringproof-verify-relacy stands beside ringproof-verify. A build without the checker leaves a file
// there that says why, ringproof-verify-relacy.missing. The language of adapters is in docs/second-opinions.md.

#include <ringproof/command/document.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::command {

struct known_opinion {
    std::string_view name;
    std::string_view verb; ///< whose questions it answers: "verify", "litmus"
    std::string_view is;
    std::string_view install; ///< the line that makes it available
};

/// All that this suite can ask.
const std::vector<known_opinion>& known_opinions();

/// A checker, and whether it can be asked.
struct opinion_source {
    std::string tool, state; ///< "ready", "absent", "unusable"
    std::string why;         ///< a sentence, when it is not ready
    std::string install, cannot_see;
    std::string program; ///< its adapter
    std::vector<std::string> schedulers;
    bool ready() const { return state == "ready"; }
};

/// The file of the running program.
std::string own_program();

/// Looks in `folder` for the adapter of `tool` that answers the questions of the program `asking` ("ringproof-verify"), and
/// asks it about itself.
opinion_source find_opinion(const std::string& folder, std::string_view asking, std::string_view tool);

/// The same for a word of the command line, TOOL or TOOL=ADAPTER, beside the running program.
opinion_source find_opinion(const std::string& wanted);

/// @throws std::invalid_argument when one of the words of the command line names no checker that answers `verb`
void check_opinions(const std::vector<std::string>& wanted, std::string_view verb);

/// What an adapter said.
struct opinion_answer {
    json said;           ///< an object, or null
    std::string trouble; ///< why this is no answer; empty: it is one
    int exit_code = 0;   ///< when it ended by itself
    std::string output;  ///< the beginning of it, fit to be shown
};

/// Runs an adapter, and kills it after `seconds`.
opinion_answer ask_opinion(const std::vector<std::string>& words, double seconds);

/// An adapter whose own limit is over may still tidy up.
constexpr double opinion_grace_seconds = 5;

/// "second opinion relacy: skipped, absent: … / to have it: …"; nothing when it is ready.
void print_skipped(const opinion_source& source, std::FILE* out);

json to_json(const opinion_source& source);

} // namespace ringproof::command
