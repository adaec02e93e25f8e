// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/program.hpp"
#include "code_operands.hpp"
#include "known_functions.hpp"

#include <cstdint>

namespace ringproof::verify {

/// Follows the ways on from where a thread stands, for dead_state.cpp, which has the argument.
class code_paths {
  public:
    explicit code_paths(const program& p) : program_(p), functions_(p.memory()) {}
    /// Whether each way on from there overwrites all that differs before it reads any of it.
    /// @param stack the thread's, whole, without its thread_local variables
    /// @param followed the end of the part of the stack to which no address is known but in it and in registers
    bool all_overwrite(const machine& from, const memory_range& stack, std::uintptr_t followed);
    /// The same with numbers, where a way jumps by a table, or a branch goes one way only. What differs may be copied.
    /// @param kept up to there, numbers on the stack are kept: no other address leads there
    bool all_overwrite_with_numbers(const machine& from, const memory_range& stack, std::uintptr_t followed,
                                    std::uintptr_t kept);
    /// The same where a register alone differs: in whatever library the ways are, as none of them knows of registers.
    bool all_overwrite_result(const machine& from, const memory_range& stack);
    /// Whether no way on reads any word that differs, by ways around calls, and for each word one overwrites it.
    bool all_forget(const machine& from, const memory_range& stack, std::uintptr_t followed);
    machine_code& code() { return code_; }

  private:
    class walk;

    const program& program_;
    machine_code code_;
    known_functions functions_;
};

} // namespace ringproof::verify
