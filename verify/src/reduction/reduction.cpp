// SPDX-License-Identifier: Apache-2.0
#include "reduction.hpp"
#include "../program/request_kinds.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

namespace {

constexpr std::size_t granule = 8; // of shadow memory

/// Which calls, from the outermost function on, have led to the request that a hook with this frame made: one function
/// may be called in a loop and behind it.
std::uint64_t hash_of_callers(std::uintptr_t frame, const memory_range& stack) {
    std::uint64_t hash = 0;
    while (frame % sizeof frame == 0 && stack.contains(frame) && stack.contains(frame + sizeof frame)) {
        const auto* const words = reinterpret_cast<const std::uintptr_t*>(frame);
        hash = (hash ^ words[1]) * 0x9e37'79b9'7f4a'7c15u;
        if (words[0] <= frame) break;
        frame = words[0];
    }
    return hash;
}

} // namespace

bool same_request(const request& a, const request& b) {
    return a.act == b.act && a.site == b.site && a.frame == b.frame && a.address == b.address &&
           a.operand == b.operand && a.expected == b.expected && a.mo == b.mo && a.mo_fail == b.mo_fail &&
           a.op == b.op && a.size == b.size && a.into == b.into && a.arguments == b.arguments;
}

bool same_beside_the_stack(const thread_state& a, const thread_state& b) {
    return a.children == b.children && a.detached == b.detached && a.waits == b.waits &&
           a.returned == b.returned && a.at_exit == b.at_exit && a.keys == b.keys &&
           a.clock_reads == b.clock_reads && a.random == b.random && a.floats == b.floats &&
           a.handlers == b.handlers && a.masked_level == b.masked_level;
}

/// Lets `t` do what it did in its events from `first` up to `end` once more, with the same values.
/// @return false when it does something else on the way
bool reduction::iterate(thread_state& t, unsigned first, unsigned end) {
    const request head = t.what;
    const memory_range stack = program_.memory().stack(t.id);
    const std::uint64_t callers = hash_of_callers(head.frame, stack);
    for (unsigned i = first;; ++i) {
        const request& what = t.what;
        while (i < end && (event_of(t, i).kind == event_kind::interrupt || event_of(t, i).blocked))
            ++i; // no handler came in there, or it saw what it waited for later
        if (i > first && what.site == head.site && what.frame == head.frame &&
            hash_of_callers(what.frame, stack) == callers)
            return i == end;
        if (i == end) return false;
        const event& before = graph_.at(graph_.in_thread(t.id, i));
        const location_id l = graph_.find(what.address);
        if (what.act == action::store) {
            if (!before.again || !goes_along(t, before)) return false;
            continue;
        }
        // A test-and-set that failed wrote what it had read.
        const bool wrote = what.act == action::modify && before.rmw;
        if (what.act != action::load && what.act != action::compare && !wrote) return false;
        i += wrote;
        if (!before.is_read() || before.site != what.site || l != before.location) return false;
        if (what.act == action::compare && (before.value == what.expected) != before.spurious) return false;
        t.idle_yields = 0;
        execution_.go_on_with(t, before.value, before.spurious);
    }
}

/// Whether the pending request of `t` is for what its event `e` was, and it stands where the event was made.
/// Gives it the event's value.
bool reduction::goes_along(thread_state& t, const event& e) {
    if (e.blocked) return true; // it saw what it waited for later
    const request& what = t.what;
    if (what.site != e.site || what.frame != e.frame) return false;
    if (e.kind == event_kind::fence) {
        if (what.act != action::fence || what.mo != e.mo) return false;
    } else {
        if (what.address != graph_.loc(e.location).address || what.size != e.size) return false;
        if (e.kind == event_kind::write) {
            if (what.act != action::store || what.mo != e.mo || truncated(what.operand, e.size) != e.value)
                return false;
        } else if (what.act == action::compare
                       ? (what.expected == e.value) != e.spurious || what.mo_fail != e.mo
                       : what.act != action::load || what.mo != e.mo) {
            return false;
        }
    }
    execution_.go_on_with(t, e.is_read() ? e.value : t.result, e.spurious);
    return true;
}

/// The same, for one that may also take a lock, try to, or give it back.
bool reduction::goes_along_or_locks(thread_state& t, const event& e) {
    const struct back {
        search_facts& facts;
        ~back() { facts.as_of = nullptr; } // also when the search begins anew from within
    } later{facts_};
    facts_.as_of = e.is_read() && e.rmw ? &event_of(t, e.index + 1u) : &e;
    if (!e.locked && !e.lock) return goes_along(t, e);
    if (e.kind == event_kind::write && e.rmw) return true; // of a read that has gone on
    const request& what = t.what;
    if (what.site != e.site || what.frame != e.frame || what.address != graph_.loc(e.location).address ||
        e.is_read() != kind_of(what.act).reads)
        return false;
    execution_.go_on_with(t, e.is_read() ? e.value : t.result, e.spurious);
    return true;
}

/// Lets `t`, which may be anywhere, go on from its earlier read with the value of a later one.
/// @return false where that does something else: a compare-exchange that would now succeed
bool reduction::go_on_from(thread_state& t, const event& earlier, value_t later) {
    program_.restore_one(state_before(earlier), t.id);
    if (t.what.act == action::compare ? t.what.expected == later : t.what.act != action::load) return false;
    execution_.go_on_with(t, later);
    return true;
}

/// Whether `e` is of an iteration that its thread has stopped behind, and will stop behind whatever others do that go on because
/// of `e`: it reads nothing behind `e` that they may write, but for locks.
bool reduction::tells_nothing(const event& e) const {
    const thread_state& by = program_.thread(e.thread);
    if (by.status == thread_status::locking) return e.index + 1u == by.next_index; // it waits for the lock
    if ((by.status != thread_status::waiting && by.status != thread_status::retrying) ||
        e.index < by.waiting_from)
        return false;
    for (unsigned i = e.index + 1u; i < by.next_index; ++i)
        if (const event& later = event_of(by, i); later.is_read() && !later.lock) return false;
    return left_out_.may_drop_behind(by, e);
}

/// Adds the reads from `w`, other than those of the thread `but`, that tell what they have seen: not those that wait, nor
/// those of read-modify-writes, whose writes tell.
void reduction::add_readers(const event& w, thread_id but, std::vector<const event*>& found) const {
    for (event_id r = w.first_reader; r != none; r = graph_.at(r).next_reader) {
        const event& read = graph_.at(r);
        if (read.thread != but && !read.blocked && !read.rmw && !tells_nothing(read)) found.push_back(&read);
    }
}

/// The first event of its thread behind the iteration that `e` is of, if it had stopped there and went on; or null.
const event* reduction::went_on_behind(const event& e) const {
    constexpr unsigned most = 64; // events behind it
    const thread_state& by = program_.thread(e.thread);
    for (unsigned i = e.index + 1u; i < by.next_index && i - e.index <= most; ++i) {
        const event& later = event_of(by, i);
        if (later.noticed == 0) continue;
        return later.noticed == event::behind_vain_wake || i - later.noticed <= e.index ? &later : nullptr;
    }
    return nullptr;
}

/// `t` goes on, since the events `by` of other threads tell of what it did: it depends on them as on what it reads.
void reduction::go_on_for(thread_state& t, const std::vector<const event*>& by, std::uint8_t noticed) {
    for (const event* const e : by) t.clocks.porf().join(e->porf());
    t.noticed = noticed;
}

/// Puts back what `t` wrote with plain accesses since its event `first`. @return false when that isn't known, or when it
/// freed anything in the iteration that ends with its event `again`
bool reduction::forget_plain_writes(const thread_state& t, const event& first, unsigned again) {
    const kept_state from = execution_.states().before(first);
    if (!program_.images().same_heap(from.state, t.id)) return false;
    const memory_range own = program_.memory().stack(t.id);
    return races_.shadow().each_write_since(
        from.log, t.id, first.index, [&](std::uintptr_t address, std::uint8_t mask, const plain_access& by) {
            if (by.freed) return by.index >= again; // then the twin frees it as well
            if (own.contains(address)) return true; // as the stack is
            const int owner = program_.memory().stack_owner(address);
            const char* const before =
                owner < 0 ? program_.images().bytes_of(from.state, address, granule)
                          : program_.images().stack_bytes_of(from.state, static_cast<thread_id>(owner),
                                                             address, granule);
            if (!before) return false;
            program_.note_stack_write(address);
            for (std::size_t b = 0; b < granule; ++b)
                if ((mask & 1u << b) && !races_.shadow().is_atomic(address + b, 1))
                    *reinterpret_cast<char*>(address + b) = before[b];
            return true;
        });
}

/// Whether one more iteration, from the pending read of `t` on, does what the iteration since waiting_from did
/// when it reads the same values, and comes back to the same read; `unchanged`: with all as it was before. If
/// not, it has to yield on the way: another call of the function that reads may stand in the same iteration.
bool reduction::next_iteration_repeats(thread_state& t, bool unchanged) {
    const unsigned first = t.waiting_from, end = t.next_index;
    const floating_point floats = t.floats;
    return execution_.speculate([&](const saved_state& now) {
        t.yielded_at = 0;
        return iterate(t, first, end) &&
               (unchanged ? t.floats == floats && program_.same_memory(now, t) : t.yielded_at != 0);
    });
}

/// Whether `t`, from its event `first` to its pending request, changed memory but by accesses that were seen: a library
/// that isn't compiled for the checker may have, printing to a buffer. From each state that is kept, `t` goes on once
/// more up to the next one.
bool reduction::wrote_unseen(thread_state& t, unsigned first) {
    const unsigned end = t.next_index;
    const auto at = [&](unsigned k) -> const event& { return graph_.at(graph_.in_thread(t.id, k)); };
    for (unsigned k = first, next; k < end; k = next) {
        for (next = k + 1; next < end && at(next).node == none;) ++next;
        const saved_state before = state_before(at(k));
        const bool unseen = execution_.try_out([&](const saved_state&) {
            program_.restore(before);
            for (unsigned m = k; m < next; ++m)
                if (!goes_along_or_locks(t, at(m)) || !runtime_.accesses().undo_writes()) return true;
            // A volatile store has moved its value already.
            const auto may_differ = [&](std::uintptr_t a) {
                return program_.memory().is_bookkeeping(a) ||
                       (t.what.act == action::store && a / 8 == t.what.address / 8);
            };
            return !program_.same_memory(before, t, may_differ);
        });
        if (unseen) return true;
    }
    return false;
}

/// Whether the program's part of `t`'s state, registers, floating-point environment and live stack, is what it was in `earlier`,
/// but for what it will not read again.
/// It stands at the same place as then, in the same frame: below are the engine's own.
bool reduction::same_state_as(const thread_state& t, const saved_state& earlier,
                              const std::function<bool(std::uintptr_t)>& may_differ) const {
    const auto before = program_.images().stack_of(earlier, t.id);
    const std::uintptr_t from = program_.own_stack(t).begin;
    // What it asks for may lie in registers that are dead behind the request.
    return same_request(t.what, program_.images().request_of(earlier, t.id)) && before.random == t.random &&
           before.floats == t.floats && from >= before.sp &&
           dead_.same_but_dead(t, program_.own_stack(t), before.bytes + (from - before.sp), may_differ);
}

/// Index of the last read before event `before` that `t`, which stands before a read, made where it stands, and after
/// which it did nothing that others can see. @return 0 when there is none
unsigned reduction::last_iteration(const thread_state& t, unsigned before) const {
    for (unsigned i = before; i-- > t.pure_since;) {
        const event& e = event_of(t, i);
        if (is_read_there(t, e)) return i;
    }
    return 0;
}

/// Whether `t` has had a spurious failure since its event `from`.
bool reduction::failed_since(const thread_state& t, unsigned from) const {
    for (unsigned i = t.next_index; i-- > from;)
        if (graph_.at(graph_.in_thread(t.id, i)).spurious) return true;
    return false;
}

/// Whether `t` has written anything but its own stack since its event `since`, or allocated.
bool reduction::has_written(const thread_state& t, const event& since) {
    const kept_state from = execution_.states().before(since);
    const memory_range own = program_.memory().stack(t.id);
    return !program_.images().same_heap(from.state, t.id) ||
           !races_.shadow().each_write_since(from.log, t.id, since.index,
                                             [&](std::uintptr_t address, std::uint8_t, const plain_access&) {
                                                 return own.contains(address);
                                             });
}

} // namespace ringproof::verify
