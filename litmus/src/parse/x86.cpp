// SPDX-License-Identifier: Apache-2.0
#include "x86.hpp"
#include "text.hpp"
#include "x86_thread.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::x86 {
namespace {

using register_names = std::array<std::string_view, 4>; // of 8, 16, 32 and 64 bits
constexpr std::array<register_names, reg_count> names{{{"al", "ax", "eax", "rax"},
                                                       {"bl", "bx", "ebx", "rbx"},
                                                       {"cl", "cx", "ecx", "rcx"},
                                                       {"dl", "dx", "edx", "rdx"},
                                                       {"sil", "si", "esi", "rsi"},
                                                       {"dil", "di", "edi", "rdi"},
                                                       {"bpl", "bp", "ebp", "rbp"},
                                                       {"r8b", "r8w", "r8d", "r8"},
                                                       {"r9b", "r9w", "r9d", "r9"},
                                                       {"r10b", "r10w", "r10d", "r10"},
                                                       {"r11b", "r11w", "r11d", "r11"},
                                                       {"r12b", "r12w", "r12d", "r12"},
                                                       {"r13b", "r13w", "r13d", "r13"},
                                                       {"r14b", "r14w", "r14d", "r14"},
                                                       {"r15b", "r15w", "r15d", "r15"}}};

int type_bits(const scanner& in, const init_entry& entry, sizes known) {
    if (entry.type.empty()) return 0;
    for (const std::string_view narrow : {"int8", "int16", "char", "short"})
        if (known == sizes::words && entry.type.find(narrow) != std::string::npos)
            in.fail(entry.offset,
                    fmt::format("type '{}' is not supported: expected one of 32 or 64 bits", entry.type));
    return entry.type.find("64") != std::string::npos || entry.type.find("long") != std::string::npos ||
                   entry.type.find("ptr") != std::string::npos
               ? 64
               : 32;
}

class program_builder {
  public:
    program_builder(const test& t, sizes known) : test_(t), in_(t.from), known_(known) {}

    program build() {
        for (const auto& cells : test_.threads) program_.threads.push_back(parse_thread(test_, cells));
        declare();
        measure();
        initialise();
        for (const location& l : shown_locations(test_)) check_shown(l);
        check_symbols(test_.final.what);
        if (test_.filter) check_symbols(*test_.filter);
        return std::move(program_);
    }

  private:
    variable& declare(std::string_view name) {
        const std::size_t index = find_variable(program_.variables, name);
        if (index < program_.variables.size()) return program_.variables[index];
        program_.variables.push_back({std::string(name), 0, 0});
        return program_.variables.back();
    }

    /// Every name that is used anywhere is a variable, 0 at the start unless said otherwise.
    void declare() {
        if (known_ == sizes::words) refuse_arrays(test_);
        for (const init_entry& entry : test_.init) {
            if (!entry.where.is_register()) {
                const int bits = type_bits(in_, entry, known_);
                variable& v = declare(entry.where.name);
                if (bits) v.bits = bits;
            }
            if (!entry.symbol.empty()) declare(entry.symbol);
        }
        for (const thread& t : program_.threads)
            for (const instruction& i : t.code)
                for (const operand& o : i.operands)
                    if (o.is_memory() && !o.symbol.empty()) declare(o.symbol);
    }

    /// Calls f(instruction, variable) for each access of a variable by its name.
    template <class F>
    void each_access(F f) {
        for (thread& t : program_.threads)
            for (instruction& i : t.code)
                for (const operand& o : i.operands)
                    if (o.is_memory() && !o.symbol.empty()) f(i, declare(o.symbol));
    }

    /// A variable is as wide as it is declared, else as its accesses, else 32 bits.
    void measure() {
        each_access([](const instruction& i, variable& v) {
            if (v.bits == 0) v.bits = i.bits;
        });
        for (variable& v : program_.variables)
            if (v.bits == 0) v.bits = 32;
        each_access([&](instruction& i, const variable& v) {
            if (i.bits == 0) i.bits = v.bits;
            if (i.bits != v.bits && known_ == sizes::words)
                in_.fail(i.offset, fmt::format("{} bits of '{}', which has {}, are accessed: accesses of "
                                               "mixed sizes are not supported",
                                               i.bits, v.name, v.bits));
        });
        for (thread& t : program_.threads)
            for (instruction& i : t.code) {
                if (i.bits == 0) i.bits = 32;
                if (known_ == sizes::words) refuse_parts_of_words(i);
            }
    }

    void refuse_parts_of_words(const instruction& i) const {
        const bool moved = std::any_of(i.operands.begin(), i.operands.end(),
                                       [](const operand& o) { return o.is_memory() && o.number != 0; });
        if (i.bits < 32 || moved)
            in_.fail(i.offset,
                     "bytes, half words and addresses with a distance are not supported here: only the "
                     "simulator has them");
    }

    struct used_register {
        std::size_t index;
        int bits;
    };

    /// Notes that the initial state, the condition or the list of locations names a register.
    used_register use_register(const location& l) {
        reg which{};
        int bits = 0;
        if (!find_register(l.name, which, bits))
            in_.fail(l.offset, fmt::format("expected a register, found '{}'", l.name));
        const auto index = static_cast<std::size_t>(which);
        int& widest = program_.threads[static_cast<std::size_t>(l.thread)].bits[index];
        widest = std::max(widest, bits);
        return {index, bits};
    }

    void initialise() {
        for (const init_entry& entry : test_.init) {
            if (!entry.where.is_register()) {
                if (!entry.symbol.empty())
                    in_.fail(entry.offset, "a location that holds an address is not supported");
                declare(entry.where.name).initial = entry.number; // of an array, its elements
                continue;
            }
            const auto [index, bits] = use_register(entry.where);
            if (!entry.symbol.empty() && bits != 64)
                in_.fail(entry.offset, "an address is held by a 64-bit register");
            thread& t = program_.threads[static_cast<std::size_t>(entry.where.thread)];
            t.addresses[index] = entry.symbol;
            t.registers[index] = entry.number;
        }
    }

    void check_shown(const location& l) {
        if (l.is_register())
            use_register(l);
        else if (!is_element(l.name) &&
                 find_variable(program_.variables, l.name) == program_.variables.size())
            in_.fail(l.offset, fmt::format("the test has no location '{}'", l.name));
    }

    bool is_element(const std::string& name) const {
        return std::any_of(test_.init.begin(), test_.init.end(), [&](const init_entry& e) {
            for (std::size_t k = 0; k < e.elements.size(); ++k)
                if (element_name(e.where.name, k) == name) return true;
            return false;
        });
    }

    void check_symbols(const proposition& p) {
        if (!p.symbol.empty()) in_.fail(p.left.offset, "a condition on an address is not supported");
        for (const proposition& part : p.parts) check_symbols(part);
    }

    const test& test_;
    scanner in_; // only to point at errors
    sizes known_;
    program program_;
};

} // namespace

bool is_dialect(std::string_view name) { return name == "X86" || name == "X86_64"; }

program parse_program(const test& t, sizes known) { return program_builder(t, known).build(); }

bool find_register(std::string_view name, reg& which, int& bits) {
    const std::string low = lower(name);
    for (std::size_t i = 0; i < reg_count; ++i)
        for (std::size_t width = 0; width < names[i].size(); ++width)
            if (low == names[i][width]) {
                which = static_cast<reg>(i);
                bits = 8 << width;
                return true;
            }
    return false;
}

std::string_view register_name(reg which, int bits) {
    std::size_t width = 0;
    while (8 << width < bits) ++width;
    return names[static_cast<std::size_t>(which)][width];
}

int width_of(const program& p, const location& l) {
    if (!l.is_register()) return p.variables[find_variable(p.variables, l.name)].bits;
    reg which{};
    int bits = 32;
    find_register(l.name, which, bits);
    return bits;
}

} // namespace ringproof::litmus::x86
