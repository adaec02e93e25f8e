// SPDX-License-Identifier: Apache-2.0
#pragma once
// What AArch64 and RISC-V code has in common as text: an instruction a cell, labels, comma-separated
// operands. Each architecture gives meaning to mnemonics and operands.

#include "../parse/assembly.hpp"
#include "program.hpp"

namespace ringproof::litmus {

struct asm_instruction {
    std::string name;                  ///< in lower case
    std::vector<std::string> operands; ///< "[x1, w4, sxtw]" is one
    std::size_t offset = 0;
};

struct asm_thread {
    std::vector<asm_instruction> code;
    label_list labels;
};

constexpr std::size_t most_instructions = 10'000;

asm_thread parse_assembly(const test& t, const std::vector<cell>& cells);

/// A decimal or hexadecimal number with an optional sign and '#'.
bool parse_immediate(std::string_view text, std::int64_t& number);

} // namespace ringproof::litmus
