// SPDX-License-Identifier: Apache-2.0
#pragma once
// The way in for `ringproof check`: the program's own main() becomes what is explored.

#include "verify.hpp"

#include <functional>

namespace ringproof::verify {

/// The command line of a checked program. @return the exit code
RINGPROOF_VERIFY_API int run_program(int argc, char** argv, const char* name, int (*program)(int, char**));

/// Called by the program under test: runs two programs, each as a process of its own. @return the exit code of `first`
RINGPROOF_VERIFY_API int run_together(int (*first)(int, char**), int (*second)(int, char**), int argc,
                                      char** argv);

/// The same for the libraries that the program was linked with, before their static objects are made.
RINGPROOF_VERIFY_API void begin_library_objects();

/// What is allocated from here until the search begins is the program's: put back between executions as its static
/// objects are, which mostly asked for it.
RINGPROOF_VERIFY_API void begin_static_objects();

/// Says that the program's main() is not what is explored: it is run once, and names scenarios by registrar.
RINGPROOF_VERIFY_API void main_names_scenarios() noexcept;

/// The same, by `names` in place of main(). Null: by main() after all.
RINGPROOF_VERIFY_API void names_scenarios_by(void (*names)()) noexcept;

/// Runs the first execution of `body` under rc11, in a process of its own, for up to five seconds.
/// @return what `state` returns at its end, in that process; empty where it does not come to a good end
RINGPROOF_VERIFY_API std::string look_at_first_execution(const std::function<void()>& body,
                                                         const std::function<std::string()>& state);

/// One of 0 to n - 1: each is explored.
RINGPROOF_VERIFY_API unsigned choose(unsigned n);

/// Ends the search, for the program does what cannot be checked; `message` says what. Does not return while a scenario runs.
RINGPROOF_VERIFY_API void refuse(const char* message);

/// Refutes the execution: `message` says what did not hold, and where; does not return while a scenario runs.
RINGPROOF_VERIFY_API void refute(const char* message);

/// As registrar, for a body that knows something.
RINGPROOF_VERIFY_API void name_scenario(std::string_view name, std::function<void()> body,
                                        scenario_options options, const char* file, int line);

/// Sets scenario_options::unfair of the scenarios of this name, which are registered already.
RINGPROOF_VERIFY_API void schedule_unfairly(std::string_view name);

} // namespace ringproof::verify
