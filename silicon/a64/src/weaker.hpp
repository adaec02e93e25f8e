// SPDX-License-Identifier: Apache-2.0
#pragma once
// What remains of an instruction when it orders less: LDAR becomes LDAPR or LDR, STLR becomes STR, DMB nothing.

#include "instruction.hpp"

#include <vector>

namespace ringproof::silicon::a64 {

struct weaker_instruction {
    std::string name; ///< "ldr", "dmb ishld", "no barrier"
    instruction does;
};

/// The weaker forms, the weakest first; none of an instruction that orders nothing.
std::vector<weaker_instruction> weaker_forms(const instruction& i);

/// "ldar", "swpal", "dmb ish": without operands; empty for what orders nothing.
std::string name_of(const instruction& i);
/// The same of any access: "ldr", "stxr".
std::string name_of_any(const instruction& i);

} // namespace ringproof::silicon::a64
