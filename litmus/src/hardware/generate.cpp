// SPDX-License-Identifier: Apache-2.0
#include "generate.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus {
namespace {

using namespace x86;

constexpr const char* prologue = R"(typedef unsigned long long u64;
typedef long long i64;
typedef unsigned u32;
typedef void (*step_function)(char*, const u32*, u64, u64, char*, u64*);
struct state_table { u64* counts; i64* values; u64 mask; u64 used; };
struct generated_test {
    u64 threads, instance_bytes;
    const u64* out_bytes;
    void (*const* run)(char*, const u32*, u64, u64, char*);
    void (*const* touch)(char*, const u32*, u64, u64);
    const u64* steps;
    step_function const* const* step;
    const u64* saved_words;
    u64 (*collect)(char*, const u32*, u64, u64, char* const*, state_table*);
    void (*reset)(char*, const u32*, u64, u64);
};
namespace {
)";

const char* type_of(int bits) { return bits == 64 ? "i64" : "int"; }

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
    return fmt::format("{}(%[p])", find_variable(p, o.symbol) * variable_pitch);
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

/// The shown registers of a thread, wide ones first so that none lies misaligned.
std::vector<output> outputs_of(std::size_t thread_index, const std::vector<location>& shown) {
    std::vector<output> outputs;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (shown[i].thread != static_cast<int>(thread_index)) continue;
        output o{i, reg::ax, 32};
        find_register(shown[i].name, o.from, o.bits);
        outputs.push_back(o);
    }
    std::stable_sort(outputs.begin(), outputs.end(),
                     [](const output& a, const output& b) { return a.bits > b.bits; });
    return outputs;
}

std::string output_lines(const std::vector<output>& outputs) {
    std::string s;
    for (const output& o : outputs)
        s += fmt::format("        o[k].v{} = static_cast<{}>({});\n", o.state_index, type_of(o.bits),
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
        s += fmt::format(
            "void step_{}_{}(char* base, const u32* order, u64 from, u64 to, char* out, u64* saved) {{\n"
            "    out_{}* o = reinterpret_cast<out_{}*>(out);\n    (void)o, (void)saved;\n"
            "    for (u64 k = from; k < to; ++k) {{\n        char* p = base + order[k];\n",
            index, i, index, index);
        std::string operands;
        for (std::size_t n = 0; n < registers.size(); ++n) {
            const std::size_t r = registers[n];
            std::string value = fmt::format("saved[k * {} + {}]", registers.size(), n);
            if (i == 0 && t.addresses[r].empty())
                value = fmt::format("{}ull", static_cast<std::uint64_t>(t.registers[r]));
            else if (i == 0)
                value = fmt::format("reinterpret_cast<u64>(p + {})",
                                    find_variable(p, t.addresses[r]) * variable_pitch);
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
    return s + fmt::format("const step_function steps_{}[] = {{{}nullptr}};\n", index, table);
}

std::string thread_code(const program& p, std::size_t index, const std::vector<output>& outputs) {
    const thread& t = p.threads[index];
    std::string s = fmt::format("struct out_{} {{", index);
    for (const output& o : outputs) s += fmt::format(" {} v{};", type_of(o.bits), o.state_index);
    if (outputs.empty()) s += " char none;";
    s += fmt::format(" }};\nvoid run_{}(char* base, const u32* order, u64 from, u64 to, char* out) {{\n"
                     "    out_{}* o = reinterpret_cast<out_{}*>(out);\n"
                     "    for (u64 k = from; k < to; ++k) {{\n        char* p = base + order[k];\n",
                     index, index, index);
    std::string operands;
    for (const std::size_t r : registers_of(t)) {
        const std::string value = t.addresses[r].empty()
                                      ? fmt::format("{}ull", static_cast<std::uint64_t>(t.registers[r]))
                                      : fmt::format("reinterpret_cast<u64>(p + {})",
                                                    find_variable(p, t.addresses[r]) * variable_pitch);
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
    s += output_lines(outputs);
    s += "    }\n}\n";

    s += fmt::format("void touch_{}(char* base, const u32* order, u64 from, u64 to) {{\n", index);
    std::vector<std::size_t> loads;
    for (const instruction& i : t.code) {
        const operand& source = i.operands[1];
        if (i.what != opcode::mov || !source.is_memory() || source.symbol.empty()) continue;
        const std::size_t v = find_variable(p, source.symbol);
        if (std::find(loads.begin(), loads.end(), v) == loads.end()) loads.push_back(v);
    }
    if (loads.empty()) return s + "    (void)base, (void)order, (void)from, (void)to;\n}\n";
    s += "    for (u64 k = from; k < to; ++k) {\n";
    for (const std::size_t v : loads)
        s += fmt::format("        __builtin_prefetch(base + order[k] + {});\n", v * variable_pitch);
    return s + "    }\n}\n";
}

std::string reset_lines(const program& p) {
    std::string s;
    for (std::size_t v = 0; v < p.variables.size(); ++v)
        s += fmt::format("        *reinterpret_cast<{}*>(p + {}) = static_cast<{}>({}ull);\n",
                         type_of(p.variables[v].bits), v * variable_pitch, type_of(p.variables[v].bits),
                         static_cast<std::uint64_t>(p.variables[v].initial));
    return s;
}

std::string collect_code(const program& p, const std::vector<location>& shown,
                         const std::vector<std::vector<output>>& outputs) {
    std::string s = fmt::format("void reset(char* base, const u32* order, u64 from, u64 to) {{\n"
                                "    for (u64 k = from; k < to; ++k) {{\n        char* p = base + order[k];\n"
                                "        (void)p;\n{}    }}\n}}\n",
                                reset_lines(p));
    const std::size_t n = shown.size();
    s += "u64 collect(char* base, const u32* order, u64 from, u64 to, char* const* outs, state_table* table) "
         "{\n";
    for (std::size_t t = 0; t < outputs.size(); ++t)
        if (!outputs[t].empty())
            s += fmt::format("    const out_{0}* o{0} = reinterpret_cast<const out_{0}*>(outs[{0}]);\n", t);
    s += "    (void)outs;\n    u64 k = from;\n"
         "    for (; k < to && table->used * 2 <= table->mask; ++k) {\n        char* p = base + order[k];\n  "
         "      (void)p;\n";
    s += fmt::format("        i64 v[{}];\n", n + 1);
    for (std::size_t i = 0; i < n; ++i) {
        if (shown[i].is_register())
            s += fmt::format("        v[{}] = o{}[k].v{};\n", i, shown[i].thread, i);
        else
            s +=
                fmt::format("        v[{}] = *reinterpret_cast<const {}*>(p + {});\n", i,
                            type_of(width_of(p, shown[i])), find_variable(p, shown[i].name) * variable_pitch);
    }
    s += "        u64 h = 0;\n";
    for (std::size_t i = 0; i < n; ++i)
        s += fmt::format(
            "        h = (h + static_cast<u64>(v[{}])) * 0x9e3779b97f4a7c15ull;\n        h ^= h >> 29;\n", i);
    s += fmt::format(
        "        for (;; ++h) {{\n            const u64 slot = h & table->mask;\n"
        "            i64* row = table->values + slot * {0};\n"
        "            if (table->counts[slot] == 0) {{\n"
        "                for (int i = 0; i < {0}; ++i) row[i] = v[i];\n"
        "                ++table->used;\n            }} else {{\n                bool same = true;\n"
        "                for (int i = 0; i < {0}; ++i) same &= row[i] == v[i];\n"
        "                if (!same) continue;\n            }}\n"
        "            ++table->counts[slot];\n            break;\n        }}\n{1}"
        "    }}\n    return k;\n}}\n",
        n, reset_lines(p));
    return s;
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
    std::string s = prologue;
    std::vector<std::vector<output>> outputs;
    std::string sizes, runs, touches, counts, steps, words;
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
        outputs.push_back(outputs_of(t, shown));
        s += thread_code(p, t, outputs.back());
        s += step_code(p, t, outputs.back());
        const char* comma = t ? ", " : "";
        counts += fmt::format("{}{}", comma, jumps(p.threads[t]) ? 0 : p.threads[t].code.size());
        steps += fmt::format("{}steps_{}", comma, t);
        words += fmt::format("{}{}", comma, registers_of(p.threads[t]).size());
        sizes += fmt::format("{}sizeof(out_{})", t ? ", " : "", t);
        runs += fmt::format("{}run_{}", t ? ", " : "", t);
        touches += fmt::format("{}touch_{}", t ? ", " : "", t);
    }
    s += collect_code(p, shown, outputs);
    s += fmt::format(
        "const u64 sizes[] = {{{}}};\n"
        "void (*const runs[])(char*, const u32*, u64, u64, char*) = {{{}}};\n"
        "void (*const touches[])(char*, const u32*, u64, u64) = {{{}}};\n"
        "const u64 counts[] = {{{}}};\nstep_function const* const steps[] = {{{}}};\n"
        "const u64 words[] = {{{}}};\n}} // namespace\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) const generated_test "
        "ringproof_litmus_test = {{{}, {}, sizes, runs, touches, counts, steps, words, collect, reset}};\n",
        sizes, runs, touches, counts, steps, words, p.threads.size(),
        std::max<std::size_t>(p.variables.size(), 1) * variable_pitch);
    return s;
}

} // namespace ringproof::litmus
