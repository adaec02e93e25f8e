// SPDX-License-Identifier: Apache-2.0
#pragma once
// Command lines in results: what the user ran, and what shows a counterexample again.

#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify {

using command_words = std::vector<std::string>;

/// What an option of the command line is for.
enum class option_purpose {
    meaning, ///< it changes what an execution is, as --rounds: a replay needs it
    search,  ///< it chooses among executions, or judges them: a replay needs it not
    output,  ///< it says where results go
    project, ///< it says where programs are listed
    jobs     ///< it says which of many jobs are done
};

/// An option that has a value, or whose purpose is not `meaning`.
struct option_shape {
    enum class value { none, optional, needed };
    std::string_view name; ///< "--time"
    value takes;
    option_purpose purpose;
};

/// The shape of an option, "--time" or "--time=5"; nullptr: a flag that changes the meaning, or no option.
const option_shape* shape_of(std::string_view word);

/// Whether an option makes sense for a single program only, as --replay does.
bool asks_one_program(std::string_view word);

/// The words without the options of these purposes and their values. What stands behind "--" is kept.
command_words without(const command_words& words, const std::vector<option_purpose>& purposes);

/// `command` with --replay instead of what chooses executions, judges them or writes results.
command_words replay_of(const command_words& command, const std::string& token);

/// The command line that the user wrote: that of `ringproof check` (see commands_for_program()), or else argv with
/// the verb's full name in front.
command_words user_command(int argc, char** argv);

/// The command line that shows the execution of `token` in what `command` ran.
command_words user_replay(const command_words& command, const std::string& token);

/// Tells a program that `ringproof check` is about to run both.
/// @param replay what --replay TOKEN is added to
void commands_for_program(const command_words& command, const command_words& replay);

} // namespace ringproof::verify
