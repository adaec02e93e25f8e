// SPDX-License-Identifier: Apache-2.0
#pragma once
// The command line as a document names it.

#include <string>
#include <string_view>
#include <vector>

namespace ringproof::command {

/// `verb` ("litmus", "litmus barriers") with what is behind it, as a user types it: "ringproof litmus --quiet x.litmus". The
/// program of a verb sees only the verb, or its own path. `argv` begins with that.
std::vector<std::string> typed_command(std::string_view verb, int argc, const char* const* argv);

} // namespace ringproof::command
