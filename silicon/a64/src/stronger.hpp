// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an instruction becomes when it orders more: LDR becomes LDAPR or LDAR, STR becomes STLR, or a DMB stands before
// it.

#include "instruction.hpp"
#include "weaker.hpp"

#include <ringproof/silicon/ordered.hpp>

#include <optional>

namespace ringproof::silicon::a64 {

/// Nothing where the instruction has no such form (there is no LDP that acquires), or orders so much already. The name of
/// a form with a barrier is that of the barrier.
std::optional<weaker_instruction> stronger_form(const instruction& i, added_order::kind how);

} // namespace ringproof::silicon::a64
