// SPDX-License-Identifier: Apache-2.0
#pragma once
// --second-opinion tsan: what ThreadSanitizer says of an exhibit. The driver is compiled with -fsanitize=thread and runs
// with real threads on this machine, again and again.

#include "run.hpp"

namespace ringproof::verify {

/// The compiler's command line. @param to the program
std::vector<std::string> tsan_command(const showing& one, const std::string& to);

/// Compiles and runs it. pass_signals_on() has been called.
/// @param seconds for all runs; a run that takes longer than 5 s hangs
/// @return {"tool", "verdict", "runs", "seconds", "message"}: verdict "bug" (a report, a failed assertion, a crash, a run
/// that hangs), "no bug" (none until the time was over), or "failed" (it does not compile)
command::json ask_tsan(const showing& one, double seconds);

/// "tsan: data race after 0.7 s, in run 3"
std::string opinion_text(const command::json& opinion);

} // namespace ringproof::verify
