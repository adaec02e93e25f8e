// SPDX-License-Identifier: Apache-2.0
#pragma once
// The program's machine code: what an instruction reads and writes, as far as that is to be known.

#include <cstdint>
#include <unordered_map>

namespace ringproof::verify {

/// General registers by the numbers that instructions have for them.
enum general_register : std::int8_t {
    rax,
    rcx,
    rdx,
    rbx,
    rsp,
    rbp,
    rsi,
    rdi,
    r8,
    r9,
    r12 = 12,
    r13,
    r14,
    r15,
    no_register = -1
};

struct operand {
    enum class kind : std::uint8_t {
        nothing, ///< or what is of no interest: a vector register, memory by a segment register
        number,  ///< `offset`
        general, ///< register `base`
        memory,  ///< at base + index * scale + offset
        fixed    ///< memory at address `offset`
    };
    kind is = kind::nothing;
    std::uint8_t size = 0; ///< bytes
    std::int8_t base = no_register, index = no_register;
    std::uint8_t scale = 1; ///< of `index`
    std::int64_t offset = 0;
};

struct instruction {
    enum class kind : std::uint8_t {
        unknown,
        nothing, ///< changes no general register, and accesses no memory
        move,    ///< to := what is made of from
        combine, ///< to := what is made of to and from
        compare, ///< reads both
        clear,   ///< to := 0
        address, ///< to := the address of from
        widen,   ///< rax and rdx := what is made of rax, rdx and from
        push,
        pop,
        leave,
        call,   ///< of `target`, or of what `from` holds
        jump,   ///< likewise
        branch, ///< to `target`, or not
        leaves  ///< returns
    };
    /// What is made of the numbers, as far as addresses and indices of tables are made so. A comparison subtracts or masks.
    enum class arithmetic : std::uint8_t { other, add, subtract, mask, unite, copy, copy_signed };
    /// When a branch is taken, of the two unsigned numbers that were subtracted.
    enum class condition : std::uint8_t { other, above, above_equal, below, below_equal, equal, unequal };
    kind is = kind::unknown;
    arithmetic how = arithmetic::other;
    condition when = condition::other;
    operand to, from;
    std::uintptr_t target = 0; ///< 0: what `from` holds
    std::uintptr_t next = 0;   ///< the instruction behind
};

/// Decodes instructions, each once. x86-64.
class machine_code {
  public:
    machine_code() = default;
    ~machine_code();
    machine_code(const machine_code&) = delete;
    machine_code& operator=(const machine_code&) = delete;
    /// The instruction at `pc`, in code that ends at `end`.
    const instruction& at(std::uintptr_t pc, std::uintptr_t end);

  private:
    instruction decode(std::uintptr_t pc, std::uintptr_t end);
    std::size_t handle_ = 0; ///< of the decoder; 0: nothing was decoded yet
    std::unordered_map<std::uintptr_t, instruction> known_;
};

} // namespace ringproof::verify
