// SPDX-License-Identifier: Apache-2.0
#pragma once
// A thread of AArch64 code. What accesses memory is in aarch64_memory.cpp, what computes, tests and branches in
// aarch64_compute.cpp.

#include "../parse/aarch64.hpp"
#include "assembly_thread.hpp"

#include <optional>

namespace ringproof::litmus {

class arm_thread final : public assembly_thread {
  public:
    arm_thread(const test& t, const std::vector<asm_thread>& code, std::size_t thread, program& p,
               path_builder& b);

    using reg = aarch64::reg;
    using op = expressions::op;

    struct atomic_form {
        bool acquire = false, release = false;
    };
    /// The order that a suffix such as "al" stands for.
    static std::optional<atomic_form> form_of(std::string_view suffix);
    struct family; ///< LDADD, LDCLR, …
    struct access; ///< LDR, LDRB, …

  private:
    void step(const asm_instruction& i) override;
    bool barrier(const asm_instruction& i);

    // ---- registers and operands
    reg reg_at(const asm_instruction& i, std::size_t k) const;
    operand_value get(const reg& r);
    /// Of W0 the lowest bits of X0; the others become 0.
    void set(const reg& r, const operand_value& v) {
        if (!r.zero()) set_value(r.name(), r.wide ? v : builder_.apply(op::low32, v));
    }
    /// Values of 32 bits are computed with as signed, which is how they are shown.
    operand_value narrow(const reg& r, const operand_value& v) {
        return r.wide ? v : builder_.apply(op::sign32, v);
    }
    std::int64_t number_at(const asm_instruction& i, std::size_t k) const;
    /// Operand `k`, a register or a number, and the shift or extension that may follow it.
    operand_value flexible(const asm_instruction& i, std::size_t k, bool wide);
    /// `lsl`, `lsr`, `asr` or `ror` of a register of this width.
    operand_value shifted(const operand_value& v, std::string_view how, const operand_value& by, bool wide);
    /// Of the lowest bits, "sxtw" and its kin.
    operand_value extended(const operand_value& v, std::string_view how);
    operand_value low_bits(const operand_value& v, int bits, bool is_signed);
    /// `a` where the condition is not 0, else `b`; it depends on all three.
    operand_value chosen(const operand_value& condition, const operand_value& a, const operand_value& b) {
        return {builder_.values().apply(op::choose, condition.e, a.e, b.e), condition.from | a.from | b.from,
                condition.picked | a.picked | b.picked};
    }

    // ---- memory
    struct place {
        operand_value address;
        reg base;
        std::optional<operand_value> written_back;
    };
    /// "[x1]", "[x1,#8]", "[x1,w2,sxtw#2]", "[x1,#8]!", and with an operand after it "[x1],#8".
    place address(const asm_instruction& i, std::size_t k);
    void write_back(const place& p) {
        if (p.written_back) set_value(p.base.name(), *p.written_back);
    }
    static tag_set access_tags(const atomic_form& f, bool is_read, bool atomic, bool exclusive,
                               bool pc = false);
    int read(const operand_value& at, int bytes, bool is_signed, bool wide, const tag_set& set,
             operand_value& v);
    int write(const operand_value& at, int bytes, const operand_value& v, const tag_set& set);
    bool load_or_store(const asm_instruction& i);
    void load(const asm_instruction& i, const access& a);
    void store(const asm_instruction& i, const access& a);
    bool pair(const asm_instruction& i);
    bool ordered_pair(const asm_instruction& i);
    bool exclusive_pair(const asm_instruction& i);
    bool atomic_instruction(const asm_instruction& i);
    void modify(const asm_instruction& i, const atomic_form& f, const family* how, int bytes,
                bool store_form);
    operand_value combined(const family& f, const operand_value& old, const operand_value& by, int bytes);
    bool compare_and_swap_pair(const asm_instruction& i);
    void compare_and_swap(const asm_instruction& i, const atomic_form& f, int bytes);

    // ---- what computes
    bool move(const asm_instruction& i);
    bool arithmetic(const asm_instruction& i);
    bool extension(const asm_instruction& i);
    bool bits(const asm_instruction& i);
    bool multiplication(const asm_instruction& i);
    bool compare(const asm_instruction& i);
    bool call(const asm_instruction& i);
    bool branch(const asm_instruction& i);
    bool select(const asm_instruction& i);
    operand_value negated(const operand_value& v) { return builder_.negated(v); }
    operand_value is_negative(const operand_value& v) {
        return builder_.apply(op::less, v, builder_.constant(0));
    }
    /// What the last instruction that set the flags left: `result` from `a` and `b`.
    struct flags {
        enum class kind { none, sum, difference, logic } what = kind::none;
        bool wide = true;
        operand_value a, b, result;
    };
    void set_flags(flags::kind what, const reg& r, const operand_value& a, const operand_value& b,
                   const operand_value& result);
    /// Of the flags: 'n', 'z', 'c', 'v'.
    operand_value flag(char name);
    operand_value condition(const asm_instruction& i, const std::string& name);

    flags flags_;
};

} // namespace ringproof::litmus
