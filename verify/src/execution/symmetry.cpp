// SPDX-License-Identifier: Apache-2.0
// Threads that run the same code with the same arguments are interchangeable: exchange what two of them do in an
// execution, and the result is an execution. Of those that arise from each other so, an orbit, one is enough.
// (Kokologiannakis, Marmanis, Vafeiadis, "SPORE: Combining Symmetry and Partial Order Reduction", PLDI 2024, have shown
// that this goes together with TruSt's search; which executions are chosen, and why that is enough, is ours.)
//
// A group is a row of threads that one thread creates after each other, with no other event in between but creations of
// threads. Let t be the elder of u when t is the last of the group that was created before u. While the events of u are
// those of t (the same requests, with reads from the same writes) the two are in one state, and their next requests are the same. Let k be the first place at which t and u have no such pair. An
// execution graph is canonical when for each such t and u
//   (a) u has no event k while t has none;
//   (b) where both are reads, u does not read from a write that is before the one t reads from, in coherence order and
//       in porf;
//   (c) where both are writes to one location, that of t is the first in coherence order.
// And porf is extended: event j of t is before event j of u, for all j up to and with k. We call that prefix.
//
// 1. Each orbit has a canonical graph in which prefix has no cycle. Let L be a linear order of the writes that extends
//    porf, and (c)'s order of pairs of writes. That has no cycle: a path in porf into a thread's write k from another
//    thread comes in by a read before k, and the other thread of the pair reads from the same write, so that the path
//    leads to the other thread's write as well. Sort the threads of each group by the places in L of their writes and of
//    what they read from, event by event, a missing one last. That is canonical: (b) since L extends porf. And let a read
//    have the number of what it reads from or of the event before it, whichever is the greater; a write its own, but where
//    it is paired, to memory of the thread's own, that of the event before it. Along prefix the number does not become
//    less: paired events have the same, but for the last pair, which was sorted. Into a write that is not paired it
//    grows, so a cycle would have none, and lead only within threads and from elder to younger ones.
// 2. A part of a canonical graph that is closed under prefix is canonical, and so is one to which the next event of a thread
//    is added that reads the latest write in coherence order, or is it: (b) and (c) forbid only what is earlier. To have
//    (a), a thread is held back while its elder has no event k.
// These are all that TruSt asks of a consistency predicate and a prefix. So with `canonical` as a part of the one,
// and the pairs as a part of the other, the search finds each canonical graph once, and no other: a revisit deletes
// what is not in the prefix, and one that would make the graph not canonical is none.
//
// That u is like t takes that nothing tells them apart. What we check, and where it does not hold the search
// begins anew, without this reduction for the group:
// - Their routine and argument are the same, or the argument is what std::thread or thrd_create() made of a function and
//   its arguments, and equal byte by byte. Their clocks begin at the same time, and so do their floating-point environments.
// - Between the creations their creator adds no event but creations of other threads, which order nothing that the group's
//   threads do: no one reads them but the thread that begins. And no other thread ever accesses, in a way that meets in shadow
//   memory, what the creator accessed there without an event: otherwise a race, or an order, would be that of one thread
//   only. Their own arguments are their own.
// - They are joined by their creator, one after the other, without an event or an access that meets theirs in between,
//   and it does not ask for what they returned unless that is null.
// - None of them has made an event when the last one is created. What it was created with may be changed by then; and
//   threads would be alike in one part of the search and unlike in another. The usual order of threads sees to it, but for
//   a revisit by an event of one of them that takes off a creation.
// - No one of them asks who it is (pthread_self()).
// - As long as two are compared they ask for the same, at one place of the code and at the same address, or at
//   addresses that lie at the same place in what is each thread's own: its stack and its heap.
// What cannot be seen is in the ledger (`symmetry`): that no decision depends on the numbers that addresses of a thread's own
// memory are, on which is the greater or on a hash. What they are is no promise, here as elsewhere.
//
// Events that are not compared end the comparison, and what comes behind is explored in each order: creations, joins,
// choices, sleeping and waking, the end; arrivals at a barrier, which have an order only for show (barriers.cpp); and
// reads from writes that porf does not order, of which (b) does not say which is first. A read of a lock that was taken
// (event::blocked) is none. Updates that have no order (event::update) are compared as fences are.

#include "symmetry.hpp"

#include "alike_group.hpp"
#include "requests.hpp"

#include <bit>
#include <cstring>
#include <dlfcn.h>
#include <string_view>

namespace ringproof::verify {
namespace {

/// The loaded object that has this code.
Dl_info object_of(const void* code) {
    Dl_info found{};
    dladdr(code, &found);
    return found;
}

/// Whether a thread that begins with `start` owns its argument.
bool owns_argument(void* (*start)(void*)) {
    const Dl_info of = object_of(reinterpret_cast<const void*>(start));
    static const void* const engine = object_of(reinterpret_cast<const void*>(&object_of)).dli_fbase;
    if (!of.dli_fname) return false;
    if (of.dli_fbase == engine) return true; // thrd_create()
    const std::string_view path = of.dli_fname;
    return path.substr(path.rfind('/') + 1).starts_with("libstdc++.so");
}

/// Whether the request is for an event that is not compared.
bool is_open(const request& what) {
    switch (what.act) {
    case action::load:
    case action::store:
    case action::modify:
    case action::compare:
    case action::write_part:
    case action::update:
    case action::fence:
    case action::plain_write:
    case action::begin:
    case action::lock:
    case action::try_lock:
    case action::unlock:
        return what.arrives_in != 0;
    default:
        return true;
    }
}

} // namespace

// ---- which threads are alike

bool symmetry::same_start(const thread_state& a, const thread_state& b) const {
    // `a` has made no event, so it still has the floating-point environment that it got.
    if (a.start != b.start || a.began_at != b.began_at || a.floats != b.floats) return false;
    if (a.argument == b.argument) return true;
    const auto of_a = reinterpret_cast<std::uintptr_t>(a.argument),
               of_b = reinterpret_cast<std::uintptr_t>(b.argument);
    const program_memory& memory = program_.memory();
    if (!memory.in_heap(of_a) || !memory.in_heap(of_b) || !owns_argument(a.start)) return false;
    if (memory.block_at(of_a) != of_a || memory.block_at(of_b) != of_b) return false;
    const heap::header &block_a = *heap::header::of(of_a), &block_b = *heap::header::of(of_b);
    return !block_a.freed() && !block_b.freed() && block_a.size() == block_b.size() &&
           std::memcmp(a.argument, b.argument, block_a.size()) == 0;
}

/// The youngest sibling of `child` that is like it, if their creator has added no event since but creations; or null.
thread_state* symmetry::elder_of(const thread_state& child) {
    for (unsigned index = graph_.at(child.created).index; --index > 0;) {
        const event_id before = graph_.in_thread(child.parent, index);
        if (graph_.at(before).kind == event_kind::choice) continue;
        if (graph_.at(before).kind != event_kind::create) return nullptr;
        for (thread_state& elder : program_) {
            if (elder.created != before || elder.parent != child.parent || elder.id == child.id ||
                elder.start != child.start)
                continue;
            // It may have changed what it was created with.
            if (graph_.thread_size(elder.id) != 0 || same_start(elder, child)) return &elder;
        }
    }
    return nullptr;
}

void symmetry::note_created(thread_state& child) {
    if (!used_ || facts_.interrupts) return;
    thread_state* const elder = elder_of(child);
    if (!elder) return;
    const thread_id first = elder->first_alike != 0 ? elder->first_alike : elder->id;
    unsigned size = 0;
    for (const thread_state& other : program_) size += is_in_group(other, first);
    if ((facts_.unlike >> first & 1) != 0 || size >= largest_group) return;
    if (graph_.thread_size(elder->id) != 0) return facts_.are_unlike(first);
    elder->first_alike = child.first_alike = first;
    elder->dirty = true;
    child.elder = elder->id;
    child.elder_at = 1;
    child.alike = true;
    facts_.watched |= 1u << child.parent | 1u << elder->id | 1u << child.id;
    facts_.take_for_granted(assumption::symmetry, child.what.site);
}

void symmetry::note_join(thread_state& t, const thread_state& other) {
    if (other.first_alike == 0) return;
    if (t.id != other.parent) return facts_.are_unlike(other.first_alike);
    bool all = true;
    for (const thread_state& u : program_)
        all = all && (!is_in_group(u, other.first_alike) || u.joined_by == t.id);
    const std::uint32_t bit = 1u << other.first_alike;
    t.joining = all ? t.joining & ~bit : t.joining | bit;
}

void symmetry::note_access(std::uintptr_t address, const plain_access& earlier, thread_id by) {
    if (!used_) return;
    const thread_state& t = program_.thread(by);
    const thread_id first = program_.thread(earlier.thread).first_alike;
    if ((t.joining >> first & 1) != 0) facts_.are_unlike(first);
    for (const thread_state& u : program_) {
        if (u.status == thread_status::unborn || u.elder == thread_state::nobody ||
            u.parent != earlier.thread)
            continue;
        if (earlier.index < graph_.at(program_.thread(u.elder).created).index ||
            earlier.index >= graph_.at(u.created).index)
            continue;
        if (!program_.in_argument(t, address)) facts_.are_unlike(u.first_alike);
    }
}

// ---- their events

/// Whether `x` is before `y` in coherence order and in porf.
bool symmetry::before(event_id x, event_id y) const {
    const event& earlier = graph_.at(x);
    return graph_.co_place(x) < graph_.co_place(y) &&
           (earlier.thread == init_thread || graph_.at(y).porf().includes(earlier.thread, earlier.index));
}

/// The event of `t` from this index on that is compared next, or null.
const event* symmetry::next_of(thread_id t, std::uint32_t from) const {
    for (; from <= graph_.thread_size(t); ++from)
        if (const event& e = graph_.at(graph_.in_thread(t, from)); !e.blocked) return &e;
    return nullptr;
}

bool symmetry::corresponding(std::uintptr_t a, thread_id of_a, std::uintptr_t b, thread_id of_b) const {
    const program_memory& memory = program_.memory();
    if (memory.in_heap(a) && memory.in_heap(b))
        return memory.heap_owner(a) == of_a && memory.heap_owner(b) == of_b &&
               a - memory.heap_begin(of_a) == b - memory.heap_begin(of_b);
    return memory.stack_owner(a) == of_a && memory.stack_owner(b) == of_b &&
           memory.stack_top(of_a) - a == memory.stack_top(of_b) - b;
}

symmetry::order symmetry::compare(const event& a, const event& b) const {
    if (a.kind != b.kind) return order::unlike;
    if (a.kind == event_kind::begin || a.kind == event_kind::fence) return order::same;
    if (!a.is_access() || a.arrival || b.arrival) return order::open;
    const bool shared = a.location == b.location;
    if (a.site != b.site || a.update != b.update ||
        (!shared &&
         !corresponding(graph_.loc(a.location).address, a.thread, graph_.loc(b.location).address, b.thread)))
        return order::unlike;
    if (a.update) return order::same;
    if (a.is_read()) return shared ? compare_reads(a, b) : compare_own_reads(a, b);
    return !shared                                                 ? order::same
           : graph_.co_place(id_of(a)) < graph_.co_place(id_of(b)) ? order::first
                                                                   : order::second;
}

symmetry::order symmetry::compare_reads(const event& a, const event& b) const {
    if (a.rf == b.rf) return a.spurious == b.spurious ? order::same : order::open;
    return before(a.rf, b.rf) ? order::first : before(b.rf, a.rf) ? order::second : order::concurrent;
}

/// What two threads read of their own is the same when they wrote it, or no one did.
symmetry::order symmetry::compare_own_reads(const event& a, const event& b) const {
    const event &from_a = graph_.at(a.rf), &from_b = graph_.at(b.rf);
    const bool own = from_a.thread == a.thread && from_b.thread == b.thread;
    return own || (from_a.kind == event_kind::init && from_b.kind == event_kind::init) ? order::same
                                                                                       : order::open;
}

void symmetry::follow(thread_state& t) const {
    if (!t.alike || is_open(t.what)) return;
    const event* e = counterpart(t);
    if (!e) return;
    t.clocks.porf().join(e->porf());
    // A read-modify-write is there as a whole, or not at all. Into its second part leads nothing but the first, so that
    // prefix has the same cycles.
    if (e->is_read() && e->rmw)
        t.clocks.porf().join(graph_.at(graph_.in_thread(t.elder, e->index + 1)).porf());
}

void symmetry::note_event(thread_state& t, const event& e) {
    if (t.joining != 0 && e.kind != event_kind::join)
        for (std::uint32_t left = t.joining; left != 0; left &= left - 1)
            facts_.are_unlike(static_cast<thread_id>(std::countr_zero(left)));
    if (!t.alike || e.blocked) return;
    const event* elders = counterpart(t);
    if (!elders) { // both come to something that is not compared
        t.alike = false;
        return;
    }
    const order o = compare(*elders, e);
    if (o == order::unlike) facts_.are_unlike(t.first_alike);
    t.alike = o == order::same;
    t.elder_at = elders->index + 1;
}

bool symmetry::is_held_back(const thread_state& t) const {
    if (!t.alike || counterpart(t)) return false;
    const thread_state& elder = program_.thread(t.elder);
    return !elder.pending || !is_open(elder.what);
}

bool symmetry::may_read(const thread_state& t, event_id w, bool fails) const {
    const event* e = counterpart(t);
    if (!e || !e->is_read() || e->arrival || e->location != graph_.at(w).location) return true;
    if (w == e->rf) return fails || !e->rmw || !exclusive(t.what, graph_.at(w).value);
    return !before(w, e->rf);
}

bool symmetry::may_place(const thread_state& t, location_id l, std::uint32_t place) const {
    const event* e = counterpart(t);
    return !e || !e->is_write() || e->update || e->location != l || place > graph_.co_place(id_of(*e));
}

} // namespace ringproof::verify
