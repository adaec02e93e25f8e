// SPDX-License-Identifier: Apache-2.0
#include "code.hpp"

#include <algorithm>
#include <capstone/capstone.h>
#include <span>

namespace ringproof::verify {
namespace {

using kind = instruction::kind;

/// The general register that `r` is or is a part of, or no_register; and its size.
struct part {
    std::int8_t of;
    std::uint8_t size;
};
part general(unsigned r) {
    // In the order of their numbers: 8, 16, 32 and 64 bits.
    static constexpr unsigned names[16][4] = {{X86_REG_AL, X86_REG_AX, X86_REG_EAX, X86_REG_RAX},
                                              {X86_REG_CL, X86_REG_CX, X86_REG_ECX, X86_REG_RCX},
                                              {X86_REG_DL, X86_REG_DX, X86_REG_EDX, X86_REG_RDX},
                                              {X86_REG_BL, X86_REG_BX, X86_REG_EBX, X86_REG_RBX},
                                              {X86_REG_SPL, X86_REG_SP, X86_REG_ESP, X86_REG_RSP},
                                              {X86_REG_BPL, X86_REG_BP, X86_REG_EBP, X86_REG_RBP},
                                              {X86_REG_SIL, X86_REG_SI, X86_REG_ESI, X86_REG_RSI},
                                              {X86_REG_DIL, X86_REG_DI, X86_REG_EDI, X86_REG_RDI},
                                              {X86_REG_R8B, X86_REG_R8W, X86_REG_R8D, X86_REG_R8},
                                              {X86_REG_R9B, X86_REG_R9W, X86_REG_R9D, X86_REG_R9},
                                              {X86_REG_R10B, X86_REG_R10W, X86_REG_R10D, X86_REG_R10},
                                              {X86_REG_R11B, X86_REG_R11W, X86_REG_R11D, X86_REG_R11},
                                              {X86_REG_R12B, X86_REG_R12W, X86_REG_R12D, X86_REG_R12},
                                              {X86_REG_R13B, X86_REG_R13W, X86_REG_R13D, X86_REG_R13},
                                              {X86_REG_R14B, X86_REG_R14W, X86_REG_R14D, X86_REG_R14},
                                              {X86_REG_R15B, X86_REG_R15W, X86_REG_R15D, X86_REG_R15}};
    for (std::int8_t n = 0; n < 16; ++n)
        for (unsigned width = 0; width < 4; ++width)
            if (names[n][width] == r) return {n, static_cast<std::uint8_t>(1u << width)};
    return {no_register, 0};
}

bool is_vector(unsigned r) {
    return (r >= X86_REG_XMM0 && r <= X86_REG_XMM31) || (r >= X86_REG_YMM0 && r <= X86_REG_YMM31);
}

/// @return false when what it is isn't known
bool convert(const cs_x86_op& from, std::uintptr_t next, operand& to) {
    to.size = from.size;
    if (from.type == X86_OP_IMM) {
        to.is = operand::kind::number;
        to.offset = from.imm;
        return true;
    }
    if (from.type == X86_OP_REG) {
        const part p = general(from.reg);
        if (p.of == no_register) return is_vector(from.reg);
        to.is = operand::kind::general;
        to.base = p.of;
        to.size = p.size;
        return true;
    }
    if (from.type != X86_OP_MEM) return false;
    // What belongs to a thread by a segment register is on no stack.
    if (from.mem.segment != X86_REG_INVALID) return true;
    to.is = operand::kind::memory;
    to.offset = from.mem.disp;
    to.scale = static_cast<std::uint8_t>(from.mem.scale);
    if (from.mem.base == X86_REG_RIP) {
        to.is = operand::kind::fixed;
        to.offset += static_cast<std::int64_t>(next);
        return from.mem.index == X86_REG_INVALID;
    }
    if (from.mem.base != X86_REG_INVALID && (to.base = general(from.mem.base).of) == no_register)
        return false;
    if (from.mem.index != X86_REG_INVALID && (to.index = general(from.mem.index).of) == no_register)
        return false;
    if (to.base == no_register && to.index == no_register) to.is = operand::kind::fixed;
    return true;
}

// What is understood, and as what.
constexpr unsigned for_nothing[] = {X86_INS_NOP, X86_INS_ENDBR64, X86_INS_PAUSE};
constexpr unsigned for_move[] = {
    X86_INS_MOV,    X86_INS_MOVABS, X86_INS_MOVZX,  X86_INS_MOVSX,  X86_INS_MOVSXD, X86_INS_MOVAPS,
    X86_INS_MOVUPS, X86_INS_MOVAPD, X86_INS_MOVUPD, X86_INS_MOVDQA, X86_INS_MOVDQU, X86_INS_MOVQ,
    X86_INS_MOVD,   X86_INS_MOVSS,  X86_INS_SETA,   X86_INS_SETAE,  X86_INS_SETB,   X86_INS_SETBE,
    X86_INS_SETE,   X86_INS_SETG,   X86_INS_SETGE,  X86_INS_SETL,   X86_INS_SETLE,  X86_INS_SETNE,
    X86_INS_SETNS,  X86_INS_SETS};
constexpr unsigned for_combine[] = {
    X86_INS_ADD,    X86_INS_ADC,        X86_INS_SUB,    X86_INS_SBB,    X86_INS_AND,    X86_INS_OR,
    X86_INS_XOR,    X86_INS_SHL,        X86_INS_SHR,    X86_INS_SAL,    X86_INS_SAR,    X86_INS_ROL,
    X86_INS_ROR,    X86_INS_INC,        X86_INS_DEC,    X86_INS_NEG,    X86_INS_NOT,    X86_INS_PXOR,
    X86_INS_XORPS,  X86_INS_PUNPCKLQDQ, X86_INS_CMOVA,  X86_INS_CMOVAE, X86_INS_CMOVB,  X86_INS_CMOVBE,
    X86_INS_CMOVE,  X86_INS_CMOVG,      X86_INS_CMOVGE, X86_INS_CMOVL,  X86_INS_CMOVLE, X86_INS_CMOVNE,
    X86_INS_CMOVNS, X86_INS_CMOVS,      X86_INS_IMUL};
constexpr unsigned for_compare[] = {X86_INS_CMP, X86_INS_TEST, X86_INS_BT};
constexpr unsigned for_widen[] = {X86_INS_CDQE, X86_INS_CWDE, X86_INS_CDQ, X86_INS_CQO,
                                  X86_INS_MUL,  X86_INS_DIV,  X86_INS_IDIV};
constexpr unsigned for_branch[] = {
    X86_INS_JA,  X86_INS_JAE, X86_INS_JB,  X86_INS_JBE, X86_INS_JE,  X86_INS_JG, X86_INS_JGE, X86_INS_JL,
    X86_INS_JLE, X86_INS_JNE, X86_INS_JNO, X86_INS_JNP, X86_INS_JNS, X86_INS_JO, X86_INS_JP,  X86_INS_JS};
constexpr unsigned for_address[] = {X86_INS_LEA};
constexpr unsigned for_push[] = {X86_INS_PUSH};
constexpr unsigned for_pop[] = {X86_INS_POP};
constexpr unsigned for_leave[] = {X86_INS_LEAVE};
constexpr unsigned for_call[] = {X86_INS_CALL};
constexpr unsigned for_jump[] = {X86_INS_JMP};
constexpr unsigned for_leaves[] = {X86_INS_RET};
constexpr struct {
    kind is;
    std::span<const unsigned> instructions;
} understood[] = {{kind::nothing, for_nothing}, {kind::move, for_move},       {kind::combine, for_combine},
                  {kind::compare, for_compare}, {kind::address, for_address}, {kind::widen, for_widen},
                  {kind::push, for_push},       {kind::pop, for_pop},         {kind::leave, for_leave},
                  {kind::call, for_call},       {kind::jump, for_jump},       {kind::leaves, for_leaves},
                  {kind::branch, for_branch}};

kind kind_of(unsigned id) {
    for (const auto& [is, instructions] : understood)
        if (std::find(instructions.begin(), instructions.end(), id) != instructions.end()) return is;
    return kind::unknown;
}

instruction::arithmetic arithmetic_of(unsigned id) {
    switch (id) {
    case X86_INS_ADD:
        return instruction::arithmetic::add;
    case X86_INS_SUB:
    case X86_INS_CMP:
        return instruction::arithmetic::subtract;
    case X86_INS_AND:
    case X86_INS_TEST:
        return instruction::arithmetic::mask;
    case X86_INS_OR:
        return instruction::arithmetic::unite;
    case X86_INS_MOV:
    case X86_INS_MOVABS:
    case X86_INS_MOVZX:
        return instruction::arithmetic::copy;
    case X86_INS_MOVSX:
    case X86_INS_MOVSXD:
        return instruction::arithmetic::copy_signed;
    default:
        return instruction::arithmetic::other;
    }
}

instruction::condition condition_of(unsigned id) {
    switch (id) {
    case X86_INS_JA:
        return instruction::condition::above;
    case X86_INS_JAE:
        return instruction::condition::above_equal;
    case X86_INS_JB:
        return instruction::condition::below;
    case X86_INS_JBE:
        return instruction::condition::below_equal;
    case X86_INS_JE:
        return instruction::condition::equal;
    case X86_INS_JNE:
        return instruction::condition::unequal;
    default:
        return instruction::condition::other;
    }
}

bool goes_elsewhere(kind k) { return k == kind::call || k == kind::jump || k == kind::branch; }

/// @return false when it does what is not known
bool fill(const cs_x86& x, unsigned id, instruction& made) {
    if (x.prefix[0] == X86_PREFIX_LOCK) return false; // inline assembly
    if (goes_elsewhere(made.is) && x.op_count == 1 && x.operands[0].type == X86_OP_IMM) {
        made.target = static_cast<std::uintptr_t>(x.operands[0].imm);
        return true;
    }
    if (id == X86_INS_IMUL && x.op_count != 2) made.is = x.op_count == 1 ? kind::widen : kind::move;
    if (x.op_count == 0 || made.is == kind::leaves || made.is == kind::nothing) return true;
    if (id == X86_INS_BT && x.operands[0].type == X86_OP_MEM) return false; // the bit may be anywhere
    if (goes_elsewhere(made.is) || made.is == kind::push || made.is == kind::widen)
        return x.op_count == 1 && convert(x.operands[0], made.next, made.from);
    if (!convert(x.operands[0], made.next, made.to)) return false;
    if (x.op_count >= 2 && !convert(x.operands[1], made.next, made.from)) return false;
    if (x.op_count == 3 && x.operands[2].type != X86_OP_IMM) return false;
    const bool with_itself = (id == X86_INS_XOR || id == X86_INS_SUB) &&
                             made.to.is == operand::kind::general && made.from.is == operand::kind::general &&
                             made.to.base == made.from.base && made.to.size == made.from.size;
    if (with_itself) made.is = kind::clear;
    return x.op_count <= 3;
}

} // namespace

machine_code::~machine_code() {
    csh handle = handle_;
    if (handle != 0) cs_close(&handle);
}

instruction machine_code::decode(std::uintptr_t pc, std::uintptr_t end) {
    instruction made;
    if (csh handle = 0; handle_ == 0 && cs_open(CS_ARCH_X86, CS_MODE_64, &handle) == CS_ERR_OK) {
        cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
        handle_ = handle;
    }
    constexpr std::size_t longest = 15;
    const std::size_t there = std::min<std::size_t>(longest, end - pc);
    cs_insn* decoded = nullptr;
    if (handle_ == 0 ||
        cs_disasm(handle_, reinterpret_cast<const std::uint8_t*>(pc), there, pc, 1, &decoded) != 1)
        return made;
    made.next = pc + decoded->size;
    made.is = kind_of(decoded->id);
    made.how = arithmetic_of(decoded->id);
    made.when = condition_of(decoded->id);
    if (made.is != kind::unknown && !fill(decoded->detail->x86, decoded->id, made)) made.is = kind::unknown;
    cs_free(decoded, 1);
    return made;
}

const instruction& machine_code::at(std::uintptr_t pc, std::uintptr_t end) {
    const auto found = known_.find(pc);
    return found != known_.end() ? found->second : known_.emplace(pc, decode(pc, end)).first->second;
}

} // namespace ringproof::verify
