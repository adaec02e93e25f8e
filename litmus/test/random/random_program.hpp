// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small random programs, which are no cycles: what two enumerations are compared on.

#include <random>
#include <string>

namespace ringproof::litmus {

/// A test of this dialect ("X86", "AArch64", "RISCV", "C11", "kernel", or "locks": that with more locks) with two or three threads and at most six
/// accesses to two locations. It asks for all registers that loads fill, and for the locations.
std::string random_program(const std::string& dialect, std::mt19937& random);

} // namespace ringproof::litmus
