// SPDX-License-Identifier: Apache-2.0
// Waiting loops that allocate: `while (!queue.push(std::string(40, 'x')));`. Freed memory does not come again by itself, so
// each iteration has blocks of its own, and none leaves all as it was (idle_iterations.cpp). But its state may be that of the
// iteration before under a renaming of blocks. Let s be the state in which the thread stood before an earlier read, s' the one
// in which it stands before that read again, and let it have made nothing but reads in between. A block that lasts in s, and
// was freed in between, is paired with one that was allocated in between, and lasts in s': the lowest with the lowest, and
// so on. All other blocks of s are what they are in s'. A block that was allocated and freed in between is in s' alone, and
// leaves nothing: free() ends it.
//
// Asked for:
// 1. Pairs have the same sizes, and contents that are the same but for addresses in pairs. There are no blocks left over, so
//    what is leaked is the same.
// 2. Registers and stack are the same but for addresses in pairs, and for what is dead (dead_state.cpp). Freed blocks of s and
//    of the iteration become pairs where the stack has addresses of theirs: both are as good as none. A word that s and s'
//    both have, and that is an address in a pair, is a difference: a pointer that an earlier round left.
// 3. All other memory is the same. Where others wrote in between, one more iteration is made from s' on and has to come to s'
//    again in this sense; and what this thread wrote lies on its stack and in blocks of the iteration in any case.
// 4. No other memory, no stack of another thread, and no value of an atomic has an address in one of these blocks, aligned or
//    not. So no other thread can access them, now or later.
// 5. The iteration is made once more, from s on, alone, with a heap that begins further up, and comes to s again. So words
//    that were paired follow the addresses that allocations return, and are no numbers that grow as the heap does.
// 6. Blocks that last and are paired are the highest of their heap, in s and in s'. So addresses compare as before.
//
// Then each continuation from s' is one from s with other addresses: by 1 to 3 the thread does the same from both, and others
// see the same memory. It is left to the twin without the iteration, as for idle_iterations.cpp: no event reads what is
// taken out, as it has only reads, and its plain writes are private by 3 and 4; fewer events order less, so what is an error
// there is one here. The iteration stays in this graph, so a race of its accesses, free() among them, is found.
//
// Addresses that come again. Where main has chosen the allocator that gives the block which was freed last, s' has a block to
// give that s did not have, unless all is in its place: there each block has to be what it was, at the same address, and so do
// the lists of freed blocks. Where allocations choose among freed blocks, each iteration has more of them: none is left out.
//
// A program that hashes addresses, or takes their differences, may tell rounds apart that are the same here; so may one that
// keeps an address in another form than that of a pointer. The ledger says so.

#include "allocating_iterations.hpp"

#include "../program/request_kinds.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {
namespace {

constexpr unsigned most_events = 64; // of an iteration
constexpr std::size_t word = sizeof(std::uint64_t);
/// By which addresses are moved in a trial: no size of an iteration's blocks, and no multiple of an alignment above 16.
constexpr std::size_t moved_by = 16 * 37;

/// Whether any word in a range is one that `is` is true for, be it aligned or not.
template <class Predicate>
bool has_word(const memory_range& range, std::size_t step, Predicate is) {
    for (std::uintptr_t a = range.begin; a + word <= range.end; a += step) {
        std::uint64_t value;
        std::memcpy(&value, reinterpret_cast<const void*>(a), sizeof value);
        if (is(value)) return true;
    }
    return false;
}

} // namespace

/// Under unfair scheduling rounds are judged by what they change, addresses too: see ../search/unfair.cpp.
bool allocating_iterations::may_apply(const thread_state& t) {
    return facts_.limits.reduce.allocating_iteration && !facts_.limits.unfair && !facts_.interrupts &&
           t.process == 0 && t.what.frame != 0 && is_look(t.what.act) &&
           (t.places & place_bit(t.what.site)) != 0 && execution_.writing() == no_thread &&
           program_.memory().heaps().has(t.id) && !mapped::any() && !program::in_process() &&
           !runtime_.heap().offers_blocks() && facts_.limits.reuse != exploring::always;
}

/// Whether `t` stands where it stood in `then`, but for addresses of blocks, and its heap has the same. `alone`: so has all
/// memory
bool allocating_iterations::came_back(const thread_state& t, const saved_state& then, renamed_blocks& blocks,
                                      bool alone) {
    if (!blocks.match()) return false;
    const thread_state& before = program_.images().thread_of(then, t.id);
    request asked = before.what;
    const auto renamed = [&](value_t value) {
        const auto low = static_cast<std::uint64_t>(value), high = static_cast<std::uint64_t>(value >> 64);
        return static_cast<value_t>(blocks.renamed(high)) << 64 | blocks.renamed(low);
    };
    asked.operand = renamed(asked.operand);
    asked.expected = renamed(asked.expected);
    if (!same_request(asked, t.what) || before.hook_frame != t.hook_frame ||
        !same_beside_the_stack(before, t))
        return false;
    const memory_range own = program_.own_stack(t);
    const auto stack = program_.images().stack_of(then, t.id);
    if (own.size() == 0 || own.begin < stack.sp || own.begin % word != 0) return false;
    std::string bytes(stack.bytes + (own.begin - stack.sp), own.size());
    blocks.match_freed(own, bytes);
    blocks.rename(bytes);
    const auto may_differ = [&](std::uintptr_t address) {
        return blocks.may_differ(address) || (!alone && !blocks.is_bookkeeping(address));
    };
    return dead_.same_but_dead(t, own, bytes.data()) && blocks.same_contents() &&
           program_.same_memory(then, t, may_differ);
}

/// Whether all that `t` wrote since the state before its event `first` lies on its own stack, or in blocks of the iteration.
bool allocating_iterations::wrote_only_there(const thread_state& t, const event& first,
                                             const renamed_blocks& blocks) {
    const memory_range own = program_.memory().stack(t.id);
    return races_.shadow().each_write_since(
        log_before(first), t.id, first.index, [&](std::uintptr_t address, std::uint8_t, const plain_access&) {
            return own.contains(address) || blocks.is_of_iteration(address);
        });
}

/// Whether anything but the stack of `t` and those blocks themselves has the address of one: memory, the stack of another
/// thread, or a value of an atomic, of which old ones may be read yet; or whether the stack has one that is not aligned.
bool allocating_iterations::are_known(const thread_state& t, const renamed_blocks& blocks) const {
    const auto is_one = [&](std::uint64_t value) { return blocks.is_of_iteration(value); };
    for (event_id e = 0; e < graph_.size(); ++e) {
        const value_t value = graph_.at(e).value;
        if (is_one(static_cast<std::uint64_t>(value)) || is_one(static_cast<std::uint64_t>(value >> 64)))
            return true;
    }
    const program_memory& memory = program_.memory();
    bool found = false;
    memory.heaps().each([&](thread_id u, std::uintptr_t) {
        const heap in(memory.heap_begin(u));
        // each_lasting() notes what it finds, and memory is to stay as it is.
        for (std::uintptr_t a = in.first().newest; a != 0 && !found; a = in.find(a - 1)) {
            const allocation_header& h = *allocation_header::of(a);
            found = !h.freed() && !blocks.is_of_iteration(a) && has_word({a, a + h.size()}, 1, is_one);
        }
    });
    for (const memory_range& data : memory.data()) found = found || has_word(data, 1, is_one);
    for (const thread_state& other : program_)
        if (other.id != t.id && other.context && other.status != thread_status::finished)
            found = found ||
                    has_word({reinterpret_cast<std::uintptr_t>(other.context), memory.stack_top(other.id)}, 1,
                             is_one);
    const memory_range own = program_.own_stack(t);
    for (std::uintptr_t k = 1; k < word; ++k)
        found = found || has_word({own.begin + k, own.end}, word, is_one);
    return found;
}

/// Lets `t` do once more what it did in its events from `first` up to `end`, and see the same. @return whether it does that
bool allocating_iterations::does_again(thread_state& t, unsigned first, unsigned end) {
    for (unsigned i = first; i < end; ++i)
        if (!t.pending || !goes_along_or_locks(t, event_of(t, i))) return false;
    return t.pending;
}

/// Whether one more iteration, from where `t` stands on, comes back once more when it reads the same.
bool allocating_iterations::next_one_repeats(thread_state& t, unsigned first) {
    const unsigned end = t.next_index;
    return execution_.try_out([&](const saved_state& now) {
        renamed_blocks blocks(program_, t, now, end - 1);
        return does_again(t, first, end) && came_back(t, now, blocks, true);
    });
}

/// Whether the iteration since `first`, made once more from the state before it, alone and with other addresses, leaves all
/// as it was, but for these.
bool allocating_iterations::repeats_elsewhere(thread_state& t, const event& first) {
    const unsigned from = first.index, end = t.next_index;
    const std::uintptr_t site = first.site;
    const saved_state before = state_before(first);
    return execution_.try_out([&](const saved_state&) {
        program_.restore(before);
        if (!program_.thread(0).uses_last_block) {
            program_memory::heap_tops tops = program_.memory().heaps();
            tops.top[t.id] += moved_by;
            program_.memory().set_heaps(tops);
        }
        renamed_blocks blocks(program_, t, before, from - 1);
        return t.what.site == site && does_again(t, from, end) && came_back(t, before, blocks, true);
    });
}

/// Whether the iteration of `t` from its event `first` on had no effect.
bool allocating_iterations::had_no_effect(thread_state& t, const event& first) {
    const saved_state then = state_before(first);
    std::optional<renamed_blocks> blocks(std::in_place, program_, t, then, first.index);
    if (!blocks->any()) return false; // idle_iterations.cpp knows
    if (!came_back(t, then, *blocks, true)) {
        // Memory may differ because others wrote in between; then one more iteration shows what this loop does now.
        blocks.emplace(program_, t, then, first.index);
        if (!came_back(t, then, *blocks, false) || !next_one_repeats(t, first.index)) return false;
    }
    return wrote_only_there(t, first, *blocks) && !are_known(t, *blocks) && repeats_elsewhere(t, first);
}

thread_status allocating_iterations::before_read(thread_state& t) {
    if (!may_apply(t)) return thread_status::ready;
    for (unsigned i = t.next_index; i-- > 1 && t.next_index - i <= most_events;) {
        const event& e = event_of(t, i);
        if (e.kind == event_kind::fence && !is_release(e.mo)) continue;
        if (e.kind != event_kind::read || e.rmw || e.lock) break;
        if (e.blocked || e.node == none || e.site != t.what.site || e.frame != t.what.frame ||
            graph_.loc(e.location).address != t.what.address || !had_no_effect(t, e) ||
            !left_out_.may_leave_out(t, i))
            continue;
        t.waiting_from = i;
        facts_.take_for_granted(assumption::allocating_iteration, e.site);
        // After a spurious failure it can go on at once: in the execution without this iteration.
        return failed_since(t, i) ? thread_status::retrying : thread_status::waiting;
    }
    return thread_status::ready;
}

} // namespace ringproof::verify
