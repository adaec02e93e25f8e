// SPDX-License-Identifier: Apache-2.0
#pragma once
// The code of the X86 and X86_64 dialects: destination first, immediates with '$', memory in
// brackets: a location's name ([x]) or a register that holds an address ([RSI]), and a distance ([x+4], 4(%rsi)).

#include "assembly.hpp"
#include "test.hpp"

#include <array>

namespace ringproof::litmus::x86 {

/// rsp is left out: a test has no business with the stack.
enum class reg : std::uint8_t { ax, bx, cx, dx, si, di, bp, r8, r9, r10, r11, r12, r13, r14, r15 };
constexpr std::size_t reg_count = 15;

enum class opcode : std::uint8_t {
    mov,
    mfence,
    lfence,
    sfence,
    xchg,
    add,
    sub,
    and_,
    or_,
    xor_,
    inc,
    dec,
    neg,
    not_,
    xadd,
    cmpxchg,
    cmp,
    test_,
    jmp,
    jcc,
    nop,
    pause
};

/// Conditions of Jcc, in the order in which the processor encodes them; each odd one negates its
/// predecessor.
enum class flag_test : std::uint8_t { o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le, g };

struct operand {
    enum class kind : std::uint8_t { none, immediate, in_register, in_memory };
    kind what = kind::none;
    int bits = 0;            ///< in_register: 8, 16, 32 or 64
    reg name = reg::ax;      ///< in_register; in_memory: the register that holds the address
    std::string symbol;      ///< in_memory: the location, or empty for an address in a register
    std::int64_t number = 0; ///< immediate; in_memory: bytes behind the address

    bool is_memory() const { return what == kind::in_memory; }
    bool is_register() const { return what == kind::in_register; }
};

struct instruction {
    opcode what = opcode::nop;
    flag_test when = flag_test::o; ///< jcc
    bool lock = false;             ///< a LOCK prefix, or XCHG with memory, which needs none
    int bits = 32;
    std::array<operand, 2> operands;
    std::string label;      ///< of a jump, as written
    std::size_t target = 0; ///< of a jump: index of an instruction, or one past the last
    std::size_t offset = 0; ///< in the source
};

struct thread {
    std::vector<instruction> code;
    label_list labels;
    std::array<std::int64_t, reg_count> registers{}; ///< at the start
    std::array<std::string, reg_count> addresses;    ///< at the start: the location pointed at, or ""
    std::array<int, reg_count> bits{};               ///< widest use, 0 if the test never names it
};

struct program {
    std::vector<thread> threads;
    std::vector<variable> variables;
};

bool is_dialect(std::string_view name);

/// What a reader of the program knows: words of 32 and 64 bits, each location in one size; or all sizes, and arrays.
enum class sizes : std::uint8_t { words, all };

/// Turns the cells into instructions. @throws syntax_error, also for what is legal but not
/// supported, and says which of the two it is
program parse_program(const test& t, sizes known = sizes::words);

/// The register of that name ("EAX", "rax", "r10d", "al"); false if there is none.
bool find_register(std::string_view name, reg& which, int& bits);
/// "al" for 8 bits, "ax" for 16, "eax" for 32, "rax" for 64
std::string_view register_name(reg which, int bits);
/// How wide a shown location is, and so how its value is sign-extended.
int width_of(const program& p, const location& l);

} // namespace ringproof::litmus::x86
