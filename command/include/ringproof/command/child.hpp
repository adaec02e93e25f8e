// SPDX-License-Identifier: Apache-2.0
#pragma once
// Running another program for its answer, within a time limit, whatever it does.

#include <string>
#include <vector>

namespace ringproof::command {

struct child_answer {
    bool ended = false; ///< by itself, with an exit code; otherwise `why` says what became of it
    bool timed_out = false;
    int exit_code = 0;
    std::string output; ///< what it wrote to standard output
    std::string why;    ///< "killed by signal 11 (Segmentation fault)", …
};

/// Which of what a child writes is its answer; the rest is closed off.
enum class heard { output, output_and_errors };

/// Runs a program with its standard input closed off, and kills it and its children after `seconds`.
child_answer run_child(const std::vector<std::string>& words, double seconds, heard what = heard::output);

/// Whether this file is a program.
bool is_program(const std::string& path);

/// The program of this name in PATH; empty: there is none.
std::string program_in_path(const std::string& name);

} // namespace ringproof::command
