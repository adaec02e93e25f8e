// SPDX-License-Identifier: Apache-2.0
// Performing what a thread has asked for: adding its next event.

#include "execution.hpp"

#include "../program/request_kinds.hpp"
#include "steps.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ringproof::verify {

execution::execution(const model& m, search_facts& f, program& p, graph& g, race_detector& d, recorder& w,
                     runtime& r)
    : model_(m), facts_(f), program_(p), graph_(g), races_(d), recorder_(w), runtime_(r),
      states_(p, g, d.shadow()), symmetry_(f, p, g) {
    d.shadow().on_meeting(f.watched, [this](std::uintptr_t address, const plain_access& earlier,
                                            thread_id by) { symmetry_.note_access(address, earlier, by); });
}

std::uint32_t execution::set_aside(std::uint32_t base) {
    writing_ = no_thread;
    const std::uint32_t frame = states_.set_aside(base);
    if (races_.mixed().any()) reopen();
    return frame;
}

void execution::begin() {
    clock_groups::reset();
    states_.fit_clocks();
}

void execution::begin_anew() {
    states_.forget();
    stamp_ = 0;
    writing_ = no_thread;
}

void execution::perform_at_once(thread_state& t) {
    settle(t);
    runtime_.accesses().forget_request(t);
    ++facts_.result.events;
    add_other(t.id, ++stamp_);
    runtime_.accesses().find_quiet(t);
}

/// Gives the plain writes of `t` to atomic locations the values that they have left there.
void execution::settle_plain_writes(thread_state& t) {
    for (unsigned i = t.unsettled_from; i < t.next_index; ++i) {
        event& e = graph_.at(graph_.in_thread(t.id, i));
        if (e.kind == event_kind::write && e.mo == order::plain)
            e.value = program_.read(graph_.loc(e.location).address, e.size);
    }
    t.unsettled_from = 0;
}

event& execution::make_event(thread_state& t, event_kind kind) {
    if (graph_.size() >= facts_.limits.execution_events) too_many_events(t);
    constexpr unsigned seen_as_twin = 16; // events after a loop within which its twin is looked for
    if (t.counting != 0 && (kind == event_kind::end || t.next_index > t.counted_at + seen_as_twin))
        left_counting(t);
    symmetry_.follow(t);
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
    e.counts = t.what.counts;
    e.noticed = std::exchange(t.noticed, 0) & 0xf;
    e.depth = static_cast<std::uint8_t>(t.contexts.depth);
    t.asked = false;
    t.mid = thread_state::midway::no;
    if (t.what.parts > 1) note_part(t, e);
    return e;
}

/// `e` is a piece of what `t` asks for.
void execution::note_part(thread_state& t, event& e) {
    e.part = t.what.part & 0xf;
    e.more = (t.what.parts - 1u - t.what.part) & 0xf;
    e.open = e.more == 0;
    const bool reads = e.kind == event_kind::read;
    if (e.more != 0 || (reads && t.what.of_rmw))
        t.mid = reads ? thread_state::midway::reading : thread_state::midway::writing;
}

bool execution::add_read(thread_id t, event_id w, bool maximal, std::uint32_t stamp, std::uint32_t node_index,
                         bool spurious, wait how) {
    thread_state& th = program_.thread(t);
    event& e = make_event(th, event_kind::read);
    e.location = graph_.at(w).location;
    e.rf = w;
    e.value = graph_.at(w).value;
    e.rmw = !how.fails && !spurious && exclusive(th.what, e.value);
    e.weak = th.what.weak;
    e.spurious = spurious;
    e.blocked = how.blocked;
    if (spurious) e.word = "spurious failure";
    if (how.fails || how.blocked) e.mo = order::relaxed;
    if (th.what.act == action::compare && !e.rmw) e.mo = th.what.mo_fail;
    e.lock = !graph_.loc(e.location).in_memory;
    e.locked = th.what.act != action::load || th.what.of_rmw;
    e.arrival = th.what.arrives_in != 0;
    e.stamp = stamp;
    e.node = node_index;
    e.maximal = maximal && !spurious;
    if (graph_.at(w).update)
        graph_.each_read(e, [&](event_id by) { th.clocks.porf().join(graph_.at(by).porf()); });
    model_.advance(graph_, th.clocks, e);
    const event_id id = graph_.link();
    symmetry_.note_event(th, e);
    if (const event& by = graph_.at(w); by.thread != t && by.thread != init_thread && !how.blocked &&
                                        !how.fails && !e.hb().includes(by.thread, by.index))
        facts_.result.unordered_reads = true;
    if (!graph_.co_last(w) && !model_.consistent(graph_, id)) return false;
    if (how.fails)
        th.status = thread_status::locking, th.waiting_from = e.index;
    else
        accept_read(th, e);
    // A torn read of older writes is never taken off for a revisit: nothing comes of it.
    if (th.what.parts != 0 && !close_read(th, id)) return maximal;
    return true;
}

void execution::accept_read(thread_state& t, const event& e) {
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

std::uint32_t execution::places(thread_id t, location_id l, std::vector<event_id>& found) const {
    const thread_state& th = program_.thread(t);
    const auto& co = graph_.loc(l).co;
    const std::size_t before = found.size();
    if (th.what.act == action::write_part) {
        const event& read =
            graph_.at(graph_.in_thread(t, th.next_index - std::max<unsigned>(th.what.parts, 1)));
        found.push_back(graph_.co_place(read.rf) + 1);
    } else if (th.what.act == action::unlock || th.what.act == action::update) {
        found.push_back(static_cast<std::uint32_t>(co.size()));
    } else {
        const std::uint32_t first = model::first_coherent<thread_clock>(graph_, l, th.clocks.hb());
        for (auto i = static_cast<std::uint32_t>(co.size()); i > first; --i)
            // Nothing comes between a read-modify-write and what it read.
            if (i == co.size() || !graph_.at(co[i]).rmw) found.push_back(i);
    }
    return static_cast<std::uint32_t>(found.size() - before);
}

/// Makes `e` an update: its value comes from the latest write in coherence order, of any thread.
void execution::become_update(thread_state& t, event& e) {
    const value_t before = graph_.at(graph_.loc(e.location).co.back()).value;
    if (t.what.rule)
        t.what.rule(before, t.what.operand, e.value);
    else
        e.value = apply(t.what.op, before, t.what.operand, e.size);
    e.update = e.locked = true;
    if (!e.word) e.word = name_of(t.what.op);
    t.result = before; // which nothing looks at
}

bool execution::add_write(thread_id t, std::uint32_t place, std::uint32_t stamp, bool again) {
    thread_state& th = program_.thread(t);
    const location_id l = graph_.find(th.what.address);
    // A revisit or a replay comes here without having asked.
    if (!may_succeed(th)) return false;
    if (th.what.act == action::write_part && th.what.parts > 1 && th.what.part == 0)
        graph_.at(graph_.in_thread(t, th.next_index - 1u)).weak =
            false; // it stayed unwritten in another branch
    event& e = make_event(th, event_kind::write);
    e.location = l;
    e.stamp = stamp;
    e.value = th.what.operand;
    e.rmw = e.locked = th.what.act == action::write_part;
    if (th.what.act == action::update) become_update(th, e);
    e.again = again;
    e.lock = !graph_.loc(l).in_memory;
    e.co_index = place;
    model_.advance(graph_, th.clocks, e);
    const event_id id = graph_.link();
    symmetry_.note_event(th, e);
    writing_ = no_thread;
    if (e.mo == order::plain && th.unsettled_from == 0) th.unsettled_from = e.index;
    th.pending = false;
    // A failed test-and-set in an iteration of a waiting loop: it wrote what it had read, which can be read there instead.
    const bool pure = again || (e.rmw && !e.is_part() && e.value == th.result);
    if (!pure) th.pure_since = th.next_index;
    if (!graph_.co_last(id) && !model_.consistent(graph_, id)) return false;
    if (e.is_part() && e.more == 0 && !(writes_as_one(id) && make_whole(id))) return false;
    if (!graph_.co_last(id)) return true;
    if (graph_.loc(l).in_memory && e.mo != order::plain) program_.write(th.what.address, e.size, e.value);
    return true;
}

void execution::add_other(thread_id t, std::uint32_t stamp, std::uint32_t chosen) {
    thread_state& th = program_.thread(t);
    const event_kind kind = kind_of(th.what.act).event;
    if (kind == event_kind::create && !clock_groups::cover(th.what.other)) {
        clock_groups::extend_to(th.what.other);
        states_.fit_clocks();
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
    if (kind == event_kind::join) e.peer = program_.thread(th.what.other).ended;
    if (kind != event_kind::fence) e.mo = order::relaxed;
    model_.advance(graph_, th.clocks, e);
    const event_id id = graph_.link();
    symmetry_.note_event(th, e);
    th.pending = false;
    const bool unseen = kind == event_kind::fence ? !is_release(e.mo) : e.weak;
    if (!unseen) th.pure_since = th.next_index;
    if (kind == event_kind::create) symmetry_.note_created(program_.create(th.what.other, th, id));
    if (kind == event_kind::join) {
        thread_state& other = program_.thread(th.what.other);
        other.joined_by = th.id;
        other.joined_at = graph_.at(id).index;
        other.dirty = true;
        symmetry_.note_join(th, other);
        th.alone = races_.is_alone(th);
    }
    if (kind == event_kind::end) {
        th.ended = id;
        th.status = thread_status::finished;
    }
}

void execution::add_skipped(thread_state& t, std::uint32_t stamp, std::uint32_t iterations) {
    const request head = t.what;
    const unsigned index = t.next_index;
    t.what.act = action::choose;
    t.what.word = "goes on waiting";
    add_other(t.id, stamp, iterations);
    event& skipped = graph_.at(graph_.in_thread(t.id, index));
    skipped.locked = skipped.maximal = true; // no choice of the program's
    t.what = head;
    t.pending = true;
    t.pure_since = index + 1; // what comes now is compared with nothing before
}

void execution::add_interrupt(thread_id t, std::uint32_t stamp, std::uint32_t chosen) {
    thread_state& th = program_.thread(t);
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
        if (facts_.tracing) // the note of the request is of the event after this one
            recorder_.move_behind(t, e.index);
    }
}

/// `t` has left its counting loop, and goes on unlike after one iteration less.
void execution::left_counting(thread_state& t) {
    facts_.result.counting[t.counting].left = true;
    t.counting = 0;
}

/// Where a revisit replays what it keeps: the state before the pending request of `t`, where it may be asked for.
std::uint32_t execution::keep_state(const thread_state& t) {
    const bool lock = (t.what.act == action::lock || t.what.act == action::try_lock) && is_acquire(t.what.mo);
    const bool early = facts_.waits_end_early && t.what.act == action::choose && t.what.weak;
    // A lock of the program's own is taken by one of these.
    const bool round = (t.places & place_bit(t.what.site)) != 0 &&
                       (t.what.act == action::modify || t.what.act == action::compare);
    // What younger threads keep of an elder may be the begin of an iteration, which it may try again.
    const bool elder = t.first_alike != 0 && t.what.frame != 0;
    if (!lock && !early && !round && !elder) return none;
    return states_.keep();
}

} // namespace ringproof::verify
