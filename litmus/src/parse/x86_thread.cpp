// SPDX-License-Identifier: Apache-2.0
#include "x86_thread.hpp"
#include "text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace ringproof::litmus::x86 {
namespace {

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
    entry{"endbr64", opcode::nop, shape::nothing, false},
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

struct suffixed_entry {
    const entry* known; ///< nullptr: no instruction has that name
    int bits;           ///< as the suffix says it; 0: there is none
};

/// "movb", "movw", "movl" and "movq" are "mov" of that width.
suffixed_entry find_with_suffix(std::string_view name) {
    if (const entry* known = find_entry(name)) return {known, 0};
    constexpr std::string_view suffixes = "bwlq";
    const std::size_t width = name.empty() ? std::string_view::npos : suffixes.find(name.back());
    if (width == std::string_view::npos) return {nullptr, 0};
    const entry* known = find_entry(name.substr(0, name.size() - 1));
    if (known && known->form == shape::nothing) known = nullptr;
    return {known, 8 << width};
}

/// "jmp", or "j" and a condition; tells `i` which.
bool is_jump(std::string_view name, instruction& i) {
    if (name == "jmp") {
        i.what = opcode::jmp;
        return true;
    }
    if (name.size() < 2 || name[0] != 'j') return false;
    const auto* found =
        std::find_if(jumps.begin(), jumps.end(), [&](const jump& j) { return j.suffix == name.substr(1); });
    if (found == jumps.end()) return false;
    i.what = opcode::jcc;
    i.when = found->when;
    return true;
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
        for (instruction& i : thread_.code) {
            if (!i.label.empty()) i.target = thread_.labels.target(test_.from, i.offset, i.label);
            if (i.what == opcode::jmp && i.label.empty()) i.target = thread_.code.size(); // RET
        }
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
        const std::size_t lock_at = i.offset;
        std::string word = lower(in.identifier());
        if (word == "lock") {
            i.lock = true;
            in.accept(";"); // cannot stand here in a cell, so nothing is lost by allowing it
            in.at_end();
            i.offset = in.offset();
            word = lower(in.identifier());
            if (word.empty()) in.expected("the instruction to lock");
        }
        if (is_jump(word, i)) {
            if (i.lock) in.fail(lock_at, "a jump cannot be locked");
            i.label = in.identifier();
            if (i.label.empty()) in.expected("the label to jump to");
            return i;
        }
        if (word == "ret" && !i.lock) { // as compilers end a thread's function
            i.what = opcode::jmp;
            return i;
        }
        const auto [known, suffix_bits] = find_with_suffix(word);
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
        const bool dollar = in.accept("$");
        if (dollar || in.at_number()) {
            operand o;
            o.what = operand::kind::immediate;
            o.number = in.number("a number");
            if (dollar || !in.accept("(")) return o;
            att_ = true;
            const std::int64_t distance = o.number; // 4(%rsi)
            o = parse_address(in, ")");
            o.number = distance;
            return o;
        }
        if (in.accept("(")) {
            att_ = true;
            return parse_address(in, ")");
        }
        return in.accept("[") ? parse_address(in, "]") : parse_register(in);
    }

    /// What stands in brackets, which are open.
    operand parse_address(scanner& in, std::string_view closing) {
        operand o;
        o.what = operand::kind::in_memory;
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
        if (in.accept("+") || in.peek() == '-') o.number = in.number("a distance in bytes");
        if (in.peek() == ',') in.fail(in.offset(), "addresses with an index are not supported");
        in.expect(closing, fmt::format("'{}'", closing));
        return o;
    }

    operand parse_register(scanner& in) {
        operand o;
        o.what = operand::kind::in_register;
        if (in.accept("%")) att_ = true;
        const std::size_t at = (in.at_end(), in.offset());
        const std::string_view name = in.identifier();
        if (name.empty()) in.expected("a register, [location] or $number");
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
        if (to.what == operand::kind::immediate && known.form != shape::compare)
            in.fail(i.offset,
                    "a number cannot be written to: expected a register or [location] as destination");
        if (to.what == operand::kind::immediate) in.fail(i.offset, "the first operand cannot be a number");
        if (to.is_memory() && from.is_memory()) in.fail(i.offset, "only one operand can be in memory");
        if ((known.form == shape::register_last && !from.is_register()) ||
            (known.form == shape::exchange && from.what == operand::kind::immediate))
            in.fail(i.offset, fmt::format("'{}' needs a register as its source", known.name));
        if (i.lock && !is_lockable(i, known))
            in.fail(lock_at, "LOCK needs an instruction that reads and writes memory");
        if (from.what == operand::kind::immediate && !is_encodable(i))
            in.fail(i.offset, "this number does not fit in the instruction");
    }

    static bool is_lockable(const instruction& i, const entry& known) {
        const auto& [to, from] = i.operands;
        return known.lockable && (to.is_memory() || (from.is_memory() && known.what == opcode::xchg));
    }

    /// Is there an encoding for this number as the source?
    static bool is_encodable(const instruction& i) {
        const auto& [to, from] = i.operands;
        if (i.what == opcode::mov && to.is_register() && i.bits == 64) return true; // movabs
        if (i.bits != 0 && i.bits < 32)
            return from.number >= -(std::int64_t{1} << (i.bits - 1)) && from.number < std::int64_t{1}
                                                                                          << i.bits;
        const std::int64_t low = std::numeric_limits<std::int32_t>::min();
        const std::int64_t high = i.bits == 32 ? std::numeric_limits<std::uint32_t>::max()
                                               : std::numeric_limits<std::int32_t>::max();
        return from.number >= low && from.number <= high;
    }

    const test& test_;
    thread thread_;
    bool att_ = false; ///< the instruction at hand is written with % or ( ), source first
};

} // namespace

thread parse_thread(const test& t, const std::vector<cell>& cells) { return thread_parser(t).parse(cells); }

} // namespace ringproof::litmus::x86
