// SPDX-License-Identifier: Apache-2.0
#pragma once
// --second-opinion: what another tool says of an exhibit, and how it is printed. ThreadSanitizer's is here: the driver is
// compiled with -fsanitize=thread and runs with real threads on this machine, again and again.

#include "run.hpp"

namespace ringproof::verify {

/// The compiler's command line. @param to the program
std::vector<std::string> tsan_command(const showing& one, const std::string& to);

/// Compiles and runs it. pass_signals_on() has been called.
/// @param seconds for all runs; a run that takes longer than 5 s hangs
/// @return {"tool", "verdict", "runs", "seconds", "message"}: verdict "bug" (a report, a failed assertion, a crash, a run
/// that hangs), "no bug" (none until the time was over), or "failed" (it does not compile)
command::json ask_tsan(const showing& one, double seconds);

/// An opinion without a run: of `verdict` "failed" or "not expressible" `message` says why.
command::json opinion_without_run(const std::string& tool, const std::string& verdict,
                                  const std::string& message);

/// Whether a compiler's flag is for linking alone.
bool for_linker(const std::string& flag);

/// "DATA RACE" as "data race"
std::string in_small_letters(std::string words);

/// Runs a program by the shell, with all its output in a file. @return as waitpid() does
int run_into(const std::vector<std::string>& words, const std::string& output);

/// "tsan: data race after 0.7 s, in run 3"; "genmc: no report in 0.1 s, 12 runs, which are all"
std::string opinion_text(const command::json& opinion);

} // namespace ringproof::verify
