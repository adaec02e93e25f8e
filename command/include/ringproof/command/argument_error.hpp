// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is wrong with a command line, in words that say what to do.

#include <string>
#include <string_view>

namespace ringproof::command {

/// The sentence for an error of the command line library.
/// @param kind its name of the error, "ValidationError"
/// @param what its own message, "--model: rc12 not in {sc,rc11}"
/// @return "--model: 'rc12' is none of sc, rc11: did you mean 'rc11'?"; `what` where there is nothing better
std::string argument_sentence(std::string_view kind, std::string_view what);

} // namespace ringproof::command
