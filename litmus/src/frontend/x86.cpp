// SPDX-License-Identifier: Apache-2.0
// X86 and X86_64: what each instruction does to registers, flags and memory.
#include "../parse/x86.hpp"
#include "front_ends.hpp"

#include <fmt/format.h>

namespace ringproof::litmus {
namespace {

using namespace x86;
using op = expressions::op;

/// What the last instruction that set the flags leaves to a Jcc.
struct flag_state {
    enum class kind { none, comparison, logic, arithmetic };
    kind what = kind::none;
    operand_value a, b; ///< comparison: the operands; else `a` is the result
    int bits = 32;
};

class machine {
  public:
    machine(const test& t, const x86::program& code, std::size_t thread, path_builder& b)
        : test_(t), code_(code.threads[thread]), builder_(b) {
        for (std::size_t r = 0; r < reg_count; ++r)
            registers_[r] = code_.addresses[r].empty() ? b.constant(code_.registers[r])
                                                       : b.address_of(code_.addresses[r]);
    }

    void run() {
        for (std::size_t pc = 0; pc < code_.code.size();) {
            const x86::instruction& i = code_.code[pc];
            builder_.instruction(i.offset);
            jump_is_known_ = false;
            const std::size_t next = step(i, pc);
            if (next <= pc) builder_.went_back(next, !jump_is_known_);
            pc = next;
        }
        for (std::size_t r = 0; r < reg_count; ++r)
            for (const int bits : {8, 16, 32, 64})
                builder_.current().registers[std::string(register_name(static_cast<reg>(r), bits))] =
                    bits < 32 ? lowest(registers_[r], bits).e : narrow(registers_[r], bits).e;
    }

  private:
    [[noreturn]] void fail(const x86::instruction& i, std::string_view message) const {
        throw syntax_error(test_.from, i.offset, message);
    }

    operand_value& at(reg r) { return registers_[static_cast<std::size_t>(r)]; }

    static std::int64_t mask(int bits) { return (std::int64_t{1} << bits) - 1; }

    /// Without a sign, of 8 or 16 bits.
    operand_value lowest(const operand_value& v, int bits) {
        return builder_.apply(op::bit_and, v, builder_.constant(mask(bits)));
    }

    /// With a sign.
    operand_value narrow(const operand_value& v, int bits) {
        if (bits == 64) return v;
        if (bits == 32) return builder_.apply(op::sign32, v);
        const operand_value left = builder_.constant(64 - bits);
        return builder_.apply(op::shift_right_signed, builder_.apply(op::shift_left, v, left), left);
    }

    /// 32 bits clear the upper half; 8 and 16 leave the others as they are.
    void set(reg r, int bits, const operand_value& v) {
        if (bits >= 32) {
            at(r) = bits == 64 ? v : builder_.apply(op::low32, v);
            return;
        }
        const operand_value kept = builder_.apply(op::bit_and, at(r), builder_.constant(~mask(bits)));
        at(r) = builder_.apply(op::bit_or, kept, lowest(v, bits));
    }

    operand_value address(const x86::operand& o) {
        const operand_value base = o.symbol.empty() ? at(o.name) : builder_.address_of(o.symbol);
        return o.number == 0 ? base : builder_.apply(op::add, base, builder_.constant(o.number));
    }

    operand_value plain(const x86::operand& o, int bits) {
        if (o.what == x86::operand::kind::immediate) return narrow(builder_.constant(o.number), bits);
        return narrow(at(o.name), bits);
    }

    operand_value load(const x86::instruction& i, const x86::operand& o, int* event = nullptr) {
        static const tag_set locked = tags({"X", "RMW", "A"}), ordinary;
        operand_value v;
        const int index = builder_.read(address(o), i.lock ? locked : ordinary, v);
        builder_.at(index).bytes = i.bits / 8;
        if (event) *event = index;
        return i.bits < 32 ? narrow(v, i.bits) : v;
    }

    void store(const x86::instruction& i, const x86::operand& o, const operand_value& v, int read) {
        static const tag_set locked = tags({"X", "RMW", "A"}), ordinary;
        const operand_value stored = i.bits < 32 ? lowest(v, i.bits) : narrow(v, i.bits);
        const int write = builder_.write(address(o), stored, i.lock ? locked : ordinary);
        builder_.at(write).bytes = i.bits / 8;
        if (i.lock && read >= 0) builder_.rmw(read, write, false);
    }

    operand_value read_operand(const x86::instruction& i, const x86::operand& o, int* event = nullptr) {
        return o.is_memory() ? load(i, o, event) : plain(o, i.bits);
    }

    void write_operand(const x86::instruction& i, const x86::operand& o, const operand_value& v, int read) {
        if (o.is_memory())
            store(i, o, v, read);
        else
            set(o.name, i.bits, v);
    }

    operand_value combine(const x86::instruction& i, const operand_value& a, const operand_value& b) {
        switch (i.what) {
        case opcode::add:
        case opcode::xadd:
            return builder_.apply(op::add, a, b);
        case opcode::inc:
            return builder_.apply(op::add, a, builder_.constant(1));
        case opcode::sub:
            return builder_.apply(op::sub, a, b);
        case opcode::dec:
            return builder_.apply(op::sub, a, builder_.constant(1));
        case opcode::neg:
            return builder_.apply(op::sub, builder_.constant(0), a);
        case opcode::not_:
            return builder_.apply(op::bit_xor, a, builder_.constant(-1));
        case opcode::and_:
            return builder_.apply(op::bit_and, a, b);
        case opcode::or_:
            return builder_.apply(op::bit_or, a, b);
        default:
            return builder_.apply(op::bit_xor, a, b);
        }
    }

    std::size_t step(const x86::instruction& i, std::size_t pc) {
        static const tag_set mfence = tags({"F", "MFENCE"}), lfence = tags({"F", "LFENCE"}),
                             sfence = tags({"F", "SFENCE"});
        const auto& [to, from] = i.operands;
        int read = -1;
        switch (i.what) {
        case opcode::nop:
        case opcode::pause:
            break;
        case opcode::mfence:
            builder_.other(mfence);
            break;
        case opcode::lfence:
            builder_.other(lfence);
            break;
        case opcode::sfence:
            builder_.other(sfence);
            break;
        case opcode::mov:
            write_operand(i, to, read_operand(i, from), -1);
            break;
        case opcode::xchg: {
            const x86::operand& memory = to.is_memory() ? to : from;
            const x86::operand& other = to.is_memory() ? from : to;
            const operand_value new_value = plain(other, i.bits);
            const operand_value old = read_operand(i, memory, &read);
            write_operand(i, memory, new_value, read);
            write_operand(i, other, narrow(old, i.bits), -1);
            break;
        }
        case opcode::add:
        case opcode::sub:
        case opcode::and_:
        case opcode::or_:
        case opcode::xor_:
        case opcode::inc:
        case opcode::dec:
        case opcode::neg:
        case opcode::not_:
        case opcode::xadd: {
            const bool one = from.what == x86::operand::kind::none;
            int ignored = -1;
            const operand_value b = one                ? operand_value{}
                                    : from.is_memory() ? load(i, from, &ignored)
                                                       : plain(from, i.bits);
            const operand_value a = read_operand(i, to, &read);
            const operand_value result = narrow(combine(i, a, b), i.bits);
            write_operand(i, to, result, read);
            if (i.what == opcode::xadd) write_operand(i, from, a, -1);
            if (i.what == opcode::not_) break;
            const bool logic = i.what == opcode::and_ || i.what == opcode::or_ || i.what == opcode::xor_;
            if (i.what == opcode::sub)
                flags_ = {flag_state::kind::comparison, a, b, i.bits};
            else
                flags_ = {logic ? flag_state::kind::logic : flag_state::kind::arithmetic, result, {}, i.bits};
            break;
        }
        case opcode::cmpxchg: {
            const operand_value expected = narrow(at(reg::ax), i.bits), desired = plain(from, i.bits);
            const operand_value old = narrow(read_operand(i, to, &read), i.bits);
            const operand_value equal = builder_.apply(op::equal, old, expected);
            flags_ = {flag_state::kind::comparison, expected, old, i.bits};
            if (builder_.decide(equal))
                write_operand(i, to, desired, read);
            else
                set(reg::ax, i.bits, old);
            break;
        }
        case opcode::cmp: {
            const operand_value a = read_operand(i, to);
            flags_ = {flag_state::kind::comparison, a, read_operand(i, from), i.bits};
            break;
        }
        case opcode::test_: {
            const operand_value a = read_operand(i, to);
            flags_ = {
                flag_state::kind::logic, builder_.apply(op::bit_and, a, read_operand(i, from)), {}, i.bits};
            break;
        }
        case opcode::jmp:
            return i.target;
        case opcode::jcc: {
            const operand_value c = condition(i);
            const bool taken = builder_.decide(c);
            builder_.control(c);
            jump_is_known_ = (c.from | c.picked) == 0;
            if (taken) return i.target;
            break;
        }
        }
        return pc + 1;
    }

    operand_value condition(const x86::instruction& i) {
        const auto index = static_cast<unsigned>(i.when);
        const operand_value even = condition_even(i, static_cast<flag_test>(index & ~1u));
        return index & 1u ? builder_.negated(even) : even;
    }

    operand_value condition_even(const x86::instruction& i, flag_test when) {
        using kind = flag_state::kind;
        if (flags_.what == kind::none) fail(i, "no instruction before this jump sets the flags");
        const operand_value zero = builder_.constant(0);
        const bool comparison = flags_.what == kind::comparison;
        const operand_value &a = flags_.a, &b = comparison ? flags_.b : zero;
        const bool carries = flags_.what != kind::arithmetic; // carry and overflow are known
        switch (when) {
        case flag_test::e:
            return builder_.apply(op::equal, a, b);
        case flag_test::s:
            return builder_.apply(op::less,
                                  comparison ? narrow(builder_.apply(op::sub, a, b), flags_.bits) : a, zero);
        case flag_test::b:
            if (carries) return builder_.apply(op::below, a, b);
            break;
        case flag_test::be:
            if (carries) return builder_.negated(builder_.apply(op::below, b, a));
            break;
        case flag_test::l:
            if (carries) return builder_.apply(op::less, a, b);
            break;
        case flag_test::le:
            if (carries) return builder_.apply(op::less_equal, a, b);
            break;
        default:
            break;
        }
        fail(i, "this jump on these flags is not supported by the simulator");
    }

    const test& test_;
    const x86::thread& code_;
    path_builder& builder_;
    std::array<operand_value, reg_count> registers_;
    flag_state flags_;
    bool jump_is_known_ = false; ///< whatever loads return
};

} // namespace

litmus::program run_x86(const test& t, int unroll, watch* time) {
    const x86::program code = x86::parse_program(t, x86::sizes::all);
    litmus::program p;
    p.architecture = "X86";
    p.time = time;
    p.unroll = unroll;
    p.canonical_register = [](const std::string& name) {
        reg r{};
        int bits = 0;
        return find_register(name, r, bits) ? std::string(register_name(r, bits)) : name;
    };
    set_initial_state(p, t);
    for (const variable& v : code.variables) p.location_index(v.name);
    p.threads.resize(code.threads.size());
    for (std::size_t thread = 0; thread < code.threads.size(); ++thread)
        find_paths(p, static_cast<int>(thread), [&](path_builder& b) { machine(t, code, thread, b).run(); });
    return p;
}

} // namespace ringproof::litmus
