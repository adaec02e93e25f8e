// SPDX-License-Identifier: Apache-2.0
#pragma once
// Other checkers that give a second opinion. Each is a program of its own beside the one whose scenarios it runs:
// ringproof-verify-relacy stands beside ringproof-verify. A build without the checker leaves a file there that says why,
// ringproof-verify-relacy.missing.

#include <string>
#include <string_view>
#include <vector>

namespace ringproof::command {

struct known_opinion {
    std::string_view name;
    std::string_view is;
    std::string_view install; ///< the line that makes it available
};

/// All that this suite can ask.
const std::vector<known_opinion>& known_opinions();

enum class opinion_state {
    ready,
    absent,  ///< the checker was not there when this was built
    unusable ///< something was there, and cannot be used
};

struct opinion_program {
    opinion_state state = opinion_state::absent;
    std::string program; ///< its path, when it is ready
    std::string why;     ///< a sentence, when it is not
};

/// Looks in `folder` for the program of the tool that runs the scenarios of `scenarios` ("ringproof-verify").
opinion_program find_opinion(const std::string& folder, std::string_view scenarios, std::string_view tool);

struct child_answer {
    bool ended = false; ///< by itself, with an exit code; otherwise `why` says what became of it
    bool timed_out = false;
    int exit_code = 0;
    std::string output; ///< what it wrote to standard output
    std::string why;    ///< "killed by signal 11 (Segmentation fault)", …
};

/// Runs a program with its standard input and standard error closed off, and kills it and its children after `seconds`.
child_answer run_child(const std::vector<std::string>& words, double seconds);

/// The file of the running program.
std::string own_program();

} // namespace ringproof::command
