// SPDX-License-Identifier: Apache-2.0
// Interrupts: where handlers may come in, and what happens when one does. Whether one comes in before the
// pending request of its thread is a choice like any other: an event of its own in that thread, at first
// "none". A run of a handler is then nothing but more of the thread's events.
//
// Invariant: two executions differ in who came in where only if somebody could tell. Places that nobody could tell
// apart are one: before a plain access that no handler conflicts with, it is the place before (footprints.hpp learns
// which do, and a place passed over wrongly begins the search anew); at the beginning of a handler that has done
// nothing yet and attached none, the place it came in at; a handler that does nothing at all has not come in. With that the number of
// executions is that of the programs written out with the handler called at each such place, which the tests count
// by brute force (test/oracle/placements.cpp).

#include "interrupts.hpp"

#include "../program/request_kinds.hpp"
#include "runtime.hpp"

#include <ringproof/verify/interrupt.hpp>

namespace ringproof::verify {

/// On the stack of the thread, deep in what was going to be its next access.
void interrupts::run_handler() {
    thread_state& t = program_.self();
    attached_handler& h = *coming(t, t.fire);
    t.fire = 0;
    --h.left;
    ++h.active;
    contexts& all = t.contexts;
    context begun;
    begun.run = ++all.runs;
    begun.acquired = static_cast<std::uint16_t>(begun.run - 1u);
    begun.level = static_cast<std::uint16_t>(h.options.level);
    begun.open_to = static_cast<std::uint16_t>(h.options.level + (h.options.depth > 1 ? 0 : 1));
    begun.first = t.next_index;
    begun.below = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    all.at[++all.depth] = begun;
    const std::uint32_t yielded = t.yielded_at;
    const floating_point floats = t.floats;
    program::set_running(true);
    try {
        h.run(h.handler);
    } catch (...) {
        runtime_.fail_here(failure_kind::unhandled_exception, "an exception leaves an interrupt's handler", 0,
                           0);
    }
    runtime_.accesses().end_volatile();
    program::set_running(false);
    thread_state& now = program_.self();
    --h.active;
    const context ended = now.contexts.now();
    --now.contexts.depth;
    now.yielded_at = yielded;
    now.floats = floats; // as at the end of a signal's handler
    if (ended.touched) now.contexts.now().touched = true;
    if (now.next_index == ended.first && !ended.touched) {
        // It did nothing that anybody could tell: the execution in which it does not come in is this one.
        request same;
        same.act = action::block;
        same.other = 1;
        runtime_.visible(same);
    }
}

/// A plain access of the running thread, just before it. `own` memory is the thread's alone, but its handlers'.
void interrupts::plain_place(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site) {
    thread_state& t = program_.self();
    const unsigned depth = t.contexts.depth;
    context after;
    if (depth > 0) {
        // A handler's own frames come and go with it.
        if (program_.memory().stack(t.id).contains(address) && address < t.contexts.now().below) return;
        const auto in_closure = [&] {
            for (auto* h = static_cast<attached_handler*>(t.handlers); h; h = h->next)
                if (address - reinterpret_cast<std::uintptr_t>(h->handler) < h->size) return true;
            return false;
        };
        if (write || !in_closure()) after.touched = true;
        if (footprints_.touches(address, size, write, t.contexts.now())) facts_.restart = true;
    }
    if (t.handlers) {
        ++t.places_passed;
        if (facts_.tracing ? t.places_passed == facts_.expected_place
                           : footprints_.conflicts(address, size, write, t.contexts.now())) {
            // Even as a handler's first: what comes in there may conflict with it.
            t.contexts.now().touched = true;
            place(t.places_passed, site);
            after.exposed = true;
        }
    }
    context& now = program_.self().contexts.now();
    now.touched |= after.touched;
    now.exposed |= after.exposed;
}

/// A place where handlers may come in that is no event of its own.
void interrupts::place(unsigned ordinal, std::uintptr_t site) {
    if (!may_be_interrupted(program_.self())) return;
    request what;
    what.act = action::point;
    what.operand = ordinal;
    what.site = site;
    runtime_.visible(what);
}

/// What the running thread has just done keeps plain accesses in place.
void interrupts::settle_order(const request& done) {
    contexts& all = program_.self().contexts;
    all.now().exposed = false;
    switch (kind_of(done.act).orders) {
    case ordering::free:
        return;
    case ordering::of_read:
        return all.barrier(false, is_acquire(done.mo));
    case ordering::of_write:
        return all.barrier(is_release(done.mo), false);
    case ordering::of_both:
        return all.barrier(is_release(done.mo), is_acquire(done.mo));
    case ordering::all:
        return all.barrier(true, true);
    }
}

/// Plain accesses do not pass it, as far as this thread and its handlers can tell.
void interrupts::compiler_barrier(order mo, std::uintptr_t site) {
    runtime_.accesses().end_volatile();
    thread_state& t = program_.self();
    if (t.handlers) {
        ++t.places_passed;
        if (facts_.tracing ? t.places_passed == facts_.expected_place : t.contexts.now().exposed)
            place(t.places_passed, site);
    }
    constexpr std::uint16_t most = 0xffff; // that a context counts
    if (t.contexts.now().released == most)
        runtime_.fail_here(failure_kind::limit, "a thread passes more than 65,535 compiler barriers", site,
                           0);
    program_.self().contexts.now().exposed = false;
    if (t.has_contexts) program_.self().contexts.barrier(is_release(mo), is_acquire(mo));
}

void interrupts::attach(attached_handler& h) {
    thread_state& t = program_.self();
    h.left = h.options.times;
    h.next = static_cast<attached_handler*>(t.handlers);
    t.handlers = &h;
    t.has_contexts = true;
    t.contexts.now().attached = true;
    t.contexts.barrier(true, true);
    if (!facts_.interrupts) {
        facts_.interrupts = true;
        runtime_.accesses().no_longer_quiet();
        races_.heed_handlers();
    }
}

void interrupts::detach(attached_handler& h, std::uintptr_t site) {
    place(0, site);
    thread_state& t = program_.self();
    if (h.active > 0)
        runtime_.fail_here(failure_kind::lock_misuse, "an interrupt's scope ends while its handler runs",
                           site, 0);
    auto** link = &t.handlers;
    while (*link && *link != &h)
        link = reinterpret_cast<void**>(&static_cast<attached_handler*>(*link)->next);
    if (!*link)
        runtime_.fail_here(failure_kind::lock_misuse,
                           "an interrupt's scope ends in a thread other than its own", site, 0);
    *link = h.next;
    t.contexts.barrier(true, true);
}

unsigned interrupts::mask(unsigned level, bool more, std::uintptr_t site) {
    place(0, site); // who came just now is not kept out
    thread_state& t = program_.self();
    const unsigned before = t.masked_level;
    t.masked_level = more && level < before ? before : level;
    if (t.has_contexts) t.contexts.barrier(true, true);
    return before;
}

} // namespace ringproof::verify
