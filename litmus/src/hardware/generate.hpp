// SPDX-License-Identifier: Apache-2.0
#pragma once
// Turns a test into C++ with inline assembly: one function per thread that runs its code on many
// instances, and one that gathers the final states and resets the instances.

#include "abi.hpp"

#include "../parse/x86.hpp"

namespace ringproof::litmus {

/// The source of a shared library that exports what abi.hpp describes.
/// @param shown the locations of a final state, in the order of its values
std::string generate(const x86::program& p, const std::vector<location>& shown);

/// The instruction as the assembler reads it, in AT&T order, operands of the enclosing asm as %[p].
std::string assembly(const x86::program& p, const x86::instruction& i);

} // namespace ringproof::litmus
