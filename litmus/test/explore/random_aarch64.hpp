// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small random programs of AArch64 with everything that the front end knows: what two engines are compared on.

#include <random>
#include <string>

namespace ringproof::litmus {

/// Two to four threads and at most `accesses` instructions that access memory, at three locations: ordinary, acquire
/// and release accesses, exclusives with and without loops, atomic instructions, barriers of all kinds, dependencies
/// through addresses, data, branches and selects. It asks for all registers that loads fill, and for the locations.
std::string random_aarch64(std::mt19937& random, unsigned accesses);

/// A thread between two accesses, to x and to y, and a thread that sees whether they come about in their order: an
/// order of the thread that a model lacks, or has too much, shows. Often a third thread writes what is read between.
std::string surrounded_aarch64(std::mt19937& random);

} // namespace ringproof::litmus
