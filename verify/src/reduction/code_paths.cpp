// SPDX-License-Identifier: Apache-2.0
#include "code_paths.hpp"
#include "../program/thrown.hpp"

#include <functional>
#include <optional>
#include <unordered_set>
#include <unwind.h>

namespace ringproof::verify {
namespace {

constexpr std::size_t most_steps = 4'000, most_with_numbers = 20'000; // instructions, on all ways
constexpr std::uint32_t kept_by_calls = 1u << rbx | 1u << rsp | 1u << rbp | 0xfu << r12;
constexpr std::int8_t arguments[] = {rdi, rsi, rdx, rcx, r8, r9};

/// Whether a move leaves the value as it is, but for its sign.
bool copies(const instruction& i) {
    return i.how == instruction::arithmetic::copy || i.how == instruction::arithmetic::copy_signed;
}

} // namespace

/// The ways on from where a thread stands.
class code_paths::walk : code_operands {
  public:
    enum class ways : std::uint8_t { of_the_program, anywhere, around_calls };
    walk(code_paths& of, const memory_range& stack, std::uintptr_t followed, std::uintptr_t kept, ways how)
        : code_operands(stack, followed, kept), of_(of), how_(how) {
        if (how == ways::around_calls) known_end_ = followed;
    }

    bool all_overwrite(const machine& from) {
        alive_ = from.registers[rsp];
        if (how_ == ways::around_calls) to_read_ = from.bytes;
        from_registers_ = from.bytes.empty();
        open_.push_back(from);
        while (!open_.empty()) {
            machine m = std::move(open_.back());
            open_.pop_back();
            if (!go_on(m)) return false;
        }
        return no_object_is_left();
    }

  private:
    /// Whether the ways that were followed show that what differed is in no object whose address is known.
    bool no_object_is_left() const {
        if (how_ != ways::around_calls || from_registers_) return true;
        return to_read_.empty() && instrumented_;
    }
    /// Follows one way to its end. @return whether it overwrites all that differs
    bool go_on(machine& m) {
        while (!m.done() || !no_object_is_left()) {
            if (how_ == ways::around_calls && has_address_of_followed(m)) return false;
            if (++steps_ > (has_numbers() ? most_with_numbers : most_steps)) return false;
            const bool was_done = m.done(); // a step that fails may have changed that
            if (!step(m)) return was_done;
            if (m.pc == 0) break; // met before
        }
        return true;
    }
    bool leave_function(machine& m) {
        if (m.overlaps(m.sp(), word)) return false;
        const auto known =
            std::find_if(m.stored.begin(), m.stored.end(), [&](const auto& s) { return s.first == m.sp(); });
        m.pc = known != m.stored.end() ? known->second : stack_.contains(m.sp()) ? word_at(m.sp()) : 0;
        m.sp() += word;
        drop_below_stack(m);
        return m.pc != 0;
    }
    /// What such a function does to what its k-th argument points to, which is given an address below what differs.
    bool pass_address(machine& m, const known_function& function, int k, std::uintptr_t given) const {
        const std::size_t size = k == 0 ? function.first : k == 1 ? function.second : 0;
        return size != 0 && !m.overlaps(given, size) && !holds_followed(m, given, size) &&
               forget(m, given, size);
    }
    /// A way ends that throws, as long as nothing has been thrown.
    static bool may_throw(machine& m) {
        if (thrown::any || !thrown::is_noticed()) return false;
        m.pc = 0;
        return true;
    }
    /// A function may have changed the registers that are its own, by nothing that is followed.
    static void forget_registers_of_calls(machine& m) {
        for (std::size_t r = 0; r < m.registers.size(); ++r)
            if ((kept_by_calls >> r & 1) == 0) {
                m.registers[r] = 0;
                m.differ &= ~machine::all_of(r);
                m.numbers.forget_register(r);
            }
        m.numbers.forget_flags();
    }
    /// Where a function is that is called at `target`, in the program's code: another object's, if that is a jump there.
    std::uintptr_t function_at(const machine& m, std::uintptr_t target) {
        for (int i = 0; i < 2 && of_.program_.memory().in_code(target); ++i) {
            const instruction& first = of_.code_.at(target, of_.program_.memory().code_around(target).end);
            if (first.is == instruction::kind::jump) return target_of(m, first);
            if (first.is != instruction::kind::nothing) break;
            target = first.next;
        }
        return target;
    }
    /// Whether a call is none, but a way to jump to an address that is not predicted (-mindirect-branch=thunk).
    static bool is_part_of_jump(const instruction& call) {
        constexpr std::uintptr_t near = 32;
        return call.target > call.next && call.target - call.next < near;
    }
    /// Whether the call before `next` is not the last instruction of its function.
    static bool may_return_to(std::uintptr_t next) {
        const auto function_of = [](std::uintptr_t at) { // it is asked for a return address
            return _Unwind_FindEnclosingFunction(reinterpret_cast<void*>(at + 1));
        };
        return function_of(next) != nullptr && function_of(next) == function_of(next - 1);
    }
    /// A call of any function, at `target` if that is known, which is not followed.
    bool step_around(machine& m, std::uintptr_t target) {
        const known_function function = of_.functions_.of(function_at(m, target));
        instrumented_ |= function.announces;
        if (function.keeps_all) return true;
        if (function.goes_elsewhere) return false;
        for (std::size_t r = 0; r < m.registers.size(); ++r)
            if ((kept_by_calls >> r & 1) == 0 && reads(m, static_cast<std::int8_t>(r))) return false;
        if (function.throws || function.ends || !may_return_to(m.pc)) m.pc = 0;
        forget_registers_of_calls(m);
        m.flags_differ = false;
        return true;
    }
    bool has_address_of_followed(const machine& m) const {
        if (from_registers_) return false;
        for (std::size_t r = 0; r < m.registers.size(); ++r)
            if (r != rsp && m.registers[r] != 0 && m.registers[r] < followed_) return true;
        return std::any_of(m.stored.begin(), m.stored.end(),
                           [&](const auto& s) { return s.second != 0 && s.second < followed_; });
    }
    /// Notes what `i` is about to read of the words that differed when the way began.
    void note_read(const machine& m, const instruction& i) {
        const bool of_both = i.is == instruction::kind::combine || i.is == instruction::kind::compare;
        for (const operand& o : {i.from, of_both ? i.to : operand{}}) {
            const std::optional<std::uintptr_t> a =
                o.is == operand::kind::memory ? address_of(m, o) : std::nullopt;
            if (!a || *a == 0 || i.is == instruction::kind::address || *a < m.highest_sp) continue;
            std::erase_if(to_read_,
                          [&](const memory_range& w) { return *a < w.end && w.begin < *a + o.size; });
        }
    }
    /// What a function does that is none of the program's.
    bool pass(machine& m) {
        const known_function function = of_.functions_.of(m.pc);
        if (function.keeps_all) return leave_function(m);
        for (int k = 0; k < function.arguments; ++k) {
            const std::int8_t r = arguments[k];
            if (reads(m, r)) return false;
            const std::uintptr_t given = m.registers[static_cast<std::size_t>(r)];
            if (given != 0 && leads_to_what_differs(m, given) && !pass_address(m, function, k, given))
                return false;
        }
        if (function.throws) return may_throw(m);
        if (function.ends) return m.pc = 0, true;
        if (function.arguments < 0 && !(function.keeps_registers && is_kept_by_calls(m))) return false;
        forget_registers_of_calls(m);
        return leave_function(m);
    }
    /// Whether all that differs is in registers that a function has to leave as they are, and it is given no address of
    /// what is followed.
    bool is_kept_by_calls(const machine& m) const {
        if (!m.bytes.empty() || thrown::any || !thrown::is_noticed()) return false;
        for (std::size_t r = 0; r < m.registers.size(); ++r) {
            if (r == rsp) continue;
            const bool kept = (kept_by_calls >> r & 1) != 0;
            if (!kept && (m.differ & machine::all_of(r)) != 0) return false;
            if (m.registers[r] != 0 && leads_to_what_differs(m, m.registers[r])) return false;
        }
        return std::none_of(m.stored.begin(), m.stored.end(), [&](const auto& s) {
            return stack_.contains(s.second) && leads_to_what_differs(m, s.second);
        });
    }
    /// Where `i` goes. @return 0 when that is not known
    std::uintptr_t target_of(const machine& m, const instruction& i) {
        if (i.target != 0) return i.target;
        if (i.from.is != operand::kind::fixed) { // a table of a switch, of which one entry is known, or none
            const known_numbers::number to = number_of(m, i.from);
            return to && of_.program_.memory().in_code(*to) ? *to : 0;
        }
        // A function's address in a table that the linker filled in. Variables of the program are not followed, which may
        // have another address by then.
        if (!of_.program_.memory().in_code(i.next)) return 0;
        const auto entry = static_cast<std::uintptr_t>(i.from.offset);
        return of_.program_.memory().in_data(entry) ? 0 : word_at(entry);
    }
    /// From `i` to what may be a function of another object: it gets nothing in the register that results come in, but for
    /// the number of its arguments when that may vary, which is set for it.
    void enter(machine& m, const instruction& i) const {
        const program_memory& memory = of_.program_.memory();
        if (how_ == ways::anywhere && memory.in_code(i.next) && !memory.in_code(m.pc) &&
            !of_.functions_.of(m.pc).keeps_all)
            m.differ &= ~machine::all_of(rax);
    }
    bool step_push(machine& m, const operand& from) {
        const bool whole = from.is == operand::kind::general && from.size == word;
        const std::uint32_t differ = whole ? m.differ >> from.base & machine::all_of(0) : std::uint32_t{0};
        std::uintptr_t value = 0;
        if (differ != 0 && how_ == ways::around_calls) return false; // it may be an argument
        if (differ == 0 && !read(m, from, &value)) return false;
        push(m, value, differ);
        return true;
    }
    bool step(machine& m) {
        memory_range code = of_.program_.memory().code_around(m.pc);
        if (code.size() == 0 && how_ == ways::anywhere && m.bytes.empty() &&
            !of_.program_.memory().in_engine(m.pc))
            code = loaded_code_around(m.pc);
        if (code.size() == 0) return how_ != ways::around_calls && pass(m);
        const instruction& i = of_.code_.at(m.pc, code.end);
        m.pc = i.next;
        if (!to_read_.empty()) note_read(m, i);
        if (!has_numbers()) return step(m, i);
        const bool reads_both = i.is == instruction::kind::combine || i.is == instruction::kind::compare;
        const known_numbers::number left = reads_both ? number_of(m, i.to) : known_numbers::number{},
                                    right = number_of(m, i.from);
        if (!step(m, i)) return false;
        if (const known_numbers::number made = known_numbers::made_by(i, left, right)) keep(m, i.to, *made);
        m.numbers.note_flags(i, left, right);
        return true;
    }
    bool step_move(machine& m, const instruction& i) {
        if (m.flags_differ && !copies(i)) return false; // it may be made of flags
        std::uintptr_t value = 0;
        if (const seen from = look(m, i.from, &value); from != seen::same)
            return from == seen::differing && copies(i) && write_differing(m, i.to);
        return write(m, i.to, value);
    }
    bool step_combine(machine& m, const instruction& i) {
        if (m.flags_differ && i.how == instruction::arithmetic::other) return false;
        std::uintptr_t value = 0, other = 0;
        const seen from = look(m, i.from, &other), to = look(m, i.to, &value);
        if (from == seen::lost || to == seen::lost) return false;
        m.flags_differ = from != seen::same || to != seen::same;
        if (m.flags_differ) return value == 0 && other == 0 && write_differing(m, i.to);
        return combine(m, i, value, other);
    }
    bool step_compare(machine& m, const instruction& i) {
        std::uintptr_t value = 0, other = 0;
        const seen from = look(m, i.from, &other), to = look(m, i.to, &value);
        if (i.how != instruction::arithmetic::other) m.flags_differ = false; // else it leaves some of them
        m.flags_differ |= from != seen::same || to != seen::same;
        return from != seen::lost && to != seen::lost && (has_numbers() || !m.flags_differ);
    }
    bool step_branch(machine& m, const instruction& i) {
        if (m.flags_differ) return false;
        if (const std::optional<bool> known = m.numbers.holds(i.when)) {
            if (*known) m.pc = i.target;
            stop_if_met(m);
            return true;
        }
        machine taken = m;
        taken.pc = i.target;
        stop_if_met(taken);
        if (taken.pc != 0) open_.push_back(std::move(taken));
        stop_if_met(m);
        return true;
    }
    bool step(machine& m, const instruction& i) {
        std::uintptr_t value = 0;
        switch (i.is) {
        case instruction::kind::unknown:
            return false;
        case instruction::kind::nothing:
            return true;
        case instruction::kind::move:
            return step_move(m, i);
        case instruction::kind::combine:
            return step_combine(m, i);
        case instruction::kind::compare:
            return step_compare(m, i);
        case instruction::kind::clear:
            m.flags_differ = false;
            return write(m, i.to, 0);
        case instruction::kind::address:
            return take_address(m, i);
        case instruction::kind::widen:
            if (reads(m, rax) || reads(m, rdx) || !read(m, i.from, &value)) return false;
            for (const std::size_t r : {rax, rdx}) m.numbers.forget_register(r), m.registers[r] = 0;
            return true;
        case instruction::kind::push:
            return step_push(m, i.from);
        case instruction::kind::pop:
            if (i.to.is != operand::kind::general || i.to.size != word) return false;
            pop_to(m, i.to.base);
            return true;
        case instruction::kind::leave:
            if (reads(m, rbp) || m.registers[rbp] == 0) return false;
            m.sp() = m.registers[rbp];
            pop_to(m, rbp);
            return true;
        case instruction::kind::leaves:
            return leave_function(m);
        case instruction::kind::call: {
            if (how_ == ways::around_calls)
                return (i.target != 0 || read(m, i.from, &value)) && !is_part_of_jump(i) &&
                       step_around(m, target_of(m, i));
            push(m, i.next, 0);
            m.pc = target_of(m, i);
            enter(m, i);
            return m.pc != 0;
        }
        case instruction::kind::jump:
            m.pc = target_of(m, i);
            if (m.pc == 0) return false;
            // What goes on elsewhere by a jump has the arguments of the function that it leaves.
            if (how_ == ways::around_calls && !of_.program_.memory().in_code(m.pc)) return false;
            enter(m, i);
            stop_if_met(m);
            return true;
        case instruction::kind::branch:
            return step_branch(m, i);
        }
        return false;
    }
    void stop_if_met(machine& m) {
        if (!met_.insert(m.hash()).second) m.pc = 0;
    }

    code_paths& of_;
    std::vector<machine> open_;
    std::unordered_set<std::uint64_t> met_;
    std::vector<memory_range> to_read_; ///< words that no way has read yet
    bool from_registers_ = false;       ///< what differed first was in registers alone
    bool instrumented_ = false;         ///< one of the ways announces an access
    std::size_t steps_ = 0;
    ways how_;
};

bool code_paths::all_overwrite(const machine& from, const memory_range& stack, std::uintptr_t followed) {
    return walk(*this, stack, followed, 0, walk::ways::of_the_program).all_overwrite(from);
}

bool code_paths::all_overwrite_with_numbers(const machine& from, const memory_range& stack,
                                            std::uintptr_t followed, std::uintptr_t kept) {
    return walk(*this, stack, followed, kept, walk::ways::of_the_program).all_overwrite(from);
}

bool code_paths::all_overwrite_result(const machine& from, const memory_range& stack) {
    return walk(*this, stack, stack.begin, 0, walk::ways::anywhere).all_overwrite(from);
}

bool code_paths::all_forget(const machine& from, const memory_range& stack, std::uintptr_t followed) {
    return walk(*this, stack, followed, 0, walk::ways::around_calls).all_overwrite(from);
}

bool thrown::is_noticed() {
    static const bool noticed = [] {
        const auto before = count;
        try {
            std::__throw_bad_function_call();
        } catch (const std::exception&) {
            return count != before;
        }
        return false;
    }();
    return noticed;
}

} // namespace ringproof::verify
