// SPDX-License-Identifier: Apache-2.0
#pragma once
// Turns a test into C, with inline assembly if the test is assembly: one function per thread that runs
// its code on many instances, and one that gathers the final states and resets the instances.

#include "abi.hpp"

#include "../parse/x86.hpp"

namespace ringproof::litmus {

/// The source of a shared library that exports what abi.hpp describes.
/// @param shown the locations of a final state, in the order of its values
std::string generate(const x86::program& p, const std::vector<location>& shown);
/// The same for a test in C, with the macros of the Linux kernel or C11's atomics.
/// @throws not_on_this_machine for what only the simulator knows: RCU, addresses as values
std::string generate_c(const test& t, bool linux_kernel, const std::vector<location>& shown);
/// The same for AArch64. @throws not_on_this_machine as above
std::string generate_aarch64(const test& t, const std::vector<location>& shown);

/// The instruction as the assembler reads it, in AT&T order, operands of the enclosing asm as %[p].
std::string assembly(const x86::program& p, const x86::instruction& i);

} // namespace ringproof::litmus
