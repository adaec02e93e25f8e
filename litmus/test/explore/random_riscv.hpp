// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small random programs of RISC-V, as random_aarch64.hpp has them of AArch64.

#include <random>
#include <string>

namespace ringproof::litmus {

/// Two to four threads and at most `accesses` instructions that access memory, at three locations: loads and stores,
/// lr and sc with and without loops, atomic operations with all annotations, fences of all kinds, dependencies through
/// addresses, data and branches. It asks for all registers that loads fill, and for the locations.
std::string random_riscv(std::mt19937& random, unsigned accesses);

} // namespace ringproof::litmus
