// SPDX-License-Identifier: Apache-2.0
#pragma once
// Under which model the search goes on, for those that the search does not ask.

#include <string_view>

namespace ringproof::verify {

/// @param name as model::name() says it, which is a literal
void note_searched_model(std::string_view name);
/// That of the newest search: there is one at a time.
std::string_view searched_model();

} // namespace ringproof::verify
