// SPDX-License-Identifier: Apache-2.0
// One execution, written down as its steps, and run again from them.

#include "explorer.hpp"

namespace ringproof::verify {

/// What the co_index of a choice's step begins at.
std::uint32_t explorer::step_of(bool weak, const char* word) {
    if (weak) return wake_step;
    if (word == allocator_choice) return allocator_step;
    return word ? reuse_step : 0;
}

explorer::own_choice explorer::choice_of(std::uint32_t step) {
    if (step >= wake_step) return own_choice::wake;
    if (step >= reuse_step) return own_choice::reuse;
    if (step >= skip_step || step < allocator_step) return own_choice::not_one;
    return own_choice::allocator;
}

std::vector<step> explorer::steps() const {
    std::vector<step> all;
    // A replay numbers threads as it meets them, which the search may have done in another order.
    thread_id number[max_threads] = {}, met = 0;
    std::uint16_t children[max_threads] = {};
    for (event_id id = 0; id < graph_.size(); ++id) {
        const event& e = graph_.at(id);
        if (e.kind == event_kind::init) continue;
        // A failed attempt that would have been taken back: a replay does not know it for one.
        if (program_.thread(e.thread).status == thread_status::locking &&
            program_.thread(e.thread).what.act == action::modify &&
            e.index + 1u == program_.thread(e.thread).next_index)
            continue;
        step s;
        s.thread = number[e.thread];
        if (e.kind == event_kind::create) {
            const thread_name child{e.thread, children[e.thread]++};
            for (std::size_t t = 1; t < names_.size(); ++t)
                if (names_[t].parent == child.parent && names_[t].nth == child.nth) number[t] = ++met;
        }
        if (e.is_read()) {
            const thread_id from = graph_.at(e.rf).thread;
            s.rf_thread = from == init_thread ? from : number[from];
            s.rf_index = graph_.at(e.rf).index;
        }
        s.spurious = e.spurious;
        if (e.kind == event_kind::write) s.co_index = e.co_index;
        if (e.kind == event_kind::choice)
            s.co_index =
                static_cast<std::uint32_t>(e.value) + (e.locked ? skip_step : step_of(e.weak, e.word));
        if (e.kind == event_kind::interrupt) s.co_index = e.co_index;
        all.push_back(s);
    }
    return all;
}

exploration_result explorer::replay(const std::function<void()>& body, const std::vector<step>& fixed) {
    start(body);
    facts_.tracing = true;
    saved_state initial = program_.save();
    for (bool again = true; again;) {
        again = false;
        try {
            run_fixed(fixed);
        } catch (const refuted& by) {
            ends_search(by);
        } catch (const anew&) {
            begin_anew(initial);
            recorder_.forget();
            again = true;
        }
    }
    program_.restore(initial);
    return facts_.result;
}

/// Runs the given events in the given order; after them, every thread up to its next request, so
/// that what the last one runs into is seen.
void explorer::run_fixed(const std::vector<step>& fixed) {
    for (const step& s : fixed) {
        if (s.thread >= program_.thread_count() || program_.thread(s.thread).status != thread_status::ready)
            refute({.kind = failure_kind::nondeterminism,
                    .message = "the token does not fit this program: thread " + std::to_string(s.thread) +
                               " cannot go on",
                    .thread = s.thread});
        thread_state& t = program_.thread(s.thread);
        const bool decides = s.co_index != none && (s.co_index & interrupt_step) != 0;
        expected_place_ = decides ? (s.co_index & ~interrupt_step) >> 4 : 0;
        if (s.co_index != none && !decides) expected_choice_ = choice_of(s.co_index);
        until_pending(s.thread);
        expected_choice_ = own_choice::not_one;
        const action act = t.what.act;
        bool alive = true;
        if (const unsigned due = handlers_due(t); due > 0) {
            const std::uint32_t chosen = s.co_index & 0xf;
            alive = decides && chosen <= due;
            if (alive) add_interrupt(s.thread, ++stamp_, chosen);
        } else if (s.co_index >= skip_step && s.co_index < reuse_step &&
                   (act == action::load || act == action::modify || act == action::compare)) {
            skip_iterations(s.thread, ++stamp_, s.co_index - skip_step);
        } else if (act == action::load || act == action::modify || act == action::compare ||
                   act == action::lock || act == action::try_lock) {
            const location_id l = location_of(t, t.what);
            const bool from_init = s.rf_thread == init_thread;
            if (!from_init && (s.rf_thread >= program_.thread_count() || s.rf_index == 0 ||
                               s.rf_index > graph_.thread_size(s.rf_thread)))
                refute({.kind = failure_kind::nondeterminism,
                        .message =
                            "the token does not fit this program: a read from an event that is not there"});
            const event_id w = from_init ? graph_.loc(l).init : graph_.in_thread(s.rf_thread, s.rf_index);
            check_races(s.thread, false);
            alive = graph_.at(w).location == l && graph_.at(w).is_write() &&
                    // What a loop does is told from the states before its reads.
                    add_read(s.thread, w, true, ++stamp_, push_node(node_kind::read, s.thread), s.spurious);
        } else if (act == action::store || act == action::write_part || act == action::unlock) {
            check_races(s.thread, true);
            const location_id l = location_of(t, t.what);
            alive = s.co_index != none && s.co_index >= 1 && s.co_index <= graph_.loc(l).co.size() &&
                    add_write(s.thread, s.co_index, ++stamp_);
        } else if (act == action::choose) {
            const std::uint32_t chosen = s.co_index - step_of(t.what.weak, t.what.word);
            alive = t.what.object || chosen < t.what.operand;
            if (alive) add_other(s.thread, ++stamp_, chosen);
        } else {
            alive = perform(s.thread);
        }
        if (!alive)
            refute({.kind = failure_kind::nondeterminism,
                    .message = "the token does not fit this program under this model",
                    .thread = s.thread});
    }
    expected_place_ = 0;
    for (thread_id t = 0; t < program_.thread_count(); ++t)
        if (program_.thread(t).status == thread_status::ready && !program_.thread(t).pending) resume(t);
    for (thread_id t = 0; t < program_.thread_count(); ++t) {
        thread_state& th = program_.thread(t);
        if (th.status != thread_status::ready || !th.pending) continue;
        // An access that races, or a loop that repeats, shows before it becomes an event.
        if (th.what.act == action::load || th.what.act == action::modify || th.what.act == action::compare) {
            location_of(th, th.what);
            check_races(t, th.what.act != action::load);
            th.status = await(th);
            if (th.status == thread_status::ready && (would_come_back(th) || would_take_back(th))) {
                th.status = thread_status::awaiting;
                th.offered_places =
                    static_cast<std::uint32_t>(graph_.loc(graph_.find(th.what.address)).co.size());
            }
        } else if (th.what.act == action::store) {
            location_of(th, th.what);
            check_races(t, true);
        }
        if (th.what.act == action::fail || th.what.act == action::plain_write || th.what.act == action::sleep)
            perform(t);
    }
    if (next_thread() == none16) finish_execution();
}

} // namespace ringproof::verify
