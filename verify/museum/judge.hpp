// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a result is what an exhibit says, and what all of them together are.

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <string_view>

namespace ringproof::verify {

/// Adds "expected" and "ok" to a result of the checker, and "message" where the refutation is of another bug.
/// @param broken the source is the one before the fix
/// @param shows how the message of the published bug's counterexample begins
void judge(command::json& result, bool broken, std::string_view shows);

/// Of judged results and skipped ones: the worst. An error comes first: nothing was searched there.
command::exit_code code_of(const command::json& results);

} // namespace ringproof::verify
