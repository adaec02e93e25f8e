// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small random C11 programs for compilers: every kind of read-modify-write and fence, and results that nothing uses, since
// that is where compilers choose other instructions.

#include <random>
#include <string>

namespace ringproof::litmus::compiled {

/// Two or three threads with two or three accesses each to two or three locations. No accesses but atomic ones, so that
/// there is no data race.
std::string random_c11(std::mt19937& random);

} // namespace ringproof::litmus::compiled
