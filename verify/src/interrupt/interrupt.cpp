// SPDX-License-Identifier: Apache-2.0
// Interrupts: where handlers may come in, and what happens when one does. Whether one comes in before the
// pending request of its thread is a choice like any other: an event of its own in that thread, at first
// "none". A run of a handler is then nothing but more of the thread's events.
//
// Invariant: two executions differ in who came in where only if somebody could tell. Places that nobody could tell
// apart are one: before a plain access that no handler conflicts with, it is the place before (footprints.hpp learns
// which do, and a place passed over wrongly begins the search anew); at the beginning of a handler that has done
// nothing yet, the place it came in at; a handler that does nothing at all has not come in. With that the number of
// executions is that of the programs written out with the handler called at each such place, which the tests count
// by brute force (test/oracle/placements.cpp).

#include "../explore/explorer.hpp"
#include "../runtime/hook.hpp"
#include "../runtime/libraries.hpp"
#include "../scale/crew.hpp"

#include <ringproof/verify/interrupt.hpp>

#include <cerrno>
#include <stdexcept>

namespace ringproof::verify {
namespace {

/// The accesses that handlers may come in before. Begin and end of a thread have none attached; what a
/// read-modify-write writes belongs to what it reads.
bool is_place(action act) {
    switch (act) {
    case action::load:
    case action::store:
    case action::modify:
    case action::compare:
    case action::fence:
    case action::create:
    case action::join:
    case action::lock:
    case action::try_lock:
    case action::unlock:
    case action::wake:
    case action::point:
        return true;
    default:
        return false;
    }
}

bool may_come(const attached_handler& h, const context& into, unsigned masked) {
    if (h.left == 0 || h.active >= h.options.depth || h.options.level <= masked) return false;
    return h.options.level > into.level || (h.options.level == into.level && h.active > 0);
}

} // namespace

/// The `n`-th handler that may come in now, from 1, or null.
attached_handler* explorer::coming(const thread_state& t, unsigned n) {
    if (t.contexts.depth + 1u >= max_contexts) return nullptr;
    for (auto* h = static_cast<attached_handler*>(t.handlers); h; h = h->next)
        if (may_come(*h, t.contexts.now(), t.masked_level) && --n == 0) return h;
    return nullptr;
}

bool explorer::may_be_interrupted(const thread_state& t) {
    if (!t.handlers) return false;
    // Into a handler that has done nothing yet: the same as just before it.
    const context& now = t.contexts.now();
    const bool begins = t.contexts.depth > 0 && !now.touched && t.next_index == now.first;
    return !begins && coming(t, 1);
}

unsigned explorer::count_due(const thread_state& t) {
    if (t.asked || !is_place(t.what.act) || !may_be_interrupted(t)) return 0;
    unsigned n = 0;
    while (coming(t, n + 1)) ++n;
    return n;
}

/// Before the pending request of `t`: none of the `n` handlers, or one of them.
bool explorer::perform_interrupt(thread_id t, unsigned n) {
    const std::uint32_t added = push_node(node_kind::interrupt, t);
    for (std::uint32_t i = 0; i <= n; ++i) options_.push_back(i);
    nodes_[added].options_end = static_cast<std::uint32_t>(options_.size());
    ++nodes_[added].option;
    add_interrupt(t, ++stamp_, 0);
    return true;
}

void explorer::add_interrupt(thread_id t, std::uint32_t stamp, std::uint32_t chosen) {
    thread_state& th = threads_[t];
    th.dirty = true;
    const std::uint32_t ordinal =
        th.what.act == action::point ? static_cast<std::uint32_t>(th.what.operand) : 0;
    event& e = make_event(th, event_kind::interrupt);
    e.mo = order::relaxed;
    e.size = 0;
    e.value = chosen;
    e.co_index = interrupt_step | ordinal << 4 | chosen; // what a replay has to know
    e.maximal = chosen == 0;
    e.stamp = stamp;
    model_.advance(graph_, th.clocks, e);
    graph_.link();
    if (chosen != 0) {
        th.fire = static_cast<std::uint16_t>(chosen);
        th.pending = false;
        th.pure_since = th.next_index;
    } else if (th.what.act == action::point) {
        th.pending = false;
    } else {
        th.asked = true;
        if (tracing_) // the note of the request is of the event after this one
            for (auto n = notes_.rbegin(); n != notes_.rend(); ++n)
                if (n->thread == t && n->visible) {
                    if (n->index == e.index) ++n->index;
                    break;
                }
    }
}

/// On the stack of the thread, deep in what was going to be its next access.
void explorer::run_handler() {
    thread_state& t = self();
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
    program_runs_ = true;
    try {
        h.run(h.handler);
    } catch (...) {
        fail_here(failure_kind::unhandled_exception, "an exception leaves an interrupt's handler", 0, 0);
    }
    if (volatile_.size != 0) settle_volatile();
    program_runs_ = false;
    thread_state& now = self();
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
        visible(same);
    }
}

/// A plain access of the running thread, just before it. `own` memory is the thread's alone, but its handlers'.
void explorer::plain_place(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site) {
    thread_state& t = self();
    const unsigned depth = t.contexts.depth;
    context after;
    if (depth > 0) {
        // A handler's own frames come and go with it.
        if (memory_.stack(t.id).contains(address) && address < t.contexts.now().below) return;
        const auto in_closure = [&] {
            for (auto* h = static_cast<attached_handler*>(t.handlers); h; h = h->next)
                if (address - reinterpret_cast<std::uintptr_t>(h->handler) < h->size) return true;
            return false;
        };
        if (write || !in_closure()) after.touched = true;
        if (footprints_.touches(address, size, write, t.contexts.now())) restart_ = true;
    }
    if (t.handlers) {
        ++t.places_passed;
        if (tracing_ ? t.places_passed == expected_place_
                     : footprints_.conflicts(address, size, write, t.contexts.now())) {
            // Even as a handler's first: what comes in there may conflict with it.
            t.contexts.now().touched = true;
            place(t.places_passed, site);
            after.exposed = true;
        }
    }
    context& now = self().contexts.now();
    now.touched |= after.touched;
    now.exposed |= after.exposed;
}

/// A place where handlers may come in that is no event of its own.
void explorer::place(unsigned ordinal, std::uintptr_t site) {
    if (!may_be_interrupted(self())) return;
    request what;
    what.act = action::point;
    what.operand = ordinal;
    what.site = site;
    visible(what);
}

/// What the running thread has just done keeps plain accesses in place.
void explorer::settle_order(const request& done) {
    contexts& all = self().contexts;
    all.now().exposed = false;
    switch (done.act) {
    case action::load:
        return all.barrier(false, is_acquire(done.mo));
    case action::store:
        return all.barrier(is_release(done.mo), false);
    case action::modify:
    case action::compare:
    case action::fence:
        return all.barrier(is_release(done.mo), is_acquire(done.mo));
    case action::plain_write:
    case action::point:
    case action::choose:
        return;
    default: // calls into libraries
        return all.barrier(true, true);
    }
}

/// Plain accesses do not pass it, as far as this thread and its handlers can tell.
void explorer::compiler_barrier(order mo, std::uintptr_t site) {
    if (volatile_.size != 0) settle_volatile();
    thread_state& t = self();
    if (t.handlers) {
        ++t.places_passed;
        if (tracing_ ? t.places_passed == expected_place_ : t.contexts.now().exposed)
            place(t.places_passed, site);
    }
    constexpr std::uint16_t most = 0xffff; // that a context counts
    if (t.contexts.now().released == most)
        fail_here(failure_kind::limit, "a thread passes more than 65,535 compiler barriers", site, 0);
    self().contexts.now().exposed = false;
    if (t.has_contexts) self().contexts.barrier(is_release(mo), is_acquire(mo));
}

void explorer::attach(attached_handler& h) {
    thread_state& t = self();
    h.left = h.options.times;
    h.next = static_cast<attached_handler*>(t.handlers);
    t.handlers = &h;
    t.has_contexts = true;
    t.contexts.barrier(true, true);
    if (!interrupts_) {
        interrupts_ = true;
        quiet_ = {};
        shadow_.heed_handlers(graph_);
    }
}

void explorer::detach(attached_handler& h, std::uintptr_t site) {
    place(0, site);
    thread_state& t = self();
    if (h.active > 0)
        fail_here(failure_kind::lock_misuse, "an interrupt's scope ends while its handler runs", site, 0);
    auto** link = &t.handlers;
    while (*link && *link != &h)
        link = reinterpret_cast<void**>(&static_cast<attached_handler*>(*link)->next);
    if (!*link)
        fail_here(failure_kind::lock_misuse, "an interrupt's scope ends in a thread other than its own", site,
                  0);
    *link = h.next;
    t.contexts.barrier(true, true);
}

unsigned explorer::mask(unsigned level, bool more, std::uintptr_t site) {
    place(0, site); // who came just now is not kept out
    thread_state& t = self();
    const unsigned before = t.masked_level;
    t.masked_level = more && level < before ? before : level;
    if (t.has_contexts) t.contexts.barrier(true, true);
    return before;
}

/// The search, from the beginning, with what is known by now of the memory that handlers touch.
void explorer::begin_anew(saved_state& initial) {
    restart_ = false;
    crew_.reset(); // from here on alone
    earlier_.reset();
    unwind(0);
    graph_.pop_to(0);
    shadow_.undo(0);
    shadow_.shrink_pool(0);
    options_.clear();
    revisits_.clear();
    frames_.clear();
    kept_states_.clear();
    set_aside_.shrink(0);
    changes_aside_.clear();
    overwritten_.clear();
    volatile_.size = 0;
    stamp_ = 0;
    writing_ = none16;
    live_ = ~0u;
    at_once_ = false;
    const std::uint16_t count = images_.restore(initial, threads_);
    for (thread_id t = count; t < thread_count_; ++t) threads_[t] = thread_state{};
    thread_count_ = count;
    if (load_what_was_asked_for() && memory_.find_data()) {
        shadow_.cover_new_data();
        images_.drop(initial);
        for (thread_id t = 0; t < count; ++t) threads_[t].dirty = true;
        initial = images_.save(threads_, count);
    }
    result_ = exploration_result{};
}

void explorer::begin_anew_from_here() {
    restart_ = true;
    request what;
    what.act = action::block;
    visible(what);
    std::terminate(); // the search is another one now
}

void attached_handler::attach() {
    if (options.level == 0 || options.depth == 0 || options.depth > max_interrupt_depth)
        throw std::invalid_argument("an interrupt has a level of at least 1 and a depth of 1 to 4");
    if (!explorer::running()) return;
    const explorer::inside engine;
    explorer::active()->attach(*this);
}

void attached_handler::detach() {
    if (!explorer::running()) return;
    explorer::active()->detach(*this, RINGPROOF_SITE);
}

no_interrupts::no_interrupts(unsigned level) {
    if (explorer::running()) before_ = explorer::active()->mask(level, true, RINGPROOF_SITE);
}

no_interrupts::~no_interrupts() {
    if (explorer::running()) explorer::active()->mask(before_, false, RINGPROOF_SITE);
}

} // namespace ringproof::verify
