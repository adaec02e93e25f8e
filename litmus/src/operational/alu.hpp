// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the arithmetic instructions compute, flags included.

#include "../parse/x86.hpp"

namespace ringproof::litmus::x86 {

/// The flags that a Jcc looks at.
struct flags {
    bool carry = false, zero = false, sign = false, overflow = false, parity = false;
};

/// The result of a two-operand instruction (the destination's new value) or, for CMP and TEST, what
/// the flags are made from; for XADD the sum. One-operand instructions ignore `b`.
std::uint64_t compute(opcode what, std::uint64_t a, std::uint64_t b, int bits, flags& f);

bool taken(flag_test when, const flags& f);

} // namespace ringproof::litmus::x86
