// SPDX-License-Identifier: Apache-2.0
// Performing what a thread has asked for: adding its next event in each way the model allows.

#include "explorer.hpp"
#include "requests.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

value_t truncated(value_t v, std::size_t size) {
    return size >= sizeof(value_t) ? v : v & ((value_t{1} << (8 * size)) - 1);
}

value_t apply(rmw_op op, value_t old, value_t operand, std::size_t size) {
    switch (op) {
    case rmw_op::exchange:
        return operand;
    case rmw_op::add:
        return truncated(old + operand, size);
    case rmw_op::sub:
        return truncated(old - operand, size);
    case rmw_op::bit_and:
        return old & operand;
    case rmw_op::bit_or:
        return old | operand;
    case rmw_op::bit_xor:
        return old ^ operand;
    case rmw_op::bit_nand:
        return truncated(~(old & operand), size);
    }
    return operand;
}

bool exclusive(const request& what, value_t seen) {
    switch (what.act) {
    case action::modify:
        return true;
    case action::compare:
        return seen == what.expected;
    case action::lock:
    case action::try_lock: {
        value_t next = seen;
        return what.rule ? what.rule(seen, what.operand, next) == going::change : seen == 0;
    }
    default:
        return false;
    }
}

bool must_wait(const request& what, value_t seen) {
    value_t next = seen;
    return what.act == action::lock &&
           (what.rule ? what.rule(seen, what.operand, next) == going::wait : seen != 0);
}

bool explorer::perform(thread_id t) {
    thread_state& th = threads_[t];
    th.dirty = true;
    if (limits_.rounds != 0 && too_many_rounds(th)) {
        // The others go on: what they write may let an earlier round end the loop.
        th.status = thread_status::assumed;
        return true;
    }
    if (th.early_wake != 0 && woke_in_vain(th)) return stop_in_round(th, thread_status::retrying);
    const unsigned due = handlers_due(th);
    switch (th.what.act) {
    case action::load:
    case action::modify:
    case action::compare:
    case action::lock:
    case action::try_lock:
        return perform_read(t, due);
    default:
        break;
    }
    if (due > 0) return perform_interrupt(t, due);
    if ((th.what.act == action::store || th.what.act == action::unlock || th.what.act == action::end) &&
        !tracing_)
        if (const thread_status waits = wasted(th); waits != thread_status::ready)
            return stop_in_round(th, waits);
    switch (th.what.act) {
    case action::store:
    case action::write_part:
    case action::unlock:
        return perform_write(t);
    case action::plain_write: {
        const location_id l = location_of(th, th.what);
        return add_write(t, static_cast<std::uint32_t>(graph_.loc(l).co.size()), ++stamp_);
    }
    case action::choose:
        return perform_choice(t);
    case action::sleep:
        return perform_sleep(t);
    case action::block:
        if (th.what.other != 0) { // another execution is this one
            ++result_.pruned;
            return false;
        }
        th.status = thread_status::assumed;
        return true;
    case action::fail:
        refute(std::move(pending_failure_));
    case action::point: // none is left that could come in
        th.pending = false;
        return true;
    default:
        add_other(t, ++stamp_);
        return true;
    }
}

/// Stops `t` after a round without effect. @return whether the branch may lead somewhere
bool explorer::stop_in_round(thread_state& t, thread_status as) {
    // The thread can go on only when something it read changes: a write added later revisits
    // that read. Whichever read of the round that is, the last one is deleted with it or is it,
    // which takes that it saw the latest write when it was added; if it did not, no continuation
    // of this graph is complete.
    t.status = as;
    unsigned last = t.next_index - 1u;
    while (!graph_.at(graph_.in_thread(t.id, last)).is_read()) --last;
    const event& read = graph_.at(graph_.in_thread(t.id, last));
    if (read.maximal || (read.spurious && !says_nothing_new(t, read))) return true;
    ++result_.pruned;
    return false;
}

bool explorer::perform_read(thread_id t, unsigned handlers) {
    thread_state& th = threads_[t];
    const bool is_lock = th.what.act == action::lock || th.what.act == action::try_lock;
    const location_id l = location_of(th, th.what);
    check_races(t, th.what.act == action::modify);
    if (th.what.act == action::modify) learn_attempt(th);
    const bool again = th.status == thread_status::awaiting;
    th.status = thread_status::ready;
    if (const thread_status waits = again || th.asked ? thread_status::ready
                                    : is_lock         ? wasted(th)
                                                      : await(th);
        waits != thread_status::ready) {
        return stop_in_round(th, waits);
    }
    if (th.gives_up != 0) {
        skip_iterations(t, ++stamp_, th.gives_up);
        return true;
    }
    if (handlers > 0) return perform_interrupt(t, handlers);
    const std::uint32_t n = push_node(node_kind::read, t);
    const auto& co = graph_.loc(l).co;
    const std::uint32_t first = model::first_coherent<thread_clock>(graph_, l, th.clocks.hb());
    const bool attempt = is_attempt(th.what);
    for (auto i = static_cast<std::uint32_t>(co.size()); i-- > first;) {
        // A lock that sees an old "taken" can neither be had nor be revisited.
        if (i + 1 < co.size() && must_wait(th.what, graph_.at(co[i]).value)) continue;
        if (i + 1 < co.size() && attempt && attempt_fails(th, graph_.at(co[i]).value)) continue;
        if (i + 1 < co.size() && spins(th, graph_.at(co[i]).value)) continue;
        // What a thread could read when it stepped aside is explored from there.
        if (i + 1 < co.size() && again && co[i] < th.offered) continue;
        options_.push_back(co[i]);
        if (may_fail(th, graph_.at(co[i]).value)) options_.push_back(co[i] | fails_spuriously);
    }
    nodes_[n].options_end = static_cast<std::uint32_t>(options_.size());
    ++nodes_[n].option;
    if (again && co.back() < th.offered) return step_aside(n);
    const request asked = th.what;
    if (!add_read(t, co.back(), true, ++stamp_, n)) return false;
    if (is_lock || asked.frame == 0 || th.pending) return true;
    // The thread is the first that can go on, and stays it: it goes on at once.
    resume(t);
    return came_back(th, asked) ? step_aside(n) : true;
}

event& explorer::make_event(thread_state& t, event_kind kind) {
    if (graph_.size() >= limits_.execution_events) too_many_events(t);
    constexpr unsigned seen_as_twin = 16; // events after a loop within which its twin is looked for
    if (t.counting != 0 && (kind == event_kind::end || t.next_index > t.counted_at + seen_as_twin))
        left_counting(t);
    event& e = graph_.make();
    e.kind = kind;
    e.mo = t.what.mo;
    e.thread = t.id;
    e.index = t.next_index++;
    e.size = t.what.size;
    e.site = t.what.site;
    t.goes_round |= (t.places & place_bit(e.site)) != 0;
    t.places |= place_bit(e.site);
    e.frame = t.what.frame;
    e.word = t.what.word;
    e.stamp = stamp_;
    e.waits = t.waits;
    e.depth = static_cast<std::uint8_t>(t.contexts.depth);
    t.asked = false;
    return e;
}

bool explorer::add_read(thread_id t, event_id w, bool maximal, std::uint32_t stamp, std::uint32_t node_index,
                        bool spurious) {
    thread_state& th = threads_[t];
    if (spurious && (!th.what.weak || graph_.at(w).value != th.what.expected)) return false;
    th.dirty = true;
    th.status = thread_status::ready;
    const bool undone = attempts(th.what.address) && amid_attempts(th, graph_.at(w).value);
    const bool fails = undone || spins(th, graph_.at(w).value);
    if (fails)
        take_for_granted(undone ? assumption::undone_attempt : assumption::idle_iteration, th.what.site);
    event& e = make_event(th, event_kind::read);
    e.location = graph_.at(w).location;
    e.rf = w;
    e.value = graph_.at(w).value;
    e.rmw = !fails && !spurious && exclusive(th.what, e.value);
    e.weak = th.what.weak;
    e.spurious = spurious;
    if (spurious) e.word = "spurious failure";
    if (fails) e.mo = order::relaxed;
    if (th.what.act == action::compare && !e.rmw) e.mo = th.what.mo_fail;
    e.lock = !graph_.loc(e.location).in_memory;
    e.locked = th.what.act != action::load;
    e.stamp = stamp;
    e.node = node_index;
    e.maximal = maximal && !spurious;
    model_.advance(graph_, th.clocks, e);
    const event_id id = graph_.link();
    if (!graph_.co_last(w) && !model_.consistent(graph_, id)) return false;
    if (fails)
        th.status = thread_status::locking;
    else
        accept_read(th, e);
    return true;
}

void explorer::accept_read(thread_state& t, const event& e) {
    t.result = e.value;
    t.failed_spuriously = e.spurious;
    if (e.rmw) {
        if (t.what.rule) {
            value_t next = e.value;
            t.what.rule(e.value, t.what.operand, next);
            t.what.operand = next;
        } else if (t.what.act == action::modify) {
            t.what.operand = apply(t.what.op, e.value, t.what.operand, e.size);
        } else if (t.what.act != action::compare) {
            t.what.operand = t.id + 1u; // a mutex's holder
        }
        t.what.act = action::write_part;
        writing_ = t.id;
    } else if (must_wait(t.what, e.value)) {
        t.status = thread_status::locking;
    } else {
        t.pending = false;
    }
}

/// Collects the coherent places for the pending write of `t`. @return how many
std::uint32_t explorer::places(thread_id t, location_id l) {
    const thread_state& th = threads_[t];
    const auto& co = graph_.loc(l).co;
    const std::size_t before = options_.size();
    if (th.what.act == action::write_part) {
        const event& read = graph_.at(graph_.in_thread(t, th.next_index - 1u));
        options_.push_back(graph_.co_place(read.rf) + 1);
    } else if (th.what.act == action::unlock) {
        options_.push_back(static_cast<std::uint32_t>(co.size()));
    } else {
        const std::uint32_t first = model::first_coherent<thread_clock>(graph_, l, th.clocks.hb());
        for (auto i = static_cast<std::uint32_t>(co.size()); i > first; --i)
            // Nothing comes between a read-modify-write and what it read.
            if (i == co.size() || !graph_.at(co[i]).rmw) options_.push_back(i);
    }
    return static_cast<std::uint32_t>(options_.size() - before);
}

bool explorer::perform_write(thread_id t) {
    thread_state& th = threads_[t];
    const location_id l = location_of(th, th.what);
    check_races(t, true);
    // Another read-modify-write may have read the same write already. Then this one cannot be added;
    // but that other one may read from it instead, which is a revisit.
    event_id rival = none;
    if (th.what.act == action::write_part) {
        const event_id self = graph_.in_thread(t, th.next_index - 1u);
        for (event_id r = graph_.at(graph_.at(self).rf).first_reader; r != none; r = graph_.at(r).next_reader)
            if (r != self && graph_.at(r).rmw) rival = r;
    }
    const std::size_t options_before = options_.size(), revisits_before = revisits_.size();
    if (rival == none) places(t, l);
    collect_revisits(l, t, rival);
    const std::size_t option_count = options_.size() - options_before;
    const std::size_t revisit_count = revisits_.size() - revisits_before;
    if (option_count == 1 && revisit_count == 0) {
        const std::uint32_t place = options_.back();
        options_.pop_back();
        return add_write(t, place, ++stamp_);
    }
    if (option_count + revisit_count == 0) return false;
    const std::uint32_t n = push_node(node_kind::write, t);
    search_node& added = nodes_[n];
    added.options_begin = added.option = static_cast<std::uint32_t>(options_before);
    added.revisits_begin = added.revisit = static_cast<std::uint32_t>(revisits_before);
    if (option_count == 0) return false; // the search comes back here for the revisits
    ++added.option;
    return add_write(t, options_[options_before], ++stamp_);
}

bool explorer::add_write(thread_id t, std::uint32_t place, std::uint32_t stamp) {
    thread_state& th = threads_[t];
    th.dirty = true;
    const location_id l = graph_.find(th.what.address);
    if (attempts(th.what.address)) write_amid_attempts(th, th.what.operand);
    event& e = make_event(th, event_kind::write);
    e.location = l;
    e.stamp = stamp;
    e.value = th.what.operand;
    e.rmw = e.locked = th.what.act == action::write_part;
    e.lock = !graph_.loc(l).in_memory;
    e.co_index = place;
    model_.advance(graph_, th.clocks, e);
    const event_id id = graph_.link();
    writing_ = none16;
    if (e.mo == order::plain && th.unsettled_from == 0) th.unsettled_from = e.index;
    th.pending = false;
    // A failed test-and-set in a round of a waiting loop: it wrote what it had read, which can be read there instead.
    const bool pure = e.rmw && e.value == th.result;
    if (!pure) th.pure_since = th.next_index;
    if (!graph_.co_last(id)) return model_.consistent(graph_, id);
    if (graph_.loc(l).in_memory && e.mo != order::plain) write_memory(th.what.address, e.size, e.value);
    return true;
}

void explorer::add_other(thread_id t, std::uint32_t stamp, std::uint32_t chosen) {
    thread_state& th = threads_[t];
    event_kind kind = event_kind::fence;
    switch (th.what.act) {
    case action::create:
        kind = event_kind::create;
        break;
    case action::begin:
        kind = event_kind::begin;
        break;
    case action::join:
        kind = event_kind::join;
        break;
    case action::end:
        kind = event_kind::end;
        break;
    case action::choose:
        kind = event_kind::choice;
        break;
    case action::wake:
        kind = event_kind::wake;
        break;
    default:
        break;
    }
    if (kind == event_kind::create && !clock_groups::cover(th.what.other)) {
        clock_groups::extend_to(th.what.other);
        graph_.fit_clocks();
        set_aside_.fit();
    }
    event& e = make_event(th, kind);
    if (kind == event_kind::choice) {
        e.value = th.result = chosen;
        e.maximal = chosen == 0;
        e.weak = th.what.weak;
        e.spurious = e.weak && chosen != 0;
        if (e.weak) e.frame = th.hook_frame;
        if (e.weak) th.early_wake = e.spurious ? e.index : 0;
    }
    if (kind == event_kind::wake) e.value = th.what.operand;
    e.stamp = stamp;
    if (kind == event_kind::begin) e.peer = th.created;
    if (kind == event_kind::join) e.peer = threads_[th.what.other].ended;
    if (kind != event_kind::fence) e.mo = order::relaxed;
    model_.advance(graph_, th.clocks, e);
    const event_id id = graph_.link();
    th.pending = false;
    const bool unseen = kind == event_kind::fence ? !is_release(e.mo) : e.weak;
    if (!unseen) th.pure_since = th.next_index;
    if (kind == event_kind::create) create_thread(th, id);
    if (kind == event_kind::join) {
        thread_state& other = threads_[th.what.other];
        other.joined_by = th.id;
        other.joined_at = graph_.at(id).index;
        other.dirty = true;
        th.alone = is_alone(th);
    }
    if (kind == event_kind::end) {
        th.ended = id;
        th.status = thread_status::finished;
    }
}

/// Whether all that other threads ever did is ordered before what `t` does next, and none of them is left to do
/// more: then `t` races with nobody until it creates a thread, before which all of this is ordered as well.
bool explorer::is_alone(const thread_state& t) const {
    for (thread_id u = thread_count_; u-- > 0;)
        if (u != t.id && threads_[u].status != thread_status::unborn &&
            (threads_[u].status != thread_status::finished ||
             t.clocks.hb()[u] < static_cast<int>(graph_.thread_size(u))))
            return false;
    return true;
}

value_t explorer::read_memory(std::uintptr_t address, std::size_t size) const {
    if (memory_.in_mapped(address) && !mapped::touched(address)) return 0;
    value_t v = 0;
    std::memcpy(&v, reinterpret_cast<const void*>(address), std::min(size, sizeof v));
    return v;
}

void explorer::write_memory(std::uintptr_t address, std::size_t size, value_t value) {
    note_stack_write(address);
    std::memcpy(reinterpret_cast<void*>(address), &value, std::min(size, sizeof value));
}

} // namespace ringproof::verify
