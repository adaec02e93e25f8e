// SPDX-License-Identifier: Apache-2.0
// RISC-V: loads and stores (with .aq and .rl), lr/sc, atomic instructions, fences, the arithmetic
// that makes dependencies, and branches.
#include "../parse/text.hpp"
#include "assembly_thread.hpp"
#include "front_ends.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace ringproof::litmus {
namespace {

using op = expressions::op;

/// "x5", "a0", … as "x5"; empty if it is no register.
std::string register_of(const std::string& text) {
    static const std::map<std::string, int> names = [] {
        std::map<std::string, int> m{{"zero", 0}, {"ra", 1}, {"sp", 2}, {"gp", 3}, {"tp", 4}, {"fp", 8}};
        for (int i = 0; i < 32; ++i) m[fmt::format("x{}", i)] = i;
        for (int i = 0; i < 3; ++i) m[fmt::format("t{}", i)] = 5 + i;
        for (int i = 3; i < 7; ++i) m[fmt::format("t{}", i)] = 25 + i;
        for (int i = 0; i < 2; ++i) m[fmt::format("s{}", i)] = 8 + i;
        for (int i = 2; i < 12; ++i) m[fmt::format("s{}", i)] = 16 + i;
        for (int i = 0; i < 8; ++i) m[fmt::format("a{}", i)] = 10 + i;
        return m;
    }();
    const auto at = names.find(lower(text));
    return at == names.end() ? std::string() : fmt::format("x{}", at->second);
}

class riscv_thread final : public assembly_thread {
  public:
    riscv_thread(const test& t, const std::vector<asm_thread>& code, std::size_t thread, program& p,
                 path_builder& b)
        : assembly_thread(t, code, thread, p, b, register_of) {}

  private:
    std::string reg_at(const asm_instruction& i, std::size_t k) const {
        const std::string r = register_of(operand(i, k));
        if (r.empty()) fail(i, fmt::format("expected a register, found '{}'", i.operands[k]));
        return r;
    }

    operand_value get(const std::string& r) { return r == "x0" ? builder_.constant(0) : value_of(r); }

    void set(const std::string& r, const operand_value& v) {
        if (r != "x0") set_value(r, v);
    }

    std::int64_t number(const asm_instruction& i, std::size_t k) const {
        std::int64_t n = 0;
        if (!parse_immediate(i.operands[k], n))
            fail(i, fmt::format("expected a number, found '{}'", i.operands[k]));
        return n;
    }

    /// "0(x6)" or "(x6)"
    operand_value address(const asm_instruction& i, std::size_t k) {
        const std::string& text = i.operands[k];
        const auto open = text.find('(');
        if (open == std::string::npos || text.back() != ')')
            fail(i, fmt::format("expected an address such as 0(x6), found '{}'", text));
        const std::string base = register_of(text.substr(open + 1, text.size() - open - 2));
        std::int64_t offset = 0;
        if (base.empty() || (open > 0 && !parse_immediate(text.substr(0, open), offset)))
            fail(i, fmt::format("expected an address such as 0(x6), found '{}'", text));
        return offset ? builder_.apply(op::add, get(base), builder_.constant(offset)) : get(base);
    }

    /// The lowest bytes, with zeros or with their sign above.
    operand_value extended(const operand_value& v, int bytes, bool is_unsigned) {
        if (bytes == 4) return builder_.apply(is_unsigned ? op::low32 : op::sign32, v);
        const operand_value left = builder_.constant(64 - 8 * bytes);
        return builder_.apply(is_unsigned ? op::shift_right : op::shift_right_signed,
                              builder_.apply(op::shift_left, v, left), left);
    }

    struct annotated {
        std::string stem; ///< without .aq and .rl
        bool acquire = false, release = false;
        tag_set labels() const {
            if (acquire && release) return tags({"AcqRel"});
            if (acquire) return tags({"Acq"});
            if (release) return tags({"Rel"});
            return {};
        }
    };

    static annotated annotation_of(const std::string& name) {
        annotated a;
        a.stem = name;
        const auto strip = [&](std::string_view suffix) {
            if (a.stem.size() <= suffix.size() ||
                a.stem.compare(a.stem.size() - suffix.size(), suffix.size(), suffix) != 0)
                return false;
            a.stem.resize(a.stem.size() - suffix.size());
            return true;
        };
        if (strip(".aqrl") || strip(".aq.rl"))
            a.acquire = a.release = true;
        else if (strip(".aq"))
            a.acquire = true;
        else if (strip(".rl"))
            a.release = true;
        return a;
    }

    bool memory(const asm_instruction& i) {
        const annotated a = annotation_of(i.name);
        struct entry {
            std::string_view name;
            int bytes;
            bool is_store, is_unsigned;
        };
        static constexpr entry entries[] = {
            {"lb", 1, false, false}, {"lbu", 1, false, true}, {"lh", 2, false, false},
            {"lhu", 2, false, true}, {"lw", 4, false, false}, {"lwu", 4, false, true},
            {"ld", 8, false, false}, {"sb", 1, true, false},  {"sh", 2, true, false},
            {"sw", 4, true, false},  {"sd", 8, true, false}};
        for (const entry& e : entries) {
            if (a.stem != e.name) continue;
            need(i, 2);
            operand_value v;
            if (e.is_store) {
                v = get(reg_at(i, 0));
                const int event =
                    builder_.write(address(i, 1), e.bytes < 4 ? extended(v, e.bytes, true) : v, a.labels());
                builder_.at(event).bytes = e.bytes;
                return true;
            }
            builder_.at(builder_.read(address(i, 1), a.labels(), v)).bytes = e.bytes;
            set(reg_at(i, 0), e.bytes < 8 ? extended(v, e.bytes, e.is_unsigned) : v);
            return true;
        }
        return reserved(i, a) || atomic_instruction(i, a);
    }

    /// 4 or 8, of an instruction whose name ends so.
    static int bytes_of(const annotated& a) { return a.stem.back() == 'w' ? 4 : 8; }

    bool reserved(const asm_instruction& i, const annotated& a) {
        const tag_set labels = a.labels() | tags({"EX", "X"});
        if (a.stem == "lr.w" || a.stem == "lr.d") {
            need(i, 2);
            operand_value v;
            const operand_value at = address(i, 1);
            const int read = builder_.read(at, labels, v);
            builder_.at(read).bytes = bytes_of(a);
            reserve(read, at);
            set(reg_at(i, 0), bytes_of(a) == 4 ? extended(v, 4, false) : v);
            return true;
        }
        if (a.stem == "sc.w" || a.stem == "sc.d") {
            need(i, 3);
            const operand_value at = address(i, 2), value = get(reg_at(i, 1));
            const int write = store_reserved(at, value, labels);
            operand_value failed = builder_.constant(write < 0 ? 1 : 0);
            // What is computed from the result depends on the store, not on what the store depends on: memory
            // instructions carry no dependency from their sources to their destination.
            if (write >= 0) {
                builder_.at(write).bytes = bytes_of(a);
                failed.from = failed.picked = load_set{1} << write;
            }
            set(reg_at(i, 0), failed);
            return true;
        }
        return false;
    }

    bool atomic_instruction(const asm_instruction& i, const annotated& a) {
        struct entry {
            std::string_view stem;
            op how;
        };
        static constexpr entry entries[] = {{"amoswap", op::constant},
                                            {"amoadd", op::add},
                                            {"amoand", op::bit_and},
                                            {"amoor", op::bit_or},
                                            {"amoxor", op::bit_xor}};
        for (const entry& e : entries) {
            if (a.stem != fmt::format("{}.w", e.stem) && a.stem != fmt::format("{}.d", e.stem)) continue;
            need(i, 3);
            const operand_value by = get(reg_at(i, 1)), at = address(i, 2);
            operand_value old;
            // One memory operation that loads and stores at once: what orders the load orders the store.
            const int event = builder_.update(at, a.labels() | tags({"X"}), old, [&](const operand_value& v) {
                return e.how == op::constant ? by : builder_.apply(e.how, v, by);
            });
            builder_.at(event).bytes = bytes_of(a);
            set(reg_at(i, 0), bytes_of(a) == 4 ? extended(old, 4, false) : old);
            return true;
        }
        return false;
    }

    bool fence(const asm_instruction& i) {
        std::string label;
        if (i.name == "fence.tso")
            label = "Fence.tso";
        else if (i.name == "fence.i")
            label = "Fence.i";
        else if (i.name != "fence")
            return false;
        else if (i.operands.empty())
            label = "Fence.rw.rw";
        else {
            need(i, 2);
            // Input and output are of devices: what they order is not memory.
            std::string sides[2];
            for (const std::size_t k : {0, 1}) {
                if (i.operands[k].empty() || i.operands[k].find_first_not_of("iorw") != std::string::npos)
                    fail(i, fmt::format("expected some of i, o, r and w, found '{}'", i.operands[k]));
                for (const char c : {'r', 'w'})
                    if (i.operands[k].find(c) != std::string::npos) sides[k] += c;
            }
            label = sides[0].empty() || sides[1].empty() ? "Fence.io"
                                                         : fmt::format("Fence.{}.{}", sides[0], sides[1]);
        }
        tag_set labels = tags({"F"});
        labels.set(tag_index(label));
        builder_.other(labels);
        return true;
    }

    bool arithmetic(const asm_instruction& i) {
        struct entry {
            const char* name;
            op how;
        };
        static constexpr entry entries[] = {{"add", op::add},         {"sub", op::sub},
                                            {"xor", op::bit_xor},     {"or", op::bit_or},
                                            {"and", op::bit_and},     {"sll", op::shift_left},
                                            {"srl", op::shift_right}, {"sra", op::shift_right_signed},
                                            {"slt", op::less},        {"sltu", op::below},
                                            {"mul", op::mul}};
        if (i.name == "li") {
            need(i, 2);
            set(reg_at(i, 0), builder_.constant(number(i, 1)));
            return true;
        }
        if (i.name == "mv") {
            need(i, 2);
            set(reg_at(i, 0), get(reg_at(i, 1)));
            return true;
        }
        if (i.name == "lui") {
            need(i, 2);
            set(reg_at(i, 0), extended(builder_.constant(number(i, 1) << 12), 4, false));
            return true;
        }
        struct unary {
            const char* name;
            op how;
            std::int64_t with;
            bool reversed; ///< the number comes first
        };
        static constexpr unary unaries[] = {{"not", op::bit_xor, -1, false}, {"neg", op::sub, 0, true},
                                            {"negw", op::sub, 0, true},      {"sext.w", op::add, 0, false},
                                            {"seqz", op::equal, 0, false},   {"snez", op::below, 0, true}};
        for (const unary& u : unaries) {
            if (i.name != u.name) continue;
            need(i, 2);
            const operand_value v = get(reg_at(i, 1)), with = builder_.constant(u.with);
            const operand_value result =
                u.reversed ? builder_.apply(u.how, with, v) : builder_.apply(u.how, v, with);
            const bool narrow = i.name == "sext.w" || i.name == "negw";
            set(reg_at(i, 0), narrow ? extended(result, 4, false) : result);
            return true;
        }
        return binary(i, entries);
    }

    /// `add`, `addi`, and of 32 bits `addw` and `addiw`.
    template <class Entries>
    bool binary(const asm_instruction& i, const Entries& entries) {
        for (const auto& e : entries) {
            const std::string stem = e.name;
            const bool wide = i.name == stem || i.name == stem + "i" || (stem == "sltu" && i.name == "sltiu");
            const bool narrow = i.name == stem + "w" || i.name == stem + "iw";
            if (!wide && !narrow) continue;
            need(i, 3);
            const bool immediate = i.name == stem + (narrow ? "iw" : "i") || i.name == "sltiu";
            operand_value a = get(reg_at(i, 1)),
                          b = immediate ? builder_.constant(number(i, 2)) : get(reg_at(i, 2));
            const bool shifts =
                e.how == op::shift_left || e.how == op::shift_right || e.how == op::shift_right_signed;
            if (narrow && shifts) {
                a = extended(a, 4, e.how == op::shift_right);
                b = builder_.apply(op::bit_and, b, builder_.constant(31));
            }
            const operand_value v = builder_.apply(e.how, a, b);
            set(reg_at(i, 0), narrow ? extended(v, 4, false) : v);
            return true;
        }
        return false;
    }

    bool branch(const asm_instruction& i) {
        if (i.name == "j") {
            need(i, 1);
            jump(i, 0);
            return true;
        }
        operand_value c;
        std::size_t label = 2;
        if (i.name == "beqz" || i.name == "bnez") {
            need(i, 2);
            c = builder_.negated(get(reg_at(i, 0)));
            if (i.name == "bnez") c = builder_.negated(c);
            label = 1;
        } else {
            struct entry {
                const char* name;
                op how;
                bool negated;
            };
            static constexpr entry entries[] = {{"beq", op::equal, false},  {"bne", op::equal, true},
                                                {"blt", op::less, false},   {"bge", op::less, true},
                                                {"bltu", op::below, false}, {"bgeu", op::below, true}};
            const auto* e = std::find_if(std::begin(entries), std::end(entries),
                                         [&](const entry& one) { return i.name == one.name; });
            if (e == std::end(entries)) return false;
            need(i, 3);
            c = builder_.apply(e->how, get(reg_at(i, 0)), get(reg_at(i, 1)));
            if (e->negated) c = builder_.negated(c);
        }
        jump_if(i, c, label);
        return true;
    }

    void step(const asm_instruction& i) override {
        if (i.name == "nop") return;
        if (memory(i) || fence(i) || arithmetic(i) || branch(i)) return;
        fail(i, fmt::format("instruction '{}' is not supported", i.name));
    }
};

} // namespace

program run_riscv(const test& t, int unroll, watch* time) {
    return run_assembly<riscv_thread>(t, unroll, "RISCV", register_of, time);
}

opened_assembly open_riscv(const test& t, int unroll) {
    return open_threads<riscv_thread>(t, unroll, "RISCV", register_of);
}

} // namespace ringproof::litmus
