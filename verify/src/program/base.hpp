// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringproof::verify {

/// Where the executable lies in this process: elsewhere in another one.
std::uintptr_t program_base();
/// Whether the executable has this address: its code, or its data.
bool in_executable(std::uintptr_t address);

} // namespace ringproof::verify
