// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringproof::verify {

/// Where the executable lies in this process: elsewhere in another one.
std::uintptr_t program_base();
/// Whether the executable has this address: its code, or its data.
bool in_executable(std::uintptr_t address);
/// A number for memory of the program under test that is the same in each process that runs it: for that of the executable
/// where it lies there, for heaps and stacks the address. 0 where there is none, for data of a library.
std::uint64_t place_of(std::uintptr_t address);
std::uintptr_t address_of_place(std::uint64_t place);

} // namespace ringproof::verify
