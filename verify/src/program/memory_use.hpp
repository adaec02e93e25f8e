// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringproof::verify {

/// Bytes of memory that this process holds now (its resident set). 0 where the system does not say.
std::uint64_t memory_in_use();

/// Bytes that processes can still get here: of the machine, or of the container if that has fewer. 0 where the
/// system does not say.
std::uint64_t memory_available();

} // namespace ringproof::verify
