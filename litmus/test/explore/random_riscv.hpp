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

/// A thread between two accesses, to x and to y, and a thread that sees whether they come about in their order: an
/// order of the thread that a model lacks, or has too much, shows. Often a third thread writes what is read between.
std::string surrounded_riscv(std::mt19937& random);

} // namespace ringproof::litmus
