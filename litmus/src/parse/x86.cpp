// SPDX-License-Identifier: Apache-2.0
#include "x86.hpp"
#include "text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace ringproof::litmus::x86 {
namespace {

struct register_names {
    std::string_view narrow;
    std::string_view wide;
};
constexpr std::array<register_names, reg_count> names{{{"eax", "rax"},
                                                       {"ebx", "rbx"},
                                                       {"ecx", "rcx"},
                                                       {"edx", "rdx"},
                                                       {"esi", "rsi"},
                                                       {"edi", "rdi"},
                                                       {"ebp", "rbp"},
                                                       {"r8d", "r8"},
                                                       {"r9d", "r9"},
                                                       {"r10d", "r10"},
                                                       {"r11d", "r11"},
                                                       {"r12d", "r12"},
                                                       {"r13d", "r13"},
                                                       {"r14d", "r14"},
                                                       {"r15d", "r15"}}};

/// Which operands an instruction takes: how many, and which of them may be memory. Destination first.
enum class shape : std::uint8_t { nothing, move, exchange, arithmetic, register_last, compare, one };

struct entry {
    std::string_view name;
    opcode what;
    shape form;
    bool lockable;
};
constexpr std::array table{
    entry{"mov", opcode::mov, shape::move, false},
    entry{"mfence", opcode::mfence, shape::nothing, false},
    entry{"lfence", opcode::lfence, shape::nothing, false},
    entry{"sfence", opcode::sfence, shape::nothing, false},
    entry{"nop", opcode::nop, shape::nothing, false},
    entry{"pause", opcode::pause, shape::nothing, false},
    entry{"xchg", opcode::xchg, shape::exchange, true},
    entry{"add", opcode::add, shape::arithmetic, true},
    entry{"sub", opcode::sub, shape::arithmetic, true},
    entry{"and", opcode::and_, shape::arithmetic, true},
    entry{"or", opcode::or_, shape::arithmetic, true},
    entry{"xor", opcode::xor_, shape::arithmetic, true},
    entry{"inc", opcode::inc, shape::one, true},
    entry{"dec", opcode::dec, shape::one, true},
    entry{"neg", opcode::neg, shape::one, true},
    entry{"not", opcode::not_, shape::one, true},
    entry{"xadd", opcode::xadd, shape::register_last, true},
    entry{"cmpxchg", opcode::cmpxchg, shape::register_last, true},
    entry{"cmp", opcode::cmp, shape::compare, false},
    entry{"test", opcode::test_, shape::compare, false},
};

struct jump {
    std::string_view suffix;
    flag_test when;
};
constexpr std::array jumps{
    jump{"o", flag_test::o},   jump{"no", flag_test::no}, jump{"b", flag_test::b},
    jump{"c", flag_test::b},   jump{"nae", flag_test::b}, jump{"ae", flag_test::ae},
    jump{"nb", flag_test::ae}, jump{"nc", flag_test::ae}, jump{"e", flag_test::e},
    jump{"z", flag_test::e},   jump{"ne", flag_test::ne}, jump{"nz", flag_test::ne},
    jump{"be", flag_test::be}, jump{"na", flag_test::be}, jump{"a", flag_test::a},
    jump{"nbe", flag_test::a}, jump{"s", flag_test::s},   jump{"ns", flag_test::ns},
    jump{"p", flag_test::p},   jump{"np", flag_test::np}, jump{"l", flag_test::l},
    jump{"nge", flag_test::l}, jump{"ge", flag_test::ge}, jump{"nl", flag_test::ge},
    jump{"le", flag_test::le}, jump{"ng", flag_test::le}, jump{"g", flag_test::g},
    jump{"nle", flag_test::g},
};

const entry* find_entry(std::string_view name) {
    const auto* found =
        std::find_if(table.begin(), table.end(), [&](const entry& e) { return e.name == name; });
    return found == table.end() ? nullptr : found;
}

/// One thread's cells, one instruction a time.
class thread_parser {
  public:
    explicit thread_parser(const test& t) : test_(t) {}

    thread parse(const std::vector<cell>& cells) {
        for (const cell& c : cells) {
            scanner in(test_.from, c.begin, c.end);
            parse_cell(in);
        }
        for (instruction& i : thread_.code)
            if (!i.label.empty()) i.target = thread_.labels.target(test_.from, i.offset, i.label);
        return std::move(thread_);
    }

  private:
    void parse_cell(scanner& in) {
        while (!in.at_end()) {
            const std::size_t at = in.offset();
            const std::string_view word = in.identifier();
            if (word.empty()) in.expected("an instruction");
            if (in.accept(":")) {
                thread_.labels.define(in, at, word, thread_.code.size());
                continue;
            }
            in.seek(at);
            thread_.code.push_back(parse_instruction(in));
            if (!in.at_end()) in.expected("'|' or ';'");
        }
    }

    instruction parse_instruction(scanner& in) {
        instruction i;
        in.at_end();
        i.offset = in.offset();
        std::string word = lower(in.identifier());
        const std::size_t lock_at = i.offset;
        if (word == "lock") {
            i.lock = true;
            in.accept(";"); // cannot stand here in a cell, so nothing is lost by allowing it
            in.at_end();
            i.offset = in.offset();
            word = lower(in.identifier());
            if (word.empty()) in.expected("the instruction to lock");
        }
        if (word == "jmp" || (word.size() > 1 && word[0] == 'j')) {
            const auto* found = std::find_if(jumps.begin(), jumps.end(),
                                             [&](const jump& j) { return j.suffix == word.substr(1); });
            if (word == "jmp" || found != jumps.end()) {
                i.what = word == "jmp" ? opcode::jmp : opcode::jcc;
                if (word != "jmp") i.when = found->when;
                if (i.lock) in.fail(lock_at, "a jump cannot be locked");
                i.label = in.identifier();
                if (i.label.empty()) in.expected("the label to jump to");
                return i;
            }
        }
        const entry* known = find_entry(word);
        int suffix_bits = 0;
        if (!known && (word.ends_with("l") || word.ends_with("q"))) {
            known = find_entry(std::string_view(word).substr(0, word.size() - 1));
            if (known && known->form == shape::nothing) known = nullptr;
            suffix_bits = word.back() == 'q' ? 64 : 32;
        }
        if (!known) in.fail(i.offset, fmt::format("instruction '{}' is not supported", word));
        i.what = known->what;
        if (known->form == shape::nothing) {
            if (i.lock) in.fail(lock_at, fmt::format("'{}' cannot be locked", word));
            return i;
        }
        parse_operands(in, i, *known);
        settle_width(in, i, suffix_bits);
        check(in, i, *known, lock_at);
        if (i.what == opcode::xchg && (i.operands[0].is_memory() || i.operands[1].is_memory())) i.lock = true;
        return i;
    }

    void parse_operands(scanner& in, instruction& i, const entry& known) {
        att_ = false;
        i.operands[0] = parse_operand(in);
        if (known.form == shape::one) return;
        in.expect(",", "',' and the second operand");
        i.operands[1] = parse_operand(in);
        if (att_) std::swap(i.operands[0], i.operands[1]); // AT&T writes the source first
    }

    operand parse_operand(scanner& in) {
        operand o;
        const bool dollar = in.accept("$");
        if (dollar || in.at_number()) {
            o.what = operand::kind::immediate;
            o.number = in.number("a number");
            return o;
        }
        const bool round = in.accept("(");
        if (round || in.accept("[")) {
            o.what = operand::kind::in_memory;
            if (round) att_ = true;
            if (in.accept("%")) att_ = true;
            const std::size_t at = (in.at_end(), in.offset());
            const std::string_view name = in.identifier();
            if (name.empty()) in.expected("a location or a register that holds an address");
            int bits = 0;
            if (find_register(name, o.name, bits)) {
                if (bits != 64) in.fail(at, "an address is held by a 64-bit register");
                use(o.name, bits);
            } else {
                o.symbol = name;
            }
            if (in.peek() == '+' || in.peek() == '-' || in.peek() == ',')
                in.fail(in.offset(), "addresses with an offset or an index are not supported");
            in.expect(round ? ")" : "]", round ? "')'" : "']'");
            return o;
        }
        if (in.accept("%")) att_ = true;
        const std::size_t at = (in.at_end(), in.offset());
        const std::string_view name = in.identifier();
        if (name.empty()) in.expected("a register, [location] or $number");
        o.what = operand::kind::in_register;
        if (!find_register(name, o.name, o.bits))
            in.fail(at, fmt::format("expected a register, [location] or $number, found '{}'", name));
        use(o.name, o.bits);
        return o;
    }

    void use(reg r, int bits) {
        int& widest = thread_.bits[static_cast<std::size_t>(r)];
        widest = std::max(widest, bits);
    }

    /// 0 means: as wide as the variable turns out to be.
    static void settle_width(const scanner& in, instruction& i, int suffix_bits) {
        i.bits = suffix_bits;
        for (const operand& o : i.operands)
            if (o.is_register()) {
                if (i.bits != 0 && i.bits != o.bits)
                    in.fail(i.offset, "the operands of this instruction differ in width");
                i.bits = o.bits;
            }
    }

    static void check(const scanner& in, const instruction& i, const entry& known, std::size_t lock_at) {
        const auto& [to, from] = i.operands;
        const bool memory = to.is_memory() || from.is_memory();
        if (to.what == operand::kind::immediate && known.form != shape::compare)
            in.fail(i.offset,
                    "a number cannot be written to: expected a register or [location] as destination");
        if (to.what == operand::kind::immediate) in.fail(i.offset, "the first operand cannot be a number");
        if (to.is_memory() && from.is_memory()) in.fail(i.offset, "only one operand can be in memory");
        if ((known.form == shape::register_last && !from.is_register()) ||
            (known.form == shape::exchange && from.what == operand::kind::immediate))
            in.fail(i.offset, fmt::format("'{}' needs a register as its source", known.name));
        if (i.lock && (!known.lockable || !memory || (!to.is_memory() && known.what != opcode::xchg)))
            in.fail(lock_at, "LOCK needs an instruction that reads and writes memory");
        const std::int64_t low = std::numeric_limits<std::int32_t>::min();
        const std::int64_t high = i.bits == 32 ? std::numeric_limits<std::uint32_t>::max()
                                               : std::numeric_limits<std::int32_t>::max();
        const bool any = i.what == opcode::mov && to.is_register() && i.bits == 64; // movabs
        if (from.what == operand::kind::immediate && !any && (from.number < low || from.number > high))
            in.fail(i.offset, "this number does not fit in the instruction");
    }

    const test& test_;
    thread thread_;
    bool att_ = false; ///< the instruction at hand is written with % or ( ), source first
};

int type_bits(const scanner& in, const init_entry& entry) {
    if (entry.type.empty()) return 0;
    for (const std::string_view narrow : {"int8", "int16", "char", "short"})
        if (entry.type.find(narrow) != std::string::npos)
            in.fail(entry.offset,
                    fmt::format("type '{}' is not supported: expected one of 32 or 64 bits", entry.type));
    return entry.type.find("64") != std::string::npos || entry.type.find("long") != std::string::npos ||
                   entry.type.find("ptr") != std::string::npos
               ? 64
               : 32;
}

class program_builder {
  public:
    explicit program_builder(const test& t) : test_(t), in_(t.from) {}

    program build() {
        for (const auto& cells : test_.threads) program_.threads.push_back(thread_parser(test_).parse(cells));
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
        for (const init_entry& entry : test_.init) {
            if (!entry.where.is_register()) {
                const int bits = type_bits(in_, entry);
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

    /// A variable is as wide as it is declared, else as its accesses, else 32 bits.
    void measure() {
        for (const bool refuse : {false, true}) {
            for (thread& t : program_.threads)
                for (instruction& i : t.code)
                    for (const operand& o : i.operands) {
                        if (!o.is_memory() || o.symbol.empty()) continue;
                        variable& v = declare(o.symbol);
                        if (!refuse) {
                            if (v.bits == 0 && i.bits != 0) v.bits = i.bits;
                            continue;
                        }
                        if (v.bits == 0) v.bits = 32;
                        if (i.bits == 0) i.bits = v.bits;
                        if (i.bits != v.bits)
                            in_.fail(i.offset,
                                     fmt::format("{} bits of '{}', which has {}, are accessed: accesses of "
                                                 "mixed sizes are not supported",
                                                 i.bits, v.name, v.bits));
                    }
        }
        for (variable& v : program_.variables)
            if (v.bits == 0) v.bits = 32;
        for (thread& t : program_.threads)
            for (instruction& i : t.code)
                if (i.bits == 0) i.bits = 32;
    }

    void initialise() {
        for (const init_entry& entry : test_.init) {
            if (!entry.where.is_register()) {
                if (!entry.symbol.empty())
                    in_.fail(entry.offset, "a location that holds an address is not supported");
                declare(entry.where.name).initial = entry.number;
                continue;
            }
            thread& t = program_.threads[static_cast<std::size_t>(entry.where.thread)];
            reg which{};
            int bits = 0;
            if (!find_register(entry.where.name, which, bits))
                in_.fail(entry.where.offset,
                         fmt::format("expected a register, found '{}'", entry.where.name));
            const auto index = static_cast<std::size_t>(which);
            t.bits[index] = std::max(t.bits[index], bits);
            if (!entry.symbol.empty() && bits != 64)
                in_.fail(entry.offset, "an address is held by a 64-bit register");
            t.addresses[index] = entry.symbol;
            t.registers[index] = entry.number;
        }
    }

    void check_shown(const location& l) {
        if (!l.is_register()) {
            if (find_variable(program_.variables, l.name) == program_.variables.size())
                in_.fail(l.offset, fmt::format("the test has no location '{}'", l.name));
            return;
        }
        reg which{};
        int bits = 0;
        if (!find_register(l.name, which, bits))
            in_.fail(l.offset, fmt::format("expected a register, found '{}'", l.name));
        thread& t = program_.threads[static_cast<std::size_t>(l.thread)];
        const auto index = static_cast<std::size_t>(which);
        t.bits[index] = std::max(t.bits[index], bits);
    }

    void check_symbols(const proposition& p) {
        if (!p.symbol.empty()) in_.fail(p.left.offset, "a condition on an address is not supported");
        for (const proposition& part : p.parts) check_symbols(part);
    }

    const test& test_;
    scanner in_; // only to point at errors
    program program_;
};

} // namespace

bool is_dialect(std::string_view name) { return name == "X86" || name == "X86_64"; }

program parse_program(const test& t) { return program_builder(t).build(); }

bool find_register(std::string_view name, reg& which, int& bits) {
    const std::string low = lower(name);
    for (std::size_t i = 0; i < reg_count; ++i)
        if (low == names[i].narrow || low == names[i].wide) {
            which = static_cast<reg>(i);
            bits = low == names[i].wide ? 64 : 32;
            return true;
        }
    return false;
}

std::string_view register_name(reg which, int bits) {
    const register_names& n = names[static_cast<std::size_t>(which)];
    return bits == 64 ? n.wide : n.narrow;
}

int width_of(const program& p, const location& l) {
    if (!l.is_register()) return p.variables[find_variable(p.variables, l.name)].bits;
    reg which{};
    int bits = 32;
    find_register(l.name, which, bits);
    return bits;
}

} // namespace ringproof::litmus::x86
