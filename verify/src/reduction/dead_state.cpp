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
// Which memory an instruction accesses. Addresses in the thread's stack are followed as numbers, from registers to stack
// words and back. All other values are unknown, and none of them leads to what differs:
//
// 1. The followed part of the stack is from the stack pointer to the end of what differs, or to the end of the highest word
//    that leads into this part. So no word above it leads into it.
// 2. No word elsewhere holds an address in it: not in heaps, the program's data, mappings, thread_local variables, stacks of
//    other threads, nor among the values of atomics, of which old ones may still be read. Where one holds an address in the
//    rest of the frame in which it ends, one could count down from there to another part of the same object (from the
//    entry of a list on a stack). Such an object is in the same frame, and one whose accesses the compiler instruments, each of them, since its
//    address is known elsewhere. So what differs is no part of it unless the thread was seen to write it.
// 3. So an address in it is in a register or in a word of this part. Both are known where the thread stands.
// 4. No way makes another one: it keeps all alive to write such an address to a word above the part or to an unknown place,
//    to read a piece of one or several at once, to write a byte of one, to count from one by an unknown number, or to give
//    one to a function of the checker, unless it is known how many bytes that function accesses there.
//
// Hence what is read through an unknown value is not what differs, and neither is what a function of the checker reads.
// New frames, below the stack pointer, hold no address before they are written to.
//
// Where a way jumps by a table, as a switch does, all are followed once more, now with the numbers that the instructions
// themselves contain: a memory order that is passed to an inlined `load()`, which clang makes a switch of at -O0. Such a
// number is known whatever differs, and so is an entry of a table that nothing can write to. Numbers on the stack are
// kept in the function's own frame and in new ones, to which no address may lead from elsewhere, and no address in it may be lost sight of even
// where registers alone differ; what differs may then be copied there. Without a number a table is not understood: it does not say how long it is.
//
// Functions of other libraries may hold what is not known here; a way that comes to one keeps all alive. A way ends where the
// program aborts, and where it throws: as long as no thread of it has thrown, states that differ in dead values alone do the
// same up to the first throw, so one of them that is explored comes to it. That begins the search anew, and from then on a way
// that throws keeps all alive. Where there are interrupt handlers, nothing is looked up.
//
// Pointers to freed memory, for runtime/reuse.cpp: a word that has one is forgotten if the thread never reads it again. A
// function that starts threads, prints or checks has too many ways for the rules above, and most go through libraries. So
// here the ways lead around calls:
//
// 5. A function that is called has its own frame, and what its caller gives to it. It does not come to another part of the
//    caller's frame, unless it has an address in an object there. A compiler that instruments a program gives the address of
//    such an object to a hook before each access. So a word that a function reads without one is of no such object: it is the
//    compiler's own. For each word one of the ways does so, after it has overwritten it, while the frame is there; and no way
//    makes an address in the part of the stack up to the highest of these words. (A write is no proof: g++ fills objects
//    that have no initial value, and stores what a function returns in registers, without a hook. A read is mistaken for one
//    where a function is given an object by value, if all that anyone has is an address further up in it, to count down from.)
// 6. Code that is not instrumented makes no such difference. So one of the ways has to call a hook, and no word of the program
//    may lead into that part.
// 7. What is called returns once, or ends the program, or throws. A call behind which its function ends does not return. Nothing
//    is taken for forgotten once a thread has thrown, nor in a program that imports what comes back in other ways, as setjmp().
//
// What the request itself asks for was in registers that may be dead behind it. It is compared by itself.
//
// What is not followed is alive: the argument is of the ways alone, and needs no bound to be right. `--no-reduction
// dead-state` compares all bytes.

#include "dead_state.hpp"

#include "../program/imports.hpp"
#include "../program/libraries.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace ringproof::verify {
namespace {

constexpr std::size_t word = machine::word;
constexpr std::size_t most_differing = 128; // ranges; unoptimised code leaves many
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

/// The end of the part of the stack in which addresses are followed: `least`, or that of the highest word that leads into
/// it.
std::uintptr_t end_of_followed(const machine& m, const memory_range& stack, std::uintptr_t least) {
    if (least <= m.sp()) return m.sp();
    std::uintptr_t end = (least + word - 1) & ~(word - 1);
    for (std::uintptr_t a = end; a + word <= stack.end; a += word)
        if (const std::uintptr_t value = word_at(a); value >= m.sp() && value < end) end = a + word;
    return end;
}

/// The frame in which the byte before `a` lies, as the links from frame to frame tell. @param first the hook's
memory_range frame_around(std::uintptr_t first, std::uintptr_t a, const memory_range& stack) {
    memory_range found{first + 2 * word, first};
    while (found.end < a) {
        const std::uintptr_t next = word_at(found.end);
        const bool broken = next <= found.end || next % word != 0 || !stack.contains(next);
        found = {found.end + 2 * word, broken ? stack.end : next};
    }
    return found;
}

/// Whether the program comes back to its functions in ways that are not followed: these note where to, or unwind.
bool comes_back_otherwise() {
    constexpr const char* names[] = {"setjmp", "getcontext", "_Unwind_RaiseException", "_Unwind_ForcedUnwind",
                                     "_Unwind_Resume_or_Rethrow"};
    return std::any_of(std::begin(names), std::end(names),
                       [](const char* name) { return imports(name, is_part_of_program); });
}

/// A hash of what the ways on depend on besides `m`: the addresses, of the stack and of code, that lie on the stack.
std::uint64_t hash_of(machine& m, const memory_range& stack, const program_memory& memory) {
    std::uint64_t key = mixed(m.hash(), thrown::any);
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

/// Whether there is an address in `where`, a part of the stack of `t`, in any memory of the program's but this stack and
/// registers, or among the values of atomics.
bool dead_state::is_pointed_into(const thread_state& t, const memory_range& where) const {
    const program_memory& memory = program_.memory();
    const auto any = [&](std::uintptr_t begin, std::uintptr_t end) {
        for (std::uintptr_t a = (begin + word - 1) & ~(word - 1); a + word <= end; a += word)
            if (where.contains(word_at(a))) return true;
        return false;
    };
    if (mapped::any() || any(program_.storage_of(t.id), memory.stack_top(t.id))) return true;
    for (event_id e = 0; e < graph_.size(); ++e) // an older value of an atomic may still be read
        if (where.contains(static_cast<std::uintptr_t>(graph_.at(e).value))) return true;
    bool found = false;
    program_.memory().heaps().each(
        [&](unsigned u, std::uintptr_t top) { found = found || any(memory.heap_begin(u), top); });
    for (const memory_range& data : memory.data()) found = found || any(data.begin, data.end);
    for (const thread_state& other : program_)
        if (other.id != t.id && other.context && other.status != thread_status::finished)
            found = found || any(reinterpret_cast<std::uintptr_t>(other.context), memory.stack_top(other.id));
    return found;
}

/// The stack of `t`, without its thread_local variables, to which code has ways that are not followed.
memory_range dead_state::stack_of(const thread_state& t) const {
    return {program_.memory().stack(t.id).begin, program_.storage_of(t.id)};
}

/// Puts `m` behind the hook that has this frame. @return false where that is not possible
bool dead_state::stand(machine& m, std::uintptr_t frame, const memory_range& stack,
                       const std::vector<memory_range>& differing) {
    if (frame == 0 || !saved_in_order(paths_.code()) || differing.size() > most_differing) return false;
    const auto known = [&](std::uintptr_t value) { return stack.contains(value) ? value : 0; };
    m.pc = word_at(frame + word);
    m.sp() = frame + 2 * word;
    m.registers[rbp] = known(word_at(frame));
    for (std::size_t k = 0; k < std::size(saved); ++k)
        m.registers[static_cast<std::size_t>(saved[k])] = known(word_at(frame - saved_registers + k * word));
    for (memory_range d : differing) {
        if (!note_registers(m, d, frame)) return false;
        d.begin = std::max(d.begin, m.sp());
        if (d.begin < d.end) m.bytes.push_back(d);
    }
    return true;
}

bool dead_state::is_dead(const thread_state& t, const std::vector<memory_range>& differing) {
    const std::uintptr_t frame = frame_of(t);
    machine m;
    const memory_range stack = stack_of(t);
    if (!stand(m, frame, stack, differing)) return false;
    const auto [at, asked] = known_.emplace(hash_of(m, stack, program_.memory()), answer::no);
    const std::uintptr_t followed = end_of_followed(m, stack, m.bytes.empty() ? 0 : m.bytes.back().end);
    if (asked) at->second = asked_anew(m, stack, followed);
    if (at->second == answer::no) return false;
    if (at->second == answer::with_locals && is_pointed_into(t, {m.sp(), m.registers[rbp]})) return false;
    return m.bytes.empty() || !may_be_read_elsewhere(t, m, followed, frame_around(frame, followed, stack));
}

dead_state::answer dead_state::asked_anew(const machine& m, const memory_range& stack,
                                          std::uintptr_t followed) {
    if (paths_.all_overwrite(m, stack, followed)) return answer::yes;
    if (m.bytes.empty() && paths_.all_overwrite_with_numbers(m, stack, followed, followed))
        return answer::yes;
    const std::uintptr_t locals = m.registers[rbp];
    if (locals == 0) return answer::no;
    const std::uintptr_t end = end_of_followed(m, stack, std::max(followed, locals));
    return paths_.all_overwrite_with_numbers(m, stack, end, locals) ? answer::with_locals : answer::no;
}

/// Whether what differs may be read through an address that is not followed.
/// @param last the frame in which the followed part ends
bool dead_state::may_be_read_elsewhere(const thread_state& t, const machine& m, std::uintptr_t followed,
                                       const memory_range& last) {
    if (!is_pointed_into(t, {m.sp(), last.end})) return false;
    if (t.alone || is_pointed_into(t, {m.sp(), followed})) return true; // who is alone has no writes noted
    return std::any_of(m.bytes.begin(), m.bytes.end(), [&](const memory_range& d) {
        return d.end > last.begin && shadow_.written(d.begin, d.size());
    });
}

bool dead_state::are_forgotten(const thread_state& t, std::uintptr_t frame,
                               const std::vector<memory_range>& words) {
    if (!facts_.limits.reduce.dead_state || facts_.interrupts || thrown::any || !thrown::is_noticed())
        return false;
    machine m;
    const memory_range stack = stack_of(t);
    if (!stand(m, frame, stack, words)) return false;
    const std::uintptr_t followed = m.bytes.empty() ? m.sp() : m.bytes.back().end;
    if (end_of_followed(m, stack, followed) != followed) return false;
    if (is_pointed_into(t, {m.sp(), followed})) return false;
    constexpr std::uint64_t other_question = 1;
    const auto [at, asked] =
        known_.emplace(mixed(hash_of(m, stack, program_.memory()), other_question), answer::no);
    if (asked && !comes_back_otherwise() && paths_.all_forget(m, stack, followed)) at->second = answer::yes;
    return at->second == answer::yes;
}

bool dead_state::result_is_unused(const thread_state& t, std::uintptr_t frame) {
    const memory_range stack = stack_of(t);
    const std::uintptr_t callers = word_at(frame);
    machine m;
    m.pc = word_at(frame + word);
    m.sp() = frame + 2 * word;
    m.registers[rbp] = stack.contains(callers) ? callers : 0;
    m.differ = machine::all_of(rax);
    const auto [at, asked] = known_.emplace(hash_of(m, stack, program_.memory()), answer::no);
    if (asked && (paths_.all_overwrite_result(m, stack) ||
                  paths_.all_overwrite_with_numbers(m, stack, m.sp(), m.sp())))
        at->second = answer::yes;
    return at->second == answer::yes;
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
