// SPDX-License-Identifier: Apache-2.0
#pragma once
// The end of every verb: which exceptions are the user's to put right, and whether what was said got through.

#include <functional>
#include <string_view>

namespace ringproof::command {

/// Runs `verb` and returns the exit code of the process. file_error and std::invalid_argument become 2 with their
/// sentence, any other exception 3. When standard output cannot take what was printed (a full disk), the code is 2,
/// whatever the verb returned: nobody has seen its results.
/// @param name goes before what is said on standard error: "ringproof verify"
int run_verb(std::string_view name, const std::function<int()>& verb);

} // namespace ringproof::command
