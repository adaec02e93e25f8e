// SPDX-License-Identifier: Apache-2.0
#include "code_paths.hpp"

#include <dlfcn.h>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace ringproof::verify {
namespace {

constexpr std::size_t word = machine::word;
constexpr std::size_t most_steps = 4'000; // instructions, on all ways
constexpr std::uint32_t kept_by_calls = 1u << rbx | 1u << rsp | 1u << rbp | 0xfu << r12;
constexpr std::int8_t arguments[] = {rdi, rsi, rdx, rcx, r8, r9};

} // namespace

/// The ways on from where a thread stands.
class code_paths::walk {
  public:
    walk(code_paths& of, const memory_range& stack, bool anywhere = false)
        : of_(of), stack_(stack), anywhere_(anywhere) {}

    bool all_overwrite(const machine& from) {
        open_.push_back(from);
        while (!open_.empty()) {
            machine m = std::move(open_.back());
            open_.pop_back();
            while (!m.done()) {
                if (++steps_ > most_steps || !step(m)) return false;
                if (m.pc == 0) break; // met before
            }
        }
        return true;
    }

  private:
    /// The address that an operand of memory has; 0 when it is none of the stack. Nothing when it may be any there.
    std::optional<std::uintptr_t> address_of(const machine& m, const operand& o) const {
        if (o.is == operand::kind::fixed) return 0;
        const std::uintptr_t base = o.base == no_register ? 0 : m.registers[static_cast<std::size_t>(o.base)];
        const std::uintptr_t index =
            o.index == no_register ? 0 : m.registers[static_cast<std::size_t>(o.index)];
        if (base == 0 && index == 0) return 0;
        if (o.index != no_register) return std::nullopt;
        const std::uintptr_t a = base + static_cast<std::uintptr_t>(o.offset);
        return stack_.contains(a) ? a : 0;
    }
    static bool reads(const machine& m, std::int8_t r, std::size_t size = word) {
        if (r == no_register) return false;
        const auto of = static_cast<std::size_t>(r);
        return (m.differ & (size == 1 ? machine::lowest(of) : machine::all_of(of))) != 0;
    }
    /// Whether reading `o` reads nothing that differs. @param value what it is, if an address in the stack
    bool read(const machine& m, const operand& o, std::uintptr_t* value) const {
        *value = 0;
        if (o.is == operand::kind::general) {
            if (reads(m, o.base, o.size)) return false;
            if (o.size == word) *value = m.registers[static_cast<std::size_t>(o.base)];
            return true;
        }
        if (o.is != operand::kind::memory) return true;
        if (reads(m, o.base) || reads(m, o.index)) return false;
        const std::optional<std::uintptr_t> a = address_of(m, o);
        if (!a) return m.bytes.empty();
        if (*a == 0) return true;
        if (m.overlaps(*a, std::max<std::size_t>(o.size, 1))) return false;
        if (o.size == word) *value = load(m, *a);
        return true;
    }
    std::uintptr_t load(const machine& m, std::uintptr_t a) const {
        for (const auto& [at, value] : m.stored)
            if (at == a) return value;
        if (!stack_.contains(a) || !stack_.contains(a + word - 1)) return 0;
        const std::uintptr_t value = word_at(a);
        return stack_.contains(value) ? value : 0;
    }
    void set(machine& m, const operand& o, std::uintptr_t value) const {
        const auto r = static_cast<std::size_t>(o.base);
        m.registers[r] = o.size == word ? value : 0;
        m.differ &= ~(o.size >= 4 ? machine::all_of(r) : machine::lowest(r)); // 32 bits clear the upper ones
    }
    /// Whether writing `o` is understood.
    bool write(machine& m, const operand& o, std::uintptr_t value) {
        if (o.is == operand::kind::general) return set(m, o, value), true;
        if (o.is == operand::kind::nothing) return value == 0 || !leads_to_what_differs(m, value);
        if (reads(m, o.base) || reads(m, o.index)) return false;
        if (value != 0 && leads_to_what_differs(m, value)) return false; // a later read may go through it
        const std::optional<std::uintptr_t> a = address_of(m, o);
        if (!a) return false; // it may be anywhere there
        if (*a == 0) return true;
        m.overwrite(*a, *a + o.size);
        if (o.size == word) m.stored.emplace_back(*a, value);
        return true;
    }
    static bool leads_to_what_differs(const machine& m, std::uintptr_t pointer) {
        return !m.bytes.empty() && pointer < m.bytes.back().end;
    }
    void drop_below_stack(machine& m) const { m.overwrite(stack_.begin, m.sp()); }

    /// @param differ the bits of a register, as those of register 0
    void push(machine& m, std::uintptr_t value, std::uint32_t differ) const {
        m.sp() -= word;
        m.overwrite(m.sp(), m.sp() + word);
        m.stored.emplace_back(m.sp(), value);
        if ((differ & machine::lowest(0)) != 0) m.bytes.push_back({m.sp(), m.sp() + 1});
        if ((differ & machine::others(0)) != 0) m.bytes.push_back({m.sp() + 1, m.sp() + word});
        std::sort(m.bytes.begin(), m.bytes.end(),
                  [](const memory_range& a, const memory_range& b) { return a.begin < b.begin; });
    }
    void pop_to(machine& m, std::int8_t r) const {
        const std::uint32_t differ = (m.overlaps(m.sp(), 1) ? machine::lowest(0) : 0) |
                                     (m.overlaps(m.sp() + 1, word - 1) ? machine::others(0) : 0);
        const std::uintptr_t value = load(m, m.sp());
        m.sp() += word;
        drop_below_stack(m);
        if (r == no_register) return;
        m.registers[static_cast<std::size_t>(r)] = value;
        m.differ = (m.differ & ~machine::all_of(static_cast<std::size_t>(r))) | differ << r;
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
    /// What a function does that is none of the program's.
    bool pass(machine& m) {
        const int given_to_it = of_.arguments_of(m.pc);
        if (given_to_it < 0) return false;
        for (int k = 0; k < given_to_it; ++k) {
            const std::int8_t r = arguments[k];
            if (reads(m, r)) return false;
            const std::uintptr_t given = m.registers[static_cast<std::size_t>(r)];
            if (given != 0 && leads_to_what_differs(m, given)) return false;
        }
        for (std::size_t r = 0; r < m.registers.size(); ++r)
            if ((kept_by_calls >> r & 1) == 0) m.registers[r] = 0, m.differ &= ~machine::all_of(r);
        return leave_function(m);
    }
    /// Where `i` goes. @return 0 when that is not known
    std::uintptr_t target_of(const instruction& i) const {
        if (i.target != 0) return i.target;
        // A function's address in a table that the linker filled in. Tables of a switch are not followed, nor variables of
        // the program, which may have another address by then.
        if (i.from.is != operand::kind::fixed || !of_.program_.memory().in_code(i.next)) return 0;
        const auto entry = static_cast<std::uintptr_t>(i.from.offset);
        return of_.program_.memory().in_data(entry) ? 0 : word_at(entry);
    }
    /// From `i` to what may be a function of another object: it gets nothing in the register that results come in, but for
    /// the number of its arguments when that may vary, which is set for it.
    void enter(machine& m, const instruction& i) const {
        const program_memory& memory = of_.program_.memory();
        if (anywhere_ && memory.in_code(i.next) && !memory.in_code(m.pc)) m.differ &= ~machine::all_of(rax);
    }
    bool step_push(machine& m, const operand& from) {
        const bool whole = from.is == operand::kind::general && from.size == word;
        const std::uint32_t differ = whole ? m.differ >> from.base & machine::all_of(0) : std::uint32_t{0};
        std::uintptr_t value = 0;
        if (differ == 0 && !read(m, from, &value)) return false;
        if (value != 0 && from.base != rbp && leads_to_what_differs(m, value)) return false;
        push(m, value, differ);
        return true;
    }
    bool take_address(machine& m, const instruction& i) {
        if (reads(m, i.from.base) || reads(m, i.from.index)) return false;
        const std::optional<std::uintptr_t> a = address_of(m, i.from);
        return a && write(m, i.to, *a);
    }
    bool step(machine& m) {
        memory_range code = of_.program_.memory().code_around(m.pc);
        if (code.size() == 0 && anywhere_ && m.bytes.empty() && !of_.program_.memory().in_engine(m.pc))
            code = loaded_code_around(m.pc);
        if (code.size() == 0) return pass(m);
        const instruction& i = of_.code_.at(m.pc, code.end);
        m.pc = i.next;
        std::uintptr_t value = 0, other = 0;
        switch (i.is) {
        case instruction::kind::unknown:
            return false;
        case instruction::kind::nothing:
            return true;
        case instruction::kind::move:
            return read(m, i.from, &value) && write(m, i.to, value);
        case instruction::kind::combine:
            return read(m, i.from, &other) && read(m, i.to, &value) && combine(m, i, value, other);
        case instruction::kind::compare:
            return read(m, i.from, &other) && read(m, i.to, &value);
        case instruction::kind::clear:
            return write(m, i.to, 0);
        case instruction::kind::address:
            return take_address(m, i);
        case instruction::kind::widen:
            if (reads(m, rax) || reads(m, rdx) || !read(m, i.from, &value)) return false;
            m.registers[rax] = m.registers[rdx] = 0;
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
            push(m, i.next, 0);
            m.pc = target_of(i);
            enter(m, i);
            return m.pc != 0;
        }
        case instruction::kind::jump:
            m.pc = target_of(i);
            if (m.pc == 0) return false;
            enter(m, i);
            stop_if_met(m);
            return true;
        case instruction::kind::branch: {
            machine taken = m;
            taken.pc = i.target;
            stop_if_met(taken);
            if (taken.pc != 0) open_.push_back(std::move(taken));
            stop_if_met(m);
            return true;
        }
        }
        return false;
    }
    /// Arithmetic with an address in the stack: with a number, or it isn't understood.
    bool combine(machine& m, const instruction& i, std::uintptr_t value, std::uintptr_t other) {
        if (value == 0 && other == 0) return write(m, i.to, 0);
        if (other != 0 || i.from.is != operand::kind::number) return m.bytes.empty() && write(m, i.to, 0);
        const auto by = static_cast<std::uintptr_t>(i.from.offset);
        switch (i.how) {
        case instruction::arithmetic::add:
            value += by;
            break;
        case instruction::arithmetic::subtract:
            value -= by;
            break;
        case instruction::arithmetic::mask:
            value &= by;
            break;
        default:
            return false;
        }
        if (!stack_.contains(value) || !write(m, i.to, value)) return false;
        if (i.to.is == operand::kind::general && i.to.base == rsp) drop_below_stack(m);
        return true;
    }
    void stop_if_met(machine& m) {
        if (!met_.insert(m.hash()).second) m.pc = 0;
    }

    code_paths& of_;
    memory_range stack_;
    std::vector<machine> open_;
    std::unordered_set<std::uint64_t> met_;
    std::size_t steps_ = 0;
    bool anywhere_;
};

bool code_paths::all_overwrite(const machine& from, const memory_range& stack) {
    return walk(*this, stack).all_overwrite(from);
}

bool code_paths::all_overwrite_result(const machine& from, const memory_range& stack) {
    return walk(*this, stack, true).all_overwrite(from);
}

namespace {

/// Functions of the checker that read the program's memory through their arguments alone: how a name begins and ends, or all
/// of it, and how many arguments there are.
constexpr struct {
    std::string_view begin, end;
    int arguments;
} known_functions[] = {
    {"__tsan_read", "", 0}, // what is there is not what it does
    {"__tsan_write", "", 0},
    {"__tsan_unaligned_", "", 0},
    {"__tsan_atomic", "_load", 2},
    {"__tsan_atomic", "_store", 3},
    {"__tsan_atomic", "_exchange", 3},
    {"__tsan_atomic", "_fetch_add", 3},
    {"__tsan_atomic", "_fetch_sub", 3},
    {"__tsan_atomic", "_fetch_and", 3},
    {"__tsan_atomic", "_fetch_or", 3},
    {"__tsan_atomic", "_fetch_xor", 3},
    {"__tsan_atomic", "_fetch_nand", 3},
    {"__tsan_atomic", "_compare_exchange_strong", 5},
    {"__tsan_atomic", "_compare_exchange_weak", 5},
    {"__tsan_atomic", "_compare_exchange_val", 5},
    {"__tsan_atomic_", "_fence", 1},
    {"sched_yield", "", 0},
    {"nanosleep", "", 2},
    {"clock_nanosleep", "", 4},
    {"usleep", "", 1},
    {"_ZNSt6chrono3_V212s", "_clock3nowEv", 0}, // steady_clock, system_clock
    {"clock_gettime", "", 2},
    {"pthread_mutex_", "lock", 3}, // and unlock, trylock, timedlock, clocklock
    {"pthread_rwlock_", "lock", 3},
    {"pthread_spin_", "lock", 1},
    {"pthread_cond_", "wait", 4}, // and timedwait, clockwait
    {"pthread_cond_signal", "", 1},
    {"pthread_cond_broadcast", "", 1},
    {"pthread_barrier_wait", "", 1},
    {"sem_", "wait", 3}, // and trywait, timedwait, clockwait
    {"sem_post", "", 1},
};

} // namespace

/// How many arguments a function takes that is none of the program's, through which alone it reads the program's memory.
/// @return -1 when that isn't known
int code_paths::arguments_of(std::uintptr_t function) {
    const auto [at, unknown] = arguments_.emplace(function, -1);
    if (!unknown || !program_.memory().in_engine(function)) return at->second;
    Dl_info found{};
    if (dladdr(reinterpret_cast<const void*>(function), &found) == 0 || !found.dli_sname ||
        found.dli_saddr != reinterpret_cast<const void*>(function))
        return -1;
    const std::string_view name = found.dli_sname;
    for (const auto& k : known_functions)
        if (name.starts_with(k.begin) && name.ends_with(k.end)) at->second = k.arguments;
    return at->second;
}

} // namespace ringproof::verify
