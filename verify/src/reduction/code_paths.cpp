// SPDX-License-Identifier: Apache-2.0
#include "code_paths.hpp"
#include "../program/thrown.hpp"

#include <dlfcn.h>
#include <functional>
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
    walk(code_paths& of, const memory_range& stack, std::uintptr_t followed, bool anywhere = false)
        : of_(of), stack_(stack), followed_(followed), anywhere_(anywhere) {}

    bool all_overwrite(const machine& from) {
        alive_ = from.registers[rsp];
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
        const std::size_t size = std::max<std::size_t>(o.size, 1);
        if (m.overlaps(*a, size)) return false;
        if (is_word(*a, size)) return *value = load(m, *a), true;
        return !holds_followed(m, *a, size); // a piece of an address, or several: they would be lost sight of
    }
    static bool is_word(std::uintptr_t a, std::size_t size) { return size == word && a % word == 0; }
    /// The address in the stack that an aligned word holds, or 0. New frames hold none before they are written to.
    std::uintptr_t load(const machine& m, std::uintptr_t a) const {
        for (const auto& [at, value] : m.stored)
            if (at == a) return value;
        if (a < alive_ || !stack_.contains(a)) return 0;
        const std::uintptr_t value = word_at(a);
        return stack_.contains(value) ? value : 0;
    }
    /// Whether one of the words that have a part in these bytes holds an address that leads to what differs.
    bool holds_followed(const machine& m, std::uintptr_t a, std::size_t size) const {
        for (std::uintptr_t w = a & ~(word - 1); w < a + size; w += word)
            if (const std::uintptr_t value = load(m, w); value != 0 && leads_to_what_differs(m, value))
                return true;
        return false;
    }
    /// These bytes are overwritten, by no address. @return false where a piece of an address may be left that still leads
    /// somewhere: one that a byte or two are written to
    bool forget(machine& m, std::uintptr_t a, std::size_t size) const {
        if (size < sizeof(std::uint32_t) && holds_followed(m, a, size)) return false;
        m.overwrite(a, a + size);
        for (std::uintptr_t w = a & ~(word - 1); w < a + size; w += word) note(m, w, 0);
        return true;
    }
    /// Notes that an aligned word holds this address in the stack, or none.
    void note(machine& m, std::uintptr_t a, std::uintptr_t value) const {
        const auto at =
            std::lower_bound(m.stored.begin(), m.stored.end(), a,
                             [](const auto& s, std::uintptr_t address) { return s.first < address; });
        if (at != m.stored.end() && at->first == a) m.stored.erase(at);
        if (load(m, a) == value) return;
        m.stored.insert(std::lower_bound(m.stored.begin(), m.stored.end(), std::pair{a, value}), {a, value});
    }
    void set(machine& m, const operand& o, std::uintptr_t value) const {
        const auto r = static_cast<std::size_t>(o.base);
        m.registers[r] = o.size == word ? value : 0;
        m.differ &= ~(o.size >= 4 ? machine::all_of(r) : machine::lowest(r)); // 32 bits clear the upper ones
    }
    /// Whether writing `o` is understood.
    bool write(machine& m, const operand& o, std::uintptr_t value) {
        if (o.is == operand::kind::general) return set(m, o, value), true;
        const bool leads = value != 0 && leads_to_what_differs(m, value);
        if (o.is == operand::kind::nothing) return !leads;
        if (reads(m, o.base) || reads(m, o.index)) return false;
        const std::optional<std::uintptr_t> a = address_of(m, o);
        if (!a) return false; // it may be anywhere there
        // It may be read through an address that is not followed.
        if (leads && (*a == 0 || *a >= followed_ || !is_word(*a, o.size))) return false;
        if (*a == 0) return true;
        if (!forget(m, *a, o.size)) return false;
        if (is_word(*a, o.size)) note(m, *a, value);
        return true;
    }
    /// Whether `pointer` is an address of what differs, or one below it from which one could be counted, or of a word that
    /// may hold such an address.
    bool leads_to_what_differs(const machine& m, std::uintptr_t pointer) const {
        return !m.bytes.empty() && pointer < std::max(followed_, m.bytes.back().end);
    }
    void drop_below_stack(machine& m) const { m.overwrite(stack_.begin, m.sp()); }

    /// @param differ the bits of a register, as those of register 0
    void push(machine& m, std::uintptr_t value, std::uint32_t differ) const {
        m.sp() -= word;
        m.overwrite(m.sp(), m.sp() + word);
        note(m, m.sp(), value);
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
    /// What a function does that is none of the program's.
    bool pass(machine& m) {
        const known_function function = of_.known(m.pc);
        for (int k = 0; k < function.arguments; ++k) {
            const std::int8_t r = arguments[k];
            if (reads(m, r)) return false;
            const std::uintptr_t given = m.registers[static_cast<std::size_t>(r)];
            if (given != 0 && leads_to_what_differs(m, given) && !pass_address(m, function, k, given))
                return false;
        }
        if (function.throws) return may_throw(m);
        if (function.ends) m.pc = 0;
        if (function.arguments < 0 || function.ends) return function.ends;
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
        push(m, value, differ);
        return true;
    }
    bool take_address(machine& m, const instruction& i) {
        if (reads(m, i.from.base) || reads(m, i.from.index)) return false;
        const std::optional<std::uintptr_t> a = address_of(m, i.from);
        return a ? write(m, i.to, *a) : m.bytes.empty() && write(m, i.to, 0);
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
    std::uintptr_t followed_;  ///< up to there all words are followed that hold addresses
    std::uintptr_t alive_ = 0; ///< where the frames begin that are there already
    std::vector<machine> open_;
    std::unordered_set<std::uint64_t> met_;
    std::size_t steps_ = 0;
    bool anywhere_;
};

bool code_paths::all_overwrite(const machine& from, const memory_range& stack, std::uintptr_t followed) {
    return walk(*this, stack, followed).all_overwrite(from);
}

bool code_paths::all_overwrite_result(const machine& from, const memory_range& stack) {
    return walk(*this, stack, stack.begin, true).all_overwrite(from);
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
    {"__ringproof_evaluated", "", 0},
    {"__assert_fail", "", 4}, // which ends the execution
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

/// Bytes that an atomic access of this name has: __tsan_atomic32_load.
static std::uint8_t bytes_of(std::string_view name) {
    constexpr std::string_view begin = "__tsan_atomic";
    if (!name.starts_with(begin)) return 0;
    unsigned bits = 0;
    for (const char c : name.substr(begin.size())) {
        if (c < '0' || c > '9') break;
        bits = 10 * bits + static_cast<unsigned>(c - '0');
    }
    return static_cast<std::uint8_t>(bits / 8);
}

/// What the C++ library throws exceptions with.
static known_function of_library(std::string_view name) {
    known_function made;
    made.throws = name == "__cxa_throw" || (name.starts_with("_ZSt") && name.find("__throw_") != name.npos);
    if (name == "__cxa_allocate_exception") made.arguments = 1;
    return made;
}

/// A function that is none of the program's, and reads the program's memory through its arguments alone.
known_function code_paths::known(std::uintptr_t function) {
    const auto [at, unknown] = known_.emplace(function, known_function{});
    if (!unknown) return at->second;
    Dl_info found{};
    if (dladdr(reinterpret_cast<const void*>(function), &found) == 0 || !found.dli_sname ||
        found.dli_saddr != reinterpret_cast<const void*>(function))
        return at->second;
    const std::string_view name = found.dli_sname;
    at->second = of_library(name);
    if (!program_.memory().in_engine(function)) return at->second;
    for (const auto& k : known_functions)
        if (name.starts_with(k.begin) && name.ends_with(k.end)) at->second.arguments = k.arguments;
    at->second.ends = name == "__assert_fail";
    at->second.first = bytes_of(name);
    if (name.ends_with("_strong") || name.ends_with("_weak")) at->second.second = at->second.first;
    return at->second;
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
