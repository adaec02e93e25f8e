// SPDX-License-Identifier: Apache-2.0
// A reduction compares a thread's registers and stack with those of an earlier state, byte by byte. A compiler leaves dead
// values there: a variable of an iteration that has ended, a copy of a value that was stored. Two states that differ only
// in dead values are one: the thread does the same from both.
//
// A byte or a register is dead when each way on overwrites it before it is read. That is looked up in the machine code,
// from the pending request on: all ways are followed, both of a branch, into the functions of the program that are called and
// back to their callers, until nothing of what differs is left. A way that reads any of it, or does what isn't
// understood, leaves it alive.
//
// Which memory an instruction accesses. Where the thread stands, the values of its registers are known. Followed are those
// that are addresses in its stack, as numbers; of all others it is known that they are no address of a byte that differs,
// nor of one below it from which one could be counted: there is no such word in the registers, in any stack or heap, in
// the program's data or mappings, and none is made on the way: one that would be stored keeps all alive. (Frames that the
// stack links, which are above what a function addresses by them, are not counted.) So what is read through other registers
// is not what differs, and neither is what a function of the checker reads that is given no address of the stack at or below it.
// Functions of other libraries may hold what is not known here; a way that comes to one keeps all alive. So does one that
// throws, which such a function begins. Where there are interrupt handlers, nothing is looked up.
//
// What the request itself asks for was in registers that may be dead behind it. It is compared by itself.
//
// What is not followed is alive: the argument is of the ways alone, and needs no bound to be right. `--no-reduction
// dead-state` compares all bytes.

#include "dead_state.hpp"

#include <cstring>

namespace ringproof::verify {
namespace {

constexpr std::size_t word = machine::word;
constexpr std::size_t most_differing = 16; // ranges
/// As a hook's frame has them, from the lowest address on: RINGPROOF_PROGRAM_FRAME.
constexpr std::int8_t saved[] = {rbx, r12, r13, r14, r15};

/// A function that has its frame as a hook does.
[[gnu::noinline]] std::uintptr_t frame_of_a_hook() { return RINGPROOF_PROGRAM_FRAME; }

/// Whether a hook's frame has the registers where they are looked for, whatever compiled this.
bool saved_in_order(machine_code& code) {
    static const bool in_order = [&] {
        auto pc = reinterpret_cast<std::uintptr_t>(&frame_of_a_hook);
        const std::uintptr_t end = engine_code().end;
        std::vector<std::int8_t> pushed;
        for (int i = 0; i < 12; ++i) {
            const instruction& at = code.at(pc, end);
            if (at.is == instruction::kind::push && at.from.is == operand::kind::general)
                pushed.push_back(at.from.base);
            if (at.next == 0) break;
            pc = at.next;
        }
        return pushed == std::vector<std::int8_t>{rbp, r15, r14, r13, r12, rbx};
    }();
    return in_order;
}

/// Notes in `m` what of `d` is of registers, that a hook's frame at `frame` has. @return false where it is more than that
bool note_registers(machine& m, const memory_range& d, std::uintptr_t frame) {
    const std::uintptr_t first = frame - saved_registers;
    for (std::uintptr_t a = d.begin & ~(word - 1); a < std::min(d.end, m.sp()); a += word) {
        if (a > frame) return false; // it has returned to another place in the program
        const auto r = static_cast<std::size_t>(a == frame ? std::int8_t{rbp} : saved[(a - first) / word]);
        if (d.begin <= a) m.differ |= machine::lowest(r);
        if (d.end > a + 1) m.differ |= machine::others(r);
        m.registers[r] = 0;
    }
    return true;
}

/// A hash of what the ways on depend on besides `m`: the addresses, of the stack and of code, that lie on the stack.
std::uint64_t hash_of(machine& m, const memory_range& stack, const program_memory& memory) {
    std::uint64_t key = m.hash();
    for (std::uintptr_t a = m.sp(); a + word <= stack.end; a += word) {
        const std::uintptr_t value = word_at(a);
        constexpr std::uintptr_t lowest = 4096; // that may be an address
        if (value < lowest || (!stack.contains(value) && !memory.in_code(value))) continue;
        key = mixed(mixed(key, a), value);
    }
    return key;
}

} // namespace

/// The frame of the hook that `t` stands in, or 0.
static std::uintptr_t frame_of(const thread_state& t) {
    return t.what.frame != 0 ? t.what.frame : t.hook_frame;
}

/// Whether there is an address in `where`, a part of the stack of `t`, in any memory of the program's but registers and
/// the links from frame to frame.
bool dead_state::is_pointed_into(const thread_state& t, const memory_range& where) const {
    std::uintptr_t link = word_at(frame_of(t));
    const auto any = [&](std::uintptr_t begin, std::uintptr_t end, bool own) {
        for (std::uintptr_t a = (begin + word - 1) & ~(word - 1); a + word <= end; a += word) {
            const std::uintptr_t value = word_at(a);
            if (own && a == link) {
                link = value;
                continue;
            }
            if (where.contains(value)) return true;
        }
        return false;
    };
    if (mapped::any() || any(where.begin, program_.memory().stack_top(t.id), true)) return true;
    bool found = false;
    program_.memory().heaps().each([&](unsigned u, std::uintptr_t top) {
        found = found || any(program_.memory().heap_begin(u), top, false);
    });
    for (const memory_range& data : program_.memory().data())
        found = found || any(data.begin, data.end, false);
    for (const thread_state& other : program_)
        if (other.id != t.id && other.context && other.status != thread_status::finished)
            found = found || any(reinterpret_cast<std::uintptr_t>(other.context),
                                 program_.memory().stack_top(other.id), false);
    return found;
}

bool dead_state::is_dead(const thread_state& t, const std::vector<memory_range>& differing) {
    const std::uintptr_t frame = frame_of(t);
    if (frame == 0 || !saved_in_order(paths_.code()) || differing.size() > most_differing) return false;
    machine m;
    const memory_range stack{frame - saved_registers, program_.memory().stack_top(t.id)};
    const auto known = [&](std::uintptr_t value) { return stack.contains(value) ? value : 0; };
    m.pc = word_at(frame + word);
    m.sp() = frame + 2 * word;
    m.registers[rbp] = known(word_at(frame));
    for (std::size_t k = 0; k < std::size(saved); ++k)
        m.registers[static_cast<std::size_t>(saved[k])] = known(word_at(stack.begin + k * word));
    for (memory_range d : differing) {
        if (!note_registers(m, d, frame)) return false;
        d.begin = std::max(d.begin, m.sp());
        if (d.begin < d.end) m.bytes.push_back(d);
    }
    const auto [at, asked] = known_.emplace(hash_of(m, stack, program_.memory()), false);
    if (asked) at->second = paths_.all_overwrite(m, stack);
    return at->second && (m.bytes.empty() || !is_pointed_into(t, {m.sp(), m.bytes.back().end}));
}

bool dead_state::result_is_unused(const thread_state& t, std::uintptr_t frame) {
    const memory_range stack{frame, program_.memory().stack_top(t.id)};
    const std::uintptr_t callers = word_at(frame);
    machine m;
    m.pc = word_at(frame + word);
    m.sp() = frame + 2 * word;
    m.registers[rbp] = stack.contains(callers) ? callers : 0;
    m.differ = machine::all_of(rax);
    const auto [at, asked] = known_.emplace(hash_of(m, stack, program_.memory()), false);
    if (asked) at->second = paths_.all_overwrite_result(m, stack);
    return at->second;
}

bool dead_state::same_but_dead(const thread_state& t, const memory_range& own, const char* then,
                               const std::function<bool(std::uintptr_t address)>& may_differ) {
    const auto at = [](std::uintptr_t address) { return reinterpret_cast<const void*>(address); };
    if (std::memcmp(then, at(own.begin), own.size()) == 0) return true;
    differing_.clear();
    for (std::size_t i = 0; i < own.size(); ++i) {
        while (i % word == 0 && i + word <= own.size() && std::memcmp(then + i, at(own.begin + i), word) == 0)
            i += word; // most words are the same
        if (i == own.size()) break;
        if (then[i] == *reinterpret_cast<const char*>(own.begin + i)) continue;
        if (may_differ && may_differ(own.begin + i)) continue;
        if (differing_.empty() || differing_.back().end != own.begin + i)
            differing_.push_back({own.begin + i, own.begin + i});
        ++differing_.back().end;
    }
    if (differing_.empty()) return true;
    return facts_.limits.reduce.dead_state && !facts_.interrupts && is_dead(t, differing_);
}

} // namespace ringproof::verify
