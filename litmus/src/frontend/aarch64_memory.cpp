// SPDX-License-Identifier: Apache-2.0
// AArch64: loads and stores with their acquire and release forms, pairs, exclusives and atomic instructions.
#include "../parse/text.hpp"
#include "aarch64_thread.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus {

std::optional<arm_thread::atomic_form> arm_thread::form_of(std::string_view suffix) {
    if (suffix.empty()) return arm_thread::atomic_form{};
    if (suffix == "a") return arm_thread::atomic_form{true, false};
    if (suffix == "l") return arm_thread::atomic_form{false, true};
    if (suffix == "al") return arm_thread::atomic_form{true, true};
    return std::nullopt;
}

struct arm_thread::access {
    const char* name;
    bool load, acquire, pc, release, exclusive;
    bool sized = true; ///< there are forms for bytes and half words
};

struct arm_thread::family {
    const char* stem;
    op how; ///< less and below: one of both values, by this comparison
    bool complement;
    bool larger = false;
};

arm_thread::place arm_thread::address(const asm_instruction& i, std::size_t k) {
    if (k >= i.operands.size()) fail(i, fmt::format("'{}' needs an address", i.name));
    std::string text = i.operands[k];
    const bool before = !text.empty() && text.back() == '!';
    if (before) text.pop_back();
    if (text.size() < 3 || text.front() != '[' || text.back() != ']')
        fail(i, fmt::format("expected an address such as [X1], found '{}'", text));
    asm_instruction parts; // as if it were an instruction of its own
    parts.name = i.name;
    parts.offset = i.offset;
    parts.operands.emplace_back();
    for (const char c : text.substr(1, text.size() - 2)) {
        if (c == ',')
            parts.operands.emplace_back();
        else if (c != ' ')
            parts.operands.back() += c;
    }
    const auto base = aarch64::find_register(parts.operands[0]);
    if (!base || base->zero())
        fail(i, fmt::format("expected a register that holds an address, found '{}'", parts.operands[0]));
    place p{get(*base), *base, std::nullopt};
    if (parts.operands.size() > 1) p.address = builder_.apply(op::add, p.address, flexible(parts, 1, true));
    if (before) p.written_back = p.address;
    if (k + 1 < i.operands.size()) {
        if (before || parts.operands.size() > 1 || i.operands.size() > k + 2)
            fail(i, fmt::format("'{}' has too many operands", i.name));
        p.written_back = builder_.apply(op::add, p.address, flexible(i, k + 1, true));
    }
    return p;
}

tag_set arm_thread::access_tags(const atomic_form& f, bool is_read, bool atomic, bool exclusive, bool pc) {
    static const tag_set a = tags({"A"}), q = tags({"Q"}), l = tags({"L"}), x = tags({"X"}),
                         ex = tags({"EX"});
    tag_set set;
    if (is_read && f.acquire) set |= pc ? q : a;
    if (!is_read && f.release) set |= l;
    if (atomic) set |= x;
    if (exclusive) set |= ex;
    return set;
}

int arm_thread::read(const operand_value& at, int bytes, bool is_signed, bool wide, const tag_set& set,
                     operand_value& v) {
    refuse_code(at);
    const int event = builder_.read(at, set, v);
    builder_.at(event).bytes = bytes;
    if (bytes < 4 || (bytes == 4 && (wide || is_signed))) v = low_bits(v, 8 * bytes, is_signed);
    return event;
}

int arm_thread::write(const operand_value& at, int bytes, const operand_value& v, const tag_set& set) {
    refuse_code(at);
    const int event = builder_.write(at, bytes < 4 ? low_bits(v, 8 * bytes, false) : v, set);
    builder_.at(event).bytes = bytes;
    return event;
}

bool arm_thread::load_or_store(const asm_instruction& i) {
    static constexpr access accesses[] = {
        {"ldr", true, false, false, false, false},   {"ldur", true, false, false, false, false},
        {"ldar", true, true, false, false, false},   {"ldapr", true, true, true, false, false},
        {"ldapur", true, true, true, false, false},  {"ldxr", true, false, false, false, true},
        {"ldaxr", true, true, false, false, true},   {"str", false, false, false, false, false},
        {"stur", false, false, false, false, false}, {"stlr", false, false, false, true, false},
        {"stlur", false, false, false, true, false}, {"stxr", false, false, false, false, true},
        {"stlxr", false, false, false, true, true}};
    for (const access& a : accesses) {
        if (i.name.compare(0, std::string_view(a.name).size(), a.name) != 0) continue;
        const std::string size = i.name.substr(std::string_view(a.name).size());
        const bool plain = size.empty() || size == "b" || size == "h";
        if (!plain && (!a.load || a.exclusive || (size != "sb" && size != "sh" && size != "sw"))) continue;
        if (a.load)
            load(i, a);
        else
            store(i, a);
        return true;
    }
    return false;
}

/// Of an instruction whose name ends so, with a register of this width.
static int bytes_of(const std::string& suffix, bool wide) {
    if (suffix.empty()) return wide ? 8 : 4;
    return suffix.back() == 'b' ? 1 : suffix.back() == 'h' ? 2 : 4;
}

void arm_thread::load(const asm_instruction& i, const access& a) {
    const std::string suffix = i.name.substr(std::string_view(a.name).size());
    const reg to = reg_at(i, 0);
    const place p = address(i, 1);
    operand_value v;
    const int event = read(p.address, bytes_of(suffix, to.wide), suffix.size() == 2, to.wide,
                           access_tags({a.acquire, a.release}, true, false, a.exclusive, a.pc), v);
    write_back(p);
    set(to, v);
    if (a.exclusive) reserve(event, p.address);
}

void arm_thread::store(const asm_instruction& i, const access& a) {
    const std::string suffix = i.name.substr(std::string_view(a.name).size());
    const tag_set set_of = access_tags({a.acquire, a.release}, false, false, a.exclusive, a.pc);
    const std::size_t first = a.exclusive ? 1 : 0;
    const reg from = reg_at(i, first);
    const operand_value v = get(from);
    const int bytes = bytes_of(suffix, from.wide);
    const place p = address(i, first + 1);
    if (!a.exclusive) {
        write(p.address, bytes, v, set_of);
        write_back(p);
        return;
    }
    refuse_code(p.address);
    const bool stored = store_reserved(p.address, bytes < 4 ? low_bits(v, 8 * bytes, false) : v, set_of) >= 0;
    if (stored) builder_.current().events.back().bytes = bytes;
    set(reg_at(i, 0), builder_.constant(stored ? 0 : 1));
}

bool arm_thread::atomic_instruction(const asm_instruction& i) {
    static constexpr family families[] = {
        {"add", op::add, false},          {"clr", op::bit_and, true},       {"eor", op::bit_xor, false},
        {"set", op::bit_or, false},       {"smax", op::less, false, true},  {"smin", op::less, false, false},
        {"umax", op::below, false, true}, {"umin", op::below, false, false}};
    std::string_view name = i.name;
    int bytes = 0; // those of the register
    if (name.size() > 3 && (name.back() == 'b' || name.back() == 'h')) {
        bytes = name.back() == 'b' ? 1 : 2;
        name.remove_suffix(1);
    }
    if (name.starts_with("swp") || name.starts_with("cas")) {
        const auto f = form_of(name.substr(3));
        if (!f) return false;
        need(i, 3);
        if (name.starts_with("swp"))
            modify(i, *f, nullptr, bytes, false);
        else
            compare_and_swap(i, *f, bytes);
        return true;
    }
    for (const family& one : families)
        for (const bool store_form : {false, true}) {
            const std::string stem = fmt::format("{}{}", store_form ? "st" : "ld", one.stem);
            if (!name.starts_with(stem)) continue;
            const auto f = form_of(name.substr(stem.size()));
            if (!f) continue;
            need(i, store_form ? 2 : 3);
            modify(i, *f, &one, bytes, store_form);
            return true;
        }
    return false;
}

/// What LDADD and its kin store.
operand_value arm_thread::combined(const family& f, const operand_value& old, const operand_value& by,
                                   int bytes) {
    if (f.how != op::less && f.how != op::below)
        return builder_.apply(f.how, old,
                              f.complement ? builder_.apply(op::bit_xor, by, builder_.constant(-1)) : by);
    const auto as_compared = [&](const operand_value& v) {
        return low_bits(v, 8 * bytes, f.how == op::less);
    };
    const operand_value is_less = builder_.apply(f.how, as_compared(old), as_compared(by));
    return f.larger ? chosen(is_less, by, old) : chosen(is_less, old, by);
}

/// SWP, which has no family, LDADD and its kin, and with `store_form` STADD and its kin.
void arm_thread::modify(const asm_instruction& i, const atomic_form& f, const family* how, int bytes,
                        bool store_form) {
    const reg from = reg_at(i, 0), to = reg_at(i, store_form ? 0 : 1);
    if (bytes == 0) bytes = from.wide ? 8 : 4;
    const operand_value by = get(from), at = address(i, store_form ? 1 : 2).address;
    operand_value old;
    const bool ignored = to.zero() || store_form;
    tag_set read_tags = access_tags(f, true, true, false);
    if (ignored) read_tags = tags({"NoRet", "X"}); // its value goes nowhere: nothing waits for it
    const int r = read(at, bytes, false, from.wide, read_tags, old);
    operand_value stored = by;
    if (how) stored = combined(*how, old, by, bytes);
    const int w = write(at, bytes, narrow(from, stored), access_tags(f, false, true, false));
    builder_.rmw(r, w, false);
    if (!ignored) set(to, old);
}

/// A CAS that fails may write back what it read, or not, and then its result may or may not
/// depend on the comparison; one that succeeds may take its result from the register compared
/// or from memory. Different dependencies, so different executions.
void arm_thread::compare_and_swap(const asm_instruction& i, const atomic_form& f, int bytes) {
    const reg expected = reg_at(i, 0), desired = reg_at(i, 1);
    const int bits = 8 * (bytes ? bytes : 8);
    const operand_value old = bytes ? low_bits(get(expected), bits, false) : get(expected),
                        stored = bytes ? low_bits(get(desired), bits, false) : get(desired),
                        at = address(i, 2).address;
    if (bytes == 0) bytes = expected.wide ? 8 : 4;
    tag_set read_tags = access_tags(f, true, true, false);
    if (expected.zero()) read_tags = tags({"NoRet", "X"});
    operand_value v;
    if (builder_.either()) {
        const bool from_memory = builder_.either();
        const int r = read(at, bytes, false, expected.wide, read_tags, v);
        operand_value written = stored;
        written.picked |= old.picked | v.picked;
        const int w = write(at, bytes, written, access_tags(f, false, true, false));
        builder_.rmw(r, w, false);
        if (!builder_.assume(builder_.apply(op::equal, narrow(expected, v), old))) throw path_ends{};
        operand_value result = v;
        if (!from_memory) {
            result.from = old.from;
            result.picked = old.picked | v.picked;
        }
        set(expected, result);
        return;
    }
    const bool writes_back = builder_.either();
    if (!writes_back) read_tags.reset(tag_index("X"));
    const int r = read(at, bytes, false, expected.wide, read_tags, v);
    if (!builder_.assume(builder_.apply(op::equal, builder_.apply(op::equal, narrow(expected, v), old),
                                        builder_.constant(0))))
        throw path_ends{};
    if (writes_back) {
        operand_value written = v;
        written.picked |= old.picked;
        const int w = write(at, bytes, written, access_tags(f, false, true, false));
        builder_.rmw(r, w, false);
    } else if (builder_.either()) {
        v.picked |= old.picked;
    }
    set(expected, v);
}

} // namespace ringproof::litmus
