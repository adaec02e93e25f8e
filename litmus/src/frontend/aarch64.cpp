// SPDX-License-Identifier: Apache-2.0
// AArch64: registers, operands and barriers.
#include "../parse/text.hpp"
#include "aarch64_thread.hpp"
#include "front_ends.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus {
namespace {

using aarch64::find_register;

std::string name_of(const std::string& text) {
    const auto r = find_register(text);
    return r ? r->name() : std::string();
}

} // namespace

arm_thread::arm_thread(const test& t, const std::vector<asm_thread>& code, std::size_t thread, program& p,
                       path_builder& b)
    : assembly_thread(t, code, thread, p, b, name_of) {}

arm_thread::reg arm_thread::reg_at(const asm_instruction& i, std::size_t k) const {
    const auto r = find_register(operand(i, k));
    if (!r) fail(i, fmt::format("expected a register, found '{}'", i.operands[k]));
    return *r;
}

operand_value arm_thread::get(const reg& r) {
    return r.zero() ? builder_.constant(0) : narrow(r, value_of(r.name()));
}

std::int64_t arm_thread::number_at(const asm_instruction& i, std::size_t k) const {
    std::int64_t n = 0;
    if (!parse_immediate(operand(i, k), n))
        fail(i, fmt::format("expected a number, found '{}'", i.operands[k]));
    return n;
}

operand_value arm_thread::low_bits(const operand_value& v, int bits, bool is_signed) {
    if (bits == 64) return v;
    if (bits == 32) return builder_.apply(is_signed ? op::sign32 : op::low32, v);
    const operand_value left = builder_.constant(64 - bits);
    return builder_.apply(is_signed ? op::shift_right_signed : op::shift_right,
                          builder_.apply(op::shift_left, v, left), left);
}

operand_value arm_thread::extended(const operand_value& v, std::string_view how) {
    const int bits = how[3] == 'b' ? 8 : how[3] == 'h' ? 16 : how[3] == 'w' ? 32 : 64;
    return low_bits(v, bits, how[0] == 's');
}

operand_value arm_thread::shifted(const operand_value& v, std::string_view how, const operand_value& by,
                                  bool wide) {
    const operand_value amount = builder_.apply(op::bit_and, by, builder_.constant(wide ? 63 : 31));
    if (how == "lsl") return builder_.apply(op::shift_left, v, amount);
    if (how == "asr") return builder_.apply(op::shift_right_signed, v, amount);
    const operand_value bits = wide ? v : builder_.apply(op::low32, v);
    const operand_value right = builder_.apply(op::shift_right, bits, amount);
    if (how == "lsr") return right;
    const operand_value left = builder_.apply( // 0 - amount: modulo the width
        op::bit_and, builder_.apply(op::sub, builder_.constant(0), amount),
        builder_.constant(wide ? 63 : 31));
    return builder_.apply(op::bit_or, right, builder_.apply(op::shift_left, bits, left));
}

operand_value arm_thread::flexible(const asm_instruction& i, std::size_t k, bool wide) {
    std::int64_t number = 0;
    const bool is_number = parse_immediate(operand(i, k), number);
    operand_value v = is_number ? builder_.constant(number) : get(reg_at(i, k));
    if (k + 1 >= i.operands.size()) return v;
    if (i.operands.size() > k + 2) fail(i, fmt::format("'{}' has too many operands", i.name));
    const std::string how = lower(i.operands[k + 1]);
    const std::string word = how.substr(0, 3);
    std::int64_t by = 0;
    if (word == "lsl" || word == "lsr" || word == "asr" || word == "ror") {
        if (!parse_immediate(how.substr(3), by) || by < 0 || by > (wide ? 63 : 31))
            fail(i, fmt::format("expected a shift such as LSL #1, found '{}'", i.operands[k + 1]));
        return shifted(v, word, builder_.constant(by), wide);
    }
    const std::string extension = how.substr(0, 4);
    static constexpr std::string_view extensions[] = {"sxtb", "sxth", "sxtw", "sxtx",
                                                      "uxtb", "uxth", "uxtw", "uxtx"};
    if (std::find(std::begin(extensions), std::end(extensions), extension) == std::end(extensions) ||
        (how.size() > 4 && (!parse_immediate(how.substr(4), by) || by < 0 || by > 4)))
        fail(i, fmt::format("expected a shift or an extension such as LSL #1 or SXTW, found '{}'",
                            i.operands[k + 1]));
    return builder_.apply(op::shift_left, extended(v, extension), builder_.constant(by));
}

bool arm_thread::barrier(const asm_instruction& i) {
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

void arm_thread::step(const asm_instruction& i) {
    if (i.name == "nop") return;
    if (i.name == "clrex") return clear_reservation();
    if (load_or_store(i) || pair(i) || ordered_pair(i) || exclusive_pair(i) || compare_and_swap_pair(i) ||
        atomic_instruction(i) || barrier(i) || move(i) || arithmetic(i) || extension(i) || bits(i) ||
        multiplication(i) || compare(i) || call(i) || branch(i) || select(i))
        return;
    fail(i, fmt::format("instruction '{}' is not supported", i.name));
}

/// What would be taken for the names of locations, and is of features that are not simulated.
static void refuse_what_is_no_data(const test& t) {
    for (const init_entry& e : t.init)
        for (const std::string& name : {e.where.name, e.symbol}) {
            if (name.starts_with("pte_"))
                throw syntax_error(t.from, e.offset,
                                   fmt::format("'{}': page tables are not supported", name));
            if (name == "NOP")
                throw syntax_error(t.from, e.offset,
                                   "an instruction as a value (code as data) is not supported");
        }
}

program run_aarch64(const test& t, int unroll, watch* time) {
    refuse_what_is_no_data(t);
    return run_assembly<arm_thread>(t, unroll, "AArch64", name_of, time);
}

opened_assembly open_aarch64(const test& t, int unroll) {
    refuse_what_is_no_data(t);
    return open_threads<arm_thread>(t, unroll, "AArch64", name_of);
}

} // namespace ringproof::litmus
