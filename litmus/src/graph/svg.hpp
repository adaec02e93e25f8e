// SPDX-License-Identifier: Apache-2.0
#pragma once
// An execution as a picture: a column per thread, initial writes above, one arrow per pair of each
// relation. The same execution always gives the same bytes.

#include "../enumerate/execution.hpp"

namespace ringproof::litmus {

/// "a", …, "z", "e26", …: the name of an event in pictures
std::string event_name(std::size_t index);
/// "a: R[ACQ] x=1"
std::string event_text(const execution& x, std::size_t index);

/// `title` is the first line. Needs no other file to be shown.
std::string to_svg(const execution& x, const std::string& title);

} // namespace ringproof::litmus
