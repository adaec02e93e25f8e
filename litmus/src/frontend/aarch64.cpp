// SPDX-License-Identifier: Apache-2.0
// AArch64: loads and stores with their acquire and release forms, exclusives, atomic instructions,
// barriers, the arithmetic that makes dependencies, compares, branches and conditional selects.
#include "../parse/aarch64.hpp"
#include "../parse/text.hpp"
#include "assembly_thread.hpp"
#include "front_ends.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace ringproof::litmus {
namespace {

using op = expressions::op;
using aarch64::find_register, aarch64::reg;

std::string name_of(const std::string& text) {
    const auto r = find_register(text);
    return r ? r->name() : std::string();
}

struct atomic_form {
    bool acquire = false, release = false;
};

/// The order a suffix such as "al" stands for.
std::optional<atomic_form> form_of(std::string_view suffix) {
    if (suffix.empty()) return atomic_form{};
    if (suffix == "a") return atomic_form{true, false};
    if (suffix == "l") return atomic_form{false, true};
    if (suffix == "al") return atomic_form{true, true};
    return std::nullopt;
}

class arm_thread final : public assembly_thread {
  public:
    arm_thread(const test& t, const asm_thread& code, std::size_t thread, program& p, path_builder& b)
        : assembly_thread(t, code, thread, p, b, name_of) {}

  private:
    reg reg_at(const asm_instruction& i, std::size_t k) const {
        const auto r = find_register(operand(i, k));
        if (!r) fail(i, fmt::format("expected a register, found '{}'", i.operands[k]));
        return *r;
    }

    operand_value get(const reg& r) {
        if (r.zero()) return builder_.constant(0);
        const operand_value v = value_of(r.name());
        return r.wide ? v : builder_.apply(op::sign32, v);
    }

    /// Values of 32 bits are kept sign-extended, which is how they are shown.
    void set(const reg& r, const operand_value& v) {
        if (!r.zero()) set_value(r.name(), r.wide ? v : builder_.apply(op::sign32, v));
    }

    operand_value register_or_number(const asm_instruction& i, std::size_t k) {
        std::int64_t number = 0;
        if (k < i.operands.size() && parse_immediate(i.operands[k], number)) return builder_.constant(number);
        return get(reg_at(i, k));
    }

    /// "[x1]", "[x1,#0]", "[x1,w2,sxtw]", "[x1,x2]"
    operand_value address(const asm_instruction& i, std::size_t k) {
        if (k >= i.operands.size()) fail(i, fmt::format("'{}' needs an address", i.name));
        const std::string& text = i.operands[k];
        if (text.size() < 3 || text.front() != '[' || text.back() != ']')
            fail(i, fmt::format("expected an address such as [X1], found '{}'", text));
        std::vector<std::string> parts{""};
        for (const char c : text.substr(1, text.size() - 2)) {
            if (c == ',')
                parts.emplace_back();
            else if (c != ' ')
                parts.back() += c;
        }
        const auto base = find_register(parts[0]);
        if (!base || base->zero())
            fail(i, fmt::format("expected a register that holds an address, found '{}'", parts[0]));
        operand_value a = get(*base);
        if (parts.size() == 1) return a;
        std::int64_t number = 0;
        if (parse_immediate(parts[1], number)) return builder_.apply(op::add, a, builder_.constant(number));
        const auto index = find_register(parts[1]);
        const std::string extension = parts.size() > 2 ? lower(parts[2]) : "";
        if (!index || parts.size() > 3 || (!extension.empty() && extension != "sxtw" && extension != "uxtw"))
            fail(i, fmt::format("address '{}' is not supported", text));
        operand_value by = get(*index);
        if (extension == "uxtw") by = builder_.apply(op::low32, by);
        return builder_.apply(op::add, a, by);
    }

    static tag_set access_tags(const atomic_form& f, bool is_read, bool atomic, bool exclusive,
                               bool pc = false) {
        static const tag_set a = tags({"A"}), q = tags({"Q"}), l = tags({"L"}), x = tags({"X"}),
                             ex = tags({"EX"});
        tag_set set;
        if (is_read && f.acquire) set |= pc ? q : a;
        if (!is_read && f.release) set |= l;
        if (atomic) set |= x;
        if (exclusive) set |= ex;
        return set;
    }

    operand_value narrow(const reg& r, const operand_value& v) {
        return r.wide ? v : builder_.apply(op::sign32, v);
    }

    bool load_or_store(const asm_instruction& i) {
        struct entry {
            const char* name;
            bool load, acquire, pc, release, exclusive;
        };
        static constexpr entry entries[] = {
            {"ldr", true, false, false, false, false},   {"ldur", true, false, false, false, false},
            {"ldar", true, true, false, false, false},   {"ldapr", true, true, true, false, false},
            {"ldapur", true, true, true, false, false},  {"ldxr", true, false, false, false, true},
            {"ldaxr", true, true, false, false, true},   {"str", false, false, false, false, false},
            {"stur", false, false, false, false, false}, {"stlr", false, false, false, true, false},
            {"stlur", false, false, false, true, false}, {"stxr", false, false, false, false, true},
            {"stlxr", false, false, false, true, true}};
        const auto* e = std::find_if(std::begin(entries), std::end(entries),
                                     [&](const entry& one) { return i.name == one.name; });
        if (e == std::end(entries)) return false;
        const tag_set set_of = access_tags({e->acquire, e->release}, e->load, false, e->exclusive, e->pc);
        if (e->load) {
            need(i, 2);
            const reg to = reg_at(i, 0);
            operand_value v;
            const operand_value at = address(i, 1);
            const int read = builder_.read(at, set_of, v);
            set(to, v);
            if (e->exclusive) reserve(read, at);
            return true;
        }
        if (!e->exclusive) {
            need(i, 2);
            const reg from = reg_at(i, 0);
            builder_.write(address(i, 1), narrow(from, get(from)), set_of);
            return true;
        }
        need(i, 3);
        const reg status = reg_at(i, 0), from = reg_at(i, 1);
        const operand_value at = address(i, 2), value = narrow(from, get(from));
        const bool stored = store_reserved(at, value, set_of);
        set(status, builder_.constant(stored ? 0 : 1));
        return true;
    }

    bool atomic_instruction(const asm_instruction& i) {
        static const tag_set no_return = tags({"NoRet"});
        struct family {
            const char* stem;
            op how;
            bool complement;
        };
        static constexpr family families[] = {{"add", op::add, false},
                                              {"clr", op::bit_and, true},
                                              {"eor", op::bit_xor, false},
                                              {"set", op::bit_or, false}};
        const auto modify = [&](const reg& from, const reg& to, std::size_t where, const atomic_form& f,
                                const family* how, bool store_form) {
            const operand_value by = narrow(from, get(from)), at = address(i, where);
            operand_value old;
            const bool ignored = to.zero() || store_form;
            tag_set read_tags = access_tags(f, true, true, false);
            if (ignored) read_tags = no_return | tags({"X"}); // its value goes nowhere: nothing waits for it
            const int r = builder_.read(at, read_tags, old);
            operand_value stored = by;
            if (how)
                stored = builder_.apply(
                    how->how, old,
                    how->complement ? builder_.apply(op::bit_xor, by, builder_.constant(-1)) : by);
            const int w = builder_.write(at, narrow(from, stored), access_tags(f, false, true, false));
            builder_.rmw(r, w, false);
            if (!ignored) set(to, old);
        };
        if (i.name.compare(0, 3, "swp") == 0) {
            const auto f = form_of(std::string_view(i.name).substr(3));
            if (!f) return false;
            need(i, 3);
            modify(reg_at(i, 0), reg_at(i, 1), 2, *f, nullptr, false);
            return true;
        }
        if (i.name.compare(0, 3, "cas") == 0) {
            const auto f = form_of(std::string_view(i.name).substr(3));
            if (!f) return false;
            need(i, 3);
            compare_and_swap(i, *f);
            return true;
        }
        for (const family& one : families)
            for (const bool store_form : {false, true}) {
                const std::string stem = fmt::format("{}{}", store_form ? "st" : "ld", one.stem);
                if (i.name.compare(0, stem.size(), stem) != 0) continue;
                const auto f = form_of(std::string_view(i.name).substr(stem.size()));
                if (!f) continue;
                need(i, store_form ? 2 : 3);
                modify(reg_at(i, 0), reg_at(i, store_form ? 0 : 1), store_form ? 1 : 2, *f, &one, store_form);
                return true;
            }
        return false;
    }

    /// A CAS that fails may write back what it read, or not, and then its result may or may not
    /// depend on the comparison; one that succeeds may take its result from the register compared
    /// or from memory. Different dependencies, so different executions.
    void compare_and_swap(const asm_instruction& i, const atomic_form& f) {
        const reg expected = reg_at(i, 0), desired = reg_at(i, 1);
        const operand_value old = narrow(expected, get(expected)), stored = narrow(desired, get(desired)),
                            at = address(i, 2);
        tag_set read_tags = access_tags(f, true, true, false);
        if (expected.zero()) read_tags = tags({"NoRet", "X"});
        operand_value v;
        if (builder_.either()) {
            const bool from_memory = builder_.either();
            const int r = builder_.read(at, read_tags, v);
            operand_value written = stored;
            written.picked |= old.picked | v.picked;
            const int w = builder_.write(at, written, access_tags(f, false, true, false));
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
        const int r = builder_.read(at, read_tags, v);
        if (!builder_.assume(builder_.apply(op::equal, builder_.apply(op::equal, narrow(expected, v), old),
                                            builder_.constant(0))))
            throw path_ends{};
        if (writes_back) {
            operand_value written = v;
            written.picked |= old.picked;
            const int w = builder_.write(at, written, access_tags(f, false, true, false));
            builder_.rmw(r, w, false);
        } else if (builder_.either()) {
            v.picked |= old.picked;
        }
        set(expected, v);
    }

    bool barrier(const asm_instruction& i) {
        if (i.name == "isb") {
            builder_.other(tags({"F", "ISB"}));
            return true;
        }
        if (i.name != "dmb" && i.name != "dsb") return false;
        need(i, 1);
        const std::string domain = upper(i.operands[0]);
        static constexpr std::string_view domains[] = {"SY",  "LD",    "ST",    "ISH", "ISHLD", "ISHST",
                                                       "OSH", "OSHLD", "OSHST", "NSH", "NSHLD", "NSHST"};
        if (std::find(std::begin(domains), std::end(domains), domain) == std::end(domains))
            fail(i, fmt::format("barrier domain '{}' is not supported", i.operands[0]));
        const std::string label = (i.name == "dmb" ? "DMB." : "DSB.") + domain;
        tag_set set_of = tags({"F"});
        set_of.set(tag_index(label));
        builder_.other(set_of);
        return true;
    }

    bool arithmetic(const asm_instruction& i) {
        if (i.name == "mov") {
            need(i, 2);
            const reg to = reg_at(i, 0);
            set(to, register_or_number(i, 1));
            return true;
        }
        struct entry {
            const char* name;
            op how;
        };
        static constexpr entry entries[] = {
            {"add", op::add},        {"sub", op::sub},        {"subs", op::sub},   {"adds", op::add},
            {"and", op::bit_and},    {"ands", op::bit_and},   {"orr", op::bit_or}, {"eor", op::bit_xor},
            {"lsl", op::shift_left}, {"lsr", op::shift_right}};
        if (i.name == "cmp" || i.name == "tst") {
            need(i, 2);
            flags_a_ = get(reg_at(i, 0));
            flags_b_ = register_or_number(i, 1);
            if (i.name == "tst") {
                flags_a_ = builder_.apply(op::bit_and, flags_a_, flags_b_);
                flags_b_ = builder_.constant(0);
            }
            return true;
        }
        for (const entry& e : entries) {
            if (i.name != e.name) continue;
            if (i.operands.size() == 4 && lower(i.operands[3]) != "sxtw" && lower(i.operands[3]) != "uxtw")
                fail(i, "shifted operands are not supported");
            if (i.operands.size() != 4) need(i, 3);
            const reg to = reg_at(i, 0);
            const operand_value a = get(reg_at(i, 1)), b = register_or_number(i, 2);
            const operand_value result = builder_.apply(e.how, a, b);
            set(to, result);
            if (i.name == "subs")
                flags_a_ = a, flags_b_ = b;
            else if (i.name == "ands")
                flags_a_ = narrow(to, result), flags_b_ = builder_.constant(0);
            else if (i.name == "adds")
                flags_a_ = flags_b_ = operand_value{};
            return true;
        }
        return false;
    }

    operand_value negated(const operand_value& v) { return builder_.negated(v); }

    operand_value condition(const asm_instruction& i, const std::string& name) {
        if (flags_a_.e == no_expr) fail(i, "no instruction before this one sets the flags it tests");
        if (name == "eq") return builder_.apply(op::equal, flags_a_, flags_b_);
        if (name == "ne") return negated(builder_.apply(op::equal, flags_a_, flags_b_));
        if (name == "lt") return builder_.apply(op::less, flags_a_, flags_b_);
        if (name == "ge") return negated(builder_.apply(op::less, flags_a_, flags_b_));
        if (name == "le") return builder_.apply(op::less_equal, flags_a_, flags_b_);
        if (name == "gt") return negated(builder_.apply(op::less_equal, flags_a_, flags_b_));
        if (name == "lo" || name == "cc") return builder_.apply(op::below, flags_a_, flags_b_);
        if (name == "hs" || name == "cs") return negated(builder_.apply(op::below, flags_a_, flags_b_));
        fail(i, fmt::format("condition '{}' is not supported", name));
    }

    bool branch(const asm_instruction& i) {
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
        } else if (i.name.compare(0, 2, "b.") == 0) {
            need(i, 1);
            c = condition(i, i.name.substr(2));
        } else {
            return false;
        }
        jump_if(i, c, label);
        return true;
    }

    bool select(const asm_instruction& i) {
        const bool set_form = i.name == "cset";
        if (i.name != "csel" && i.name != "csinc" && !set_form) return false;
        need(i, set_form ? 2 : 4);
        const reg to = reg_at(i, 0);
        const operand_value c = condition(i, lower(i.operands[set_form ? 1 : 3]));
        operand_value a = set_form ? builder_.constant(1) : get(reg_at(i, 1)),
                      b = set_form ? builder_.constant(0) : get(reg_at(i, 2));
        if (i.name == "csinc") b = builder_.apply(op::add, b, builder_.constant(1));
        // Only what is selected flows on; the condition picks, which orders less.
        operand_value v = builder_.decide(c) ? a : b;
        v.picked |= c.picked | c.from;
        set(to, v);
        return true;
    }

    void step(const asm_instruction& i) override {
        if (i.name == "nop") return;
        if (load_or_store(i) || atomic_instruction(i) || barrier(i) || arithmetic(i) || branch(i) ||
            select(i))
            return;
        fail(i, fmt::format("instruction '{}' is not supported", i.name));
    }

    operand_value flags_a_, flags_b_;
};

} // namespace

program run_aarch64(const test& t, int unroll, watch* time) {
    return run_assembly<arm_thread>(t, unroll, "AArch64", name_of, time);
}

} // namespace ringproof::litmus
