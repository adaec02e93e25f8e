// SPDX-License-Identifier: Apache-2.0
#pragma once
// The instructions of one x86 thread: Intel's order of operands, or AT&T's where '%' or '(' shows it.

#include "x86.hpp"

namespace ringproof::litmus::x86 {

/// A thread's column of the test. Widths that only a variable's declaration settles are left 0.
/// @throws syntax_error
thread parse_thread(const test& t, const std::vector<cell>& cells);

} // namespace ringproof::litmus::x86
