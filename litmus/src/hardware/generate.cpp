// SPDX-License-Identifier: Apache-2.0
#include "generate.hpp"

#include "abi.hpp"
#include "frame.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus {
namespace {

using namespace x86;

const char* mnemonic(opcode what) {
    switch (what) {
    case opcode::mov:
        return "mov";
    case opcode::mfence:
        return "mfence";
    case opcode::lfence:
        return "lfence";
    case opcode::sfence:
        return "sfence";
    case opcode::xchg:
        return "xchg";
    case opcode::add:
        return "add";
    case opcode::sub:
        return "sub";
    case opcode::and_:
        return "and";
    case opcode::or_:
        return "or";
    case opcode::xor_:
        return "xor";
    case opcode::inc:
        return "inc";
    case opcode::dec:
        return "dec";
    case opcode::neg:
        return "neg";
    case opcode::not_:
        return "not";
    case opcode::xadd:
        return "xadd";
    case opcode::cmpxchg:
        return "cmpxchg";
    case opcode::cmp:
        return "cmp";
    case opcode::test_:
        return "test";
    case opcode::jmp:
        return "jmp";
    case opcode::jcc:
        return "j";
    case opcode::nop:
        return "nop";
    case opcode::pause:
        return "pause";
    }
    return "";
}

constexpr const char* flag_suffix[] = {"o", "no", "b", "ae", "e", "ne", "be", "a",
                                       "s", "ns", "p", "np", "l", "ge", "le", "g"};

// Labels carry %= so that they stay unique when the compiler copies the asm.
std::string label(std::size_t index) { return fmt::format(".Lringproof_%=_{}", index); }

std::string operand_text(const program& p, const operand& o, int bits) {
    if (o.what == operand::kind::immediate) {
        // 32-bit operands may be written signed or unsigned; the assembler wants one of them.
        const std::int64_t n = bits == 32 ? static_cast<std::int32_t>(o.number) : o.number;
        return fmt::format("${}", n);
    }
    if (o.is_register()) return fmt::format("%%{}", register_name(o.name, o.bits));
    if (o.symbol.empty()) return fmt::format("(%%{})", register_name(o.name, 64));
    return fmt::format("{}(%[p])", find_variable(p.variables, o.symbol) * variable_pitch);
}

/// The constraint letter where one exists; others need a register variable. Operands are "+&", or the
/// compiler may keep [p] in a register that the test changes.
const char* constraint(reg r) {
    switch (r) {
    case reg::ax:
        return "a";
    case reg::bx:
        return "b";
    case reg::cx:
        return "c";
    case reg::dx:
        return "d";
    case reg::si:
        return "S";
    case reg::di:
        return "D";
    default:
        return nullptr;
    }
}

struct output {
    std::size_t state_index;
    reg from;
    int bits;
};

/// The shown registers of a thread.
std::vector<output> outputs_of(std::size_t thread_index, const std::vector<location>& shown) {
    std::vector<output> outputs;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (shown[i].thread != static_cast<int>(thread_index)) continue;
        output o{i, reg::ax, 32};
        find_register(shown[i].name, o.from, o.bits);
        outputs.push_back(o);
    }
    return outputs;
}

std::string output_lines(const std::vector<output>& outputs) {
    std::string s;
    for (const output& o : outputs)
        s += fmt::format("        o[k].v{} = ({}){};\n", o.state_index, frame::type_of(o.bits),
                         register_name(o.from, 64));
    return s;
}

/// The registers that a thread names.
std::vector<std::size_t> registers_of(const thread& t) {
    std::vector<std::size_t> used;
    for (std::size_t r = 0; r < reg_count; ++r)
        if (t.bits[r] != 0) used.push_back(r);
    return used;
}

/// Adds to the code a variable that lives in the register, and to the operands of the asm its use.
void declare_register(std::size_t r, const std::string& value, std::string& code, std::string& operands) {
    const reg name = static_cast<reg>(r);
    const char* letter = constraint(name);
    const std::string_view wide = register_name(name, 64);
    code += letter ? fmt::format("        u64 {} = {};\n", wide, value)
                   : fmt::format("        register u64 {0} asm(\"{0}\") = {1};\n", wide, value);
    operands += fmt::format("{}\"+&{}\"({})", operands.empty() ? "" : ", ", letter ? letter : "r", wide);
}

bool jumps(const thread& t) {
    return std::any_of(t.code.begin(), t.code.end(), [](const instruction& i) { return !i.label.empty(); });
}

/// The thread once more, a function per instruction. Flags are not kept from one to the next: only
/// jumps read them, and a thread that jumps has no steps.
std::string step_code(const program& p, std::size_t index, const std::vector<output>& outputs) {
    const thread& t = p.threads[index];
    const std::size_t count = jumps(t) ? 0 : t.code.size();
    const std::vector<std::size_t> registers = registers_of(t);
    std::string s, table;
    for (std::size_t i = 0; i < count; ++i) {
        s += fmt::format("static void step_{}_{}(char* base, const u32* order, u64 from, u64 to, char* out, "
                         "u64* saved) {{\n"
                         "    struct out_{}* o = (struct out_{}*)out;\n    (void)o, (void)saved;\n"
                         "    for (u64 k = from; k < to; ++k) {{\n        char* p = base + order[k];\n",
                         index, i, index, index);
        std::string operands;
        for (std::size_t n = 0; n < registers.size(); ++n) {
            const std::size_t r = registers[n];
            std::string value = fmt::format("saved[k * {} + {}]", registers.size(), n);
            if (i == 0 && t.addresses[r].empty())
                value = fmt::format("{}ull", static_cast<std::uint64_t>(t.registers[r]));
            else if (i == 0)
                value =
                    fmt::format("(u64)(p + {})", find_variable(p.variables, t.addresses[r]) * variable_pitch);
            declare_register(r, value, s, operands);
        }
        s += fmt::format("        asm volatile(\"{}\" : {} : [p] \"r\"(p) : \"memory\", \"cc\");\n",
                         assembly(p, t.code[i]), operands);
        if (i + 1 < count)
            for (std::size_t n = 0; n < registers.size(); ++n)
                s += fmt::format("        saved[k * {} + {}] = {};\n", registers.size(), n,
                                 register_name(static_cast<reg>(registers[n]), 64));
        else
            s += output_lines(outputs);
        s += "    }\n}\n";
        table += fmt::format("step_{}_{}, ", index, i);
    }
    if (count == 0) return "";
    return s + fmt::format("static const step_function steps_{}[] = {{{}0}};\n", index, table);
}

std::string thread_code(const program& p, std::size_t index, const std::vector<output>& outputs) {
    const thread& t = p.threads[index];
    std::string s = frame::run_head(index);
    std::string operands;
    for (const std::size_t r : registers_of(t)) {
        const std::string value =
            t.addresses[r].empty()
                ? fmt::format("{}ull", static_cast<std::uint64_t>(t.registers[r]))
                : fmt::format("(u64)(p + {})", find_variable(p.variables, t.addresses[r]) * variable_pitch);
        declare_register(r, value, s, operands);
    }
    s += "        asm volatile(\n";
    for (std::size_t i = 0; i <= t.code.size(); ++i) {
        if (std::any_of(t.code.begin(), t.code.end(),
                        [&](const instruction& j) { return !j.label.empty() && j.target == i; }))
            s += fmt::format("            \"{}:\\n\"\n", label(i));
        if (i < t.code.size()) s += fmt::format("            \"{}\\n\"\n", assembly(p, t.code[i]));
    }
    s += fmt::format("            \"\"\n            : {} : [p] \"r\"(p) : \"memory\", \"cc\");\n", operands);
    return s + output_lines(outputs) + "    }\n}\n";
}

void add_once(std::vector<std::size_t>& to, std::size_t v) {
    if (std::find(to.begin(), to.end(), v) == to.end()) to.push_back(v);
}

/// Variables that the thread loads by a plain MOV, and those it writes to, by name.
void find_accesses(const program& p, const thread& t, frame::description& d) {
    d.loads.emplace_back();
    d.stores.emplace_back();
    for (const instruction& i : t.code) {
        const auto& [to, from] = i.operands;
        if (i.what == opcode::mov && from.is_memory() && !from.symbol.empty())
            add_once(d.loads.back(), find_variable(p.variables, from.symbol));
        if (i.what != opcode::cmp && i.what != opcode::test_ && to.is_memory() && !to.symbol.empty())
            add_once(d.stores.back(), find_variable(p.variables, to.symbol));
    }
}

} // namespace

std::string assembly(const program& p, const instruction& i) {
    if (i.what == opcode::jmp) return fmt::format("jmp {}", label(i.target));
    if (i.what == opcode::jcc)
        return fmt::format("j{} {}", flag_suffix[static_cast<std::size_t>(i.when)], label(i.target));
    std::string s = i.lock && i.what != opcode::xchg ? "lock " : "";
    s += mnemonic(i.what);
    const auto& [to, from] = i.operands;
    if (to.what == operand::kind::none) return s;
    // A 64-bit constant needs the one instruction that can hold it.
    const bool big =
        from.what == operand::kind::immediate && static_cast<std::int32_t>(from.number) != from.number;
    if (i.bits == 64 && big) s += "abs";
    s += i.bits == 64 ? "q " : "l ";
    if (from.what != operand::kind::none) s += operand_text(p, from, i.bits) + ", ";
    return s + operand_text(p, to, i.bits);
}

std::string generate(const program& p, const std::vector<location>& shown) {
    frame::description d;
    d.variables = p.variables;
    std::string s = frame::prologue();
    std::vector<frame::steps> steps;
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
        const std::vector<output> outputs = outputs_of(t, shown);
        d.outputs.emplace_back();
        for (const output& o : outputs) d.outputs.back().push_back({o.state_index, o.bits});
        find_accesses(p, p.threads[t], d);
        s += frame::out_struct(d, t) + thread_code(p, t, outputs) + step_code(p, t, outputs) +
             frame::hints(d, t);
        steps.push_back(
            {jumps(p.threads[t]) ? 0 : p.threads[t].code.size(), registers_of(p.threads[t]).size()});
    }
    return s + frame::collect(d, shown) + frame::table(d, steps);
}

} // namespace ringproof::litmus
