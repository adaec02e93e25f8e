// SPDX-License-Identifier: Apache-2.0
// AArch64: arithmetic, flags, branches and conditional selects.
#include "../parse/text.hpp"
#include "aarch64_thread.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus {

bool arm_thread::move(const asm_instruction& i) {
    if (i.name == "mov") {
        need(i, 2);
        const reg to = reg_at(i, 0);
        set(to, flexible(i, 1, to.wide));
        return true;
    }
    if (i.name == "adr") {
        need(i, 2);
        if (aarch64::find_register(i.operands[1])) fail(i, "ADR takes the name of a location");
        const bool code = has_label(i.operands[1]) || i.operands[1].starts_with('.');
        set(reg_at(i, 0), code ? code_address(i, 1) : builder_.address_of(i.operands[1]));
        return true;
    }
    if (i.name == "movz" || i.name == "movn") {
        if (i.operands.size() > 3) need(i, 3);
        const reg to = reg_at(i, 0);
        number_at(i, 1);
        const operand_value v = flexible(i, 1, to.wide);
        set(to, i.name == "movz" ? v : builder_.apply(op::bit_xor, v, builder_.constant(-1)));
        return true;
    }
    if (i.name == "movk") { // 16 bits of the register
        const reg to = reg_at(i, 0);
        std::int64_t shift = 0;
        if (i.operands.size() > 2) {
            need(i, 3);
            const std::string how = lower(i.operands[2]);
            if (how.compare(0, 3, "lsl") != 0 || !parse_immediate(how.substr(3), shift) || shift < 0 ||
                shift > 48 || shift % 16 != 0)
                fail(i, fmt::format("expected LSL #0, #16, #32 or #48, found '{}'", i.operands[2]));
        }
        const auto moved = [&](std::uint64_t n) { return static_cast<std::int64_t>(n << shift); };
        const operand_value kept = builder_.apply(op::bit_and, get(to), builder_.constant(~moved(0xffff)));
        const auto bits = static_cast<std::uint64_t>(number_at(i, 1)) & 0xffff;
        set(to, builder_.apply(op::bit_or, kept, builder_.constant(moved(bits))));
        return true;
    }
    return false;
}

bool arm_thread::arithmetic(const asm_instruction& i) {
    struct entry {
        const char* name;
        op how;
        bool complement;     ///< of the second operand
        flags::kind flagged; ///< of the form that ends in s
    };
    using f = flags::kind;
    static constexpr entry entries[] = {
        {"add", op::add, false, f::sum},       {"sub", op::sub, false, f::difference},
        {"and", op::bit_and, false, f::logic}, {"bic", op::bit_and, true, f::logic},
        {"orr", op::bit_or, false, f::none},   {"orn", op::bit_or, true, f::none},
        {"eor", op::bit_xor, false, f::none},  {"eon", op::bit_xor, true, f::none}};
    for (const entry& e : entries) {
        const bool sets = e.flagged != f::none && i.name == std::string(e.name) + "s";
        if (!sets && i.name != e.name) continue;
        const reg to = reg_at(i, 0);
        const operand_value a = get(reg_at(i, 1));
        operand_value b = flexible(i, 2, to.wide);
        if (e.complement) b = builder_.apply(op::bit_xor, b, builder_.constant(-1));
        const operand_value result = builder_.apply(e.how, a, b);
        set(to, result);
        if (sets) set_flags(e.flagged, to, a, b, result);
        return true;
    }
    if (i.name == "neg" || i.name == "negs" || i.name == "mvn") {
        const reg to = reg_at(i, 0);
        const operand_value v = flexible(i, 1, to.wide), zero = builder_.constant(0);
        const operand_value result = i.name == "mvn" ? builder_.apply(op::bit_xor, v, builder_.constant(-1))
                                                     : builder_.apply(op::sub, zero, v);
        set(to, result);
        if (i.name == "negs") set_flags(flags::kind::difference, to, zero, v, result);
        return true;
    }
    const std::string shift = i.name.size() == 4 && i.name[3] == 'v' ? i.name.substr(0, 3) : i.name;
    if (shift == "lsl" || shift == "lsr" || shift == "asr" || shift == "ror") {
        need(i, 3);
        const reg to = reg_at(i, 0);
        const operand_value v = get(reg_at(i, 1));
        set(to, shifted(v, shift, flexible(i, 2, to.wide), to.wide));
        return true;
    }
    return false;
}

/// SXTW and its kin, and the bit fields that they and the shifts are.
bool arm_thread::extension(const asm_instruction& i) {
    static constexpr std::string_view extensions[] = {"sxtb", "sxth", "sxtw", "uxtb", "uxth", "uxtw"};
    if (std::find(std::begin(extensions), std::end(extensions), i.name) != std::end(extensions)) {
        need(i, 2);
        set(reg_at(i, 0), extended(get(reg_at(i, 1)), i.name));
        return true;
    }
    const bool is_signed = i.name[0] == 's';
    const std::string form = i.name.substr(1);
    if ((i.name[0] != 's' && i.name[0] != 'u') || (form != "bfm" && form != "bfx" && form != "bfiz"))
        return false;
    need(i, 4);
    const reg to = reg_at(i, 0);
    const std::int64_t width = to.wide ? 64 : 32;
    const operand_value v = get(reg_at(i, 1));
    const std::int64_t first = number_at(i, 2), second = number_at(i, 3);
    if (first < 0 || first >= width || second < 0 || second > width) fail(i, "there is no such bit field");
    // From bit `from` of the source, `bits` of them, to bit `at`.
    std::int64_t from = first, bits = second, at = 0;
    if (form == "bfm") {
        if (second >= width) fail(i, "there is no such bit field");
        from = second >= first ? first : 0;
        bits = second >= first ? second - first + 1 : second + 1;
        at = second >= first ? 0 : width - first;
    } else if (form == "bfiz") {
        from = 0;
        at = first;
    }
    if (bits == 0 || from + bits > width || at + bits > width) fail(i, "there is no such bit field");
    const operand_value field = low_bits(builder_.apply(op::shift_right, v, builder_.constant(from)),
                                         static_cast<int>(bits), is_signed);
    set(to, builder_.apply(op::shift_left, field, builder_.constant(at)));
    return true;
}

bool arm_thread::multiplication(const asm_instruction& i) {
    // Of 32 bits with a product of 64: "smull", "umaddl", …
    const bool is_long = i.name.size() > 4 && i.name.back() == 'l' && (i.name[0] == 's' || i.name[0] == 'u');
    const std::string form = is_long ? i.name.substr(1, i.name.size() - 2) : i.name;
    const bool sums = form == "madd" || form == "msub", subtracts = form == "msub" || form == "mneg";
    // Without the l of the end, SMULL is MUL, and SMNEGL MNEG.
    if (!sums && form != "mul" && form != "mneg") return false;
    need(i, sums ? 4 : 3);
    operand_value a = get(reg_at(i, 1)), b = get(reg_at(i, 2));
    if (is_long && i.name[0] == 'u') a = builder_.apply(op::low32, a), b = builder_.apply(op::low32, b);
    operand_value v = builder_.apply(op::mul, a, b);
    const operand_value base = sums ? get(reg_at(i, 3)) : builder_.constant(0);
    set(reg_at(i, 0), builder_.apply(subtracts ? op::sub : op::add, base, v));
    return true;
}

bool arm_thread::compare(const asm_instruction& i) {
    if (i.name != "cmp" && i.name != "cmn" && i.name != "tst") return false;
    const reg left = reg_at(i, 0);
    const operand_value a = get(left), b = flexible(i, 1, left.wide);
    if (i.name == "tst")
        set_flags(flags::kind::logic, left, a, b, builder_.apply(op::bit_and, a, b));
    else if (i.name == "cmp")
        set_flags(flags::kind::difference, left, a, b, builder_.apply(op::sub, a, b));
    else
        set_flags(flags::kind::sum, left, a, b, builder_.apply(op::add, a, b));
    return true;
}

void arm_thread::set_flags(flags::kind what, const reg& r, const operand_value& a, const operand_value& b,
                           const operand_value& result) {
    flags_ = {what, r.wide, narrow(r, a), narrow(r, b), narrow(r, result)};
}

operand_value arm_thread::flag(char name) {
    const auto& f = flags_;
    if (name == 'n') return is_negative(f.result);
    if (f.what == flags::kind::logic) // C and V are 0
        return name == 'z' ? negated(f.result) : builder_.apply(op::bit_and, f.result, builder_.constant(0));
    if (name == 'z')
        return f.what == flags::kind::difference ? builder_.apply(op::equal, f.a, f.b) : negated(f.result);
    if (name == 'c') {
        if (f.what == flags::kind::difference) return negated(builder_.apply(op::below, f.a, f.b));
        // Of 32 bits, signs extended: the order of unsigned numbers is the same.
        return builder_.apply(op::below, f.result, f.a);
    }
    const operand_value differs = builder_.apply(op::bit_xor, f.result, f.a);
    const operand_value other = f.what == flags::kind::sum ? builder_.apply(op::bit_xor, f.result, f.b)
                                                           : builder_.apply(op::bit_xor, f.a, f.b);
    return is_negative(builder_.apply(op::bit_and, differs, other));
}

operand_value arm_thread::condition(const asm_instruction& i, const std::string& name) {
    if (name == "al" || name == "nv") return builder_.constant(1);
    const auto& f = flags_;
    if (f.what == flags::kind::none) fail(i, "no instruction before this one sets the flags it tests");
    const auto less = [&] { // N != V
        if (f.what == flags::kind::difference) return builder_.apply(op::less, f.a, f.b);
        return negated(builder_.apply(op::equal, flag('n'), flag('v')));
    };
    const auto both = [&](const operand_value& a, const operand_value& b) {
        return builder_.apply(op::bit_and, a, b);
    };
    if (name == "eq") return flag('z');
    if (name == "ne") return negated(flag('z'));
    if (name == "cs" || name == "hs") return flag('c');
    if (name == "cc" || name == "lo") return negated(flag('c'));
    if (name == "mi") return flag('n');
    if (name == "pl") return negated(flag('n'));
    if (name == "vs") return flag('v');
    if (name == "vc") return negated(flag('v'));
    if (name == "hi") return both(flag('c'), negated(flag('z')));
    if (name == "ls") return negated(both(flag('c'), negated(flag('z'))));
    if (name == "lt") return less();
    if (name == "ge") return negated(less());
    if (name == "gt") return both(negated(flag('z')), negated(less()));
    if (name == "le") return negated(both(negated(flag('z')), negated(less())));
    fail(i, fmt::format("'{}' is no condition", name));
}

/// Calls, and jumps to an address in a register.
bool arm_thread::call(const asm_instruction& i) {
    const reg link{30, true};
    if (i.name == "bl") {
        need(i, 1);
        jump(i, 0);
        set(link, return_address());
        return true;
    }
    if (i.name != "br" && i.name != "blr" && i.name != "ret") return false;
    if (i.name != "ret" || !i.operands.empty()) need(i, 1);
    const reg holder = i.operands.empty() ? link : reg_at(i, 0);
    if (!holder.wide) fail(i, fmt::format("'{}' takes a register of 64 bits", i.name));
    const operand_value to = get(holder);
    if (i.name == "blr") set(link, return_address());
    jump_to(i, to);
    return true;
}

bool arm_thread::branch(const asm_instruction& i) {
    if (i.name == "b") {
        need(i, 1);
        jump(i, 0);
        return true;
    }
    operand_value c;
    std::size_t label = 0;
    if (i.name == "cbz" || i.name == "cbnz") {
        need(i, 2);
        c = negated(get(reg_at(i, 0)));
        if (i.name == "cbnz") c = negated(c);
        label = 1;
    } else if (i.name == "tbz" || i.name == "tbnz") {
        need(i, 3);
        const reg of = reg_at(i, 0);
        const std::int64_t bit = number_at(i, 1);
        if (bit < 0 || bit > (of.wide ? 63 : 31)) fail(i, "there is no such bit");
        c = builder_.apply(op::bit_and, get(of),
                           builder_.constant(static_cast<std::int64_t>(std::uint64_t{1} << bit)));
        c = negated(c);
        if (i.name == "tbnz") c = negated(c);
        label = 2;
    } else if (i.name.compare(0, 2, "b.") == 0) {
        need(i, 1);
        c = condition(i, i.name.substr(2));
    } else {
        return false;
    }
    jump_if(i, c, label);
    return true;
}

bool arm_thread::select(const asm_instruction& i) {
    static constexpr std::string_view names[] = {"csel",  "csinc", "csinv", "csneg", "cset",
                                                 "csetm", "cinc",  "cinv",  "cneg"};
    if (std::find(std::begin(names), std::end(names), i.name) == std::end(names)) return false;
    const bool set_form = i.name.starts_with("cset"), one_form = i.name[1] != 's';
    need(i, set_form ? 2 : one_form ? 3 : 4);
    const reg to = reg_at(i, 0);
    const operand_value c = condition(i, lower(i.operands.back()));
    operand_value a = set_form ? builder_.constant(i.name == "cset" ? 1 : -1) : get(reg_at(i, 1));
    operand_value b = set_form ? builder_.constant(0) : one_form ? a : get(reg_at(i, 2));
    // What is changed: of CSINC the second, which is chosen if the condition does not hold; of CINC the one
    // operand, if it does.
    operand_value& changed = one_form ? a : b;
    const std::string how = set_form ? "" : i.name.substr(one_form ? 1 : 2);
    if (how == "inc") changed = builder_.apply(op::add, changed, builder_.constant(1));
    if (how == "inv") changed = builder_.apply(op::bit_xor, changed, builder_.constant(-1));
    if (how == "neg") changed = builder_.apply(op::sub, builder_.constant(0), changed);
    // Only what is selected flows on; the condition picks, which orders less.
    operand_value v = builder_.decide(c) ? a : b;
    v.picked |= c.picked | c.from;
    set(to, v);
    return true;
}

} // namespace ringproof::litmus
