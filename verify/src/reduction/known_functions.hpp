// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/memory.hpp"

#include <cstdint>
#include <unordered_map>

namespace ringproof::verify {

/// What a function of the checker reads of the program's memory, and writes: what its arguments point to.
struct known_function {
    int arguments = -1;           ///< how many it has; -1: it is not known
    bool ends = false;            ///< the execution, with an error
    bool throws = false;          ///< an exception
    bool keeps_registers = false; ///< it returns with rbx, rbp and r12 to r15 as they were
    bool keeps_all = false;       ///< it returns with all registers and flags as they were
    bool announces = false;       ///< a compiler has it called before an access
    bool goes_elsewhere = false;  ///< it may return to another place, or twice
    /// Bytes at the address in the first argument, and in the second; 0: any number
    std::uint8_t first = 0, second = 0;
};

/// The functions that are none of the program's and read the program's memory through their arguments alone.
class known_functions {
  public:
    explicit known_functions(const program_memory& memory) : memory_(memory) {}
    /// The one that begins at `function`, or one of which nothing is known.
    known_function of(std::uintptr_t function);

  private:
    const program_memory& memory_;
    std::unordered_map<std::uintptr_t, known_function> known_; ///< by address
};

} // namespace ringproof::verify
