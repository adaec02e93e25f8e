// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs that `ringproof check` runs: compilers, then the checked program. A SIGINT or SIGTERM that comes to this
// process is passed on to the one that runs, which may be the only one to be asked ("kill PID", a CI system); with
// Ctrl-C the terminal asks both.

#include <string>
#include <vector>

namespace ringproof::verify {

/// From now on SIGINT and SIGTERM are passed on rather than ending this process.
void pass_signals_on();

/// Whether one has come.
bool was_interrupted();

enum class child_kind { other, checked_program };

/// Runs a program, unless an interrupt has come already. The checked program starts with both signals blocked, and lets
/// them in once it can report; it is told (by the signal's value) that they are passed on.
/// @param folder that it works in; empty: ours
/// @return its status as waitpid() gives it
int run_and_wait(const std::vector<std::string>& arguments, child_kind kind = child_kind::other,
                 const std::string& folder = {});

} // namespace ringproof::verify
