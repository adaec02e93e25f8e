// SPDX-License-Identifier: Apache-2.0
// The search itself: which thread goes on, the nodes, going back, and what an end of execution means.

#include "explorer.hpp"

#include "../graph/digest.hpp"
#include "../runtime/exit.hpp"
#include "../scale/crew.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace ringproof::verify {

std::atomic<bool> explorer::interrupted{false};

constexpr std::uint64_t share_each = 32; // steps

explorer::explorer(const model& m, exploration_limits limits) : model_(m), shadow_(program_.memory()) {
    facts_.limits = limits;
}

void explorer::use_jobs(unsigned jobs, double share_after) {
    if (jobs > 1) crew_ = std::make_unique<crew>(jobs, share_after);
}

exploration_result explorer::explore(const std::function<void()>& body) {
    start(body);
    saved_state initial = program_.save();
    for (bool again = true; again;) {
        again = !search_parts();
        if (crew_) {
            if (again) crew_->stop(crew::reason::anew);
            gather();
            again = crew_->stopped() == crew::reason::anew;
        }
        if (again) begin_anew(initial);
    }
    const auto& open = facts_.result.positions;
    if (std::any_of(open.begin(), open.end(), [](const search_position& p) { return p.ways.empty(); }))
        facts_.result.positions.clear(); // all of it
    program_.restore(initial);           // the next program to explore starts from the same memory
    facts_.result.seconds = (earlier_ ? earlier_->seconds : 0) + elapsed();
    return facts_.result;
}

/// @return false when something was learnt that makes the search begin anew
bool explorer::search_parts() {
    push_node(node_kind::place, 0); // the root, to come back to; it has no ways of its own
    std::vector<search_position> parts{{}};
    if (earlier_ && !earlier_->positions.empty()) parts = earlier_->positions;
    const auto is_worker = [this] { return crew_ && crew_->is_worker(); };
    try {
        do {
            const search_position part = std::move(parts.back());
            parts.pop_back();
            if (part.ways.empty() || go_to(part)) {
                search();
                if (facts_.result.stopped) facts_.result.positions.push_back(position());
            } else {
                facts_.result.positions.push_back(part); // stopped on the way there
            }
            unwind(1);
            restore(nodes_[0]);
        } while (!parts.empty() && !facts_.result.stopped && !is_worker());
        if (facts_.result.stopped && !is_worker())
            facts_.result.positions.insert(facts_.result.positions.end(), parts.begin(), parts.end());
        // What begins the search anew is learnt on the way, so it would not be known there again.
        if ((facts_.interrupts || reuses_ || allocators_ || !attempts_.empty()) && facts_.result.stopped)
            facts_.result.positions.assign(1, {});
    } catch (const refuted& by) {
        ends_search(by);
        if (crew_) crew_->stop(crew::reason::error);
    } catch (const search_over&) {
        if (crew_) crew_->stop(crew::reason::error);
    } catch (const anew&) {
        return false;
    }
    return true;
}

double explorer::elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

void explorer::search() {
    for (;;) {
        if (out_of_budget()) return;
        // What one process learns of the memory that handlers touch, the others would have to know.
        if (crew_ && !facts_.interrupts && facts_.result.events % share_each == 0 && crew_->has_room() &&
            share() && !backtrack())
            return;
        bool alive = false;
        try {
            alive = go_on();
        } catch (const refuted& by) {
            if (ends_search(by)) throw search_over{};
            alive = leave_behind(by.why.thread);
        }
        for (bool back = alive; !back;) {
            try {
                if (!backtrack()) return;
                back = true;
            } catch (const refuted& by) {
                if (ends_search(by)) throw search_over{};
            }
        }
    }
}

/// What failed stops; the others go on, for what they write may be read instead of what led to the failure.
/// @return whether the execution goes on
bool explorer::leave_behind(thread_id t) {
    if (writing_ != none16 || program_.thread(t).status != thread_status::ready || next_thread() == none16)
        return false;
    program_.thread(t).status = thread_status::assumed;
    program_.thread(t).dirty = true;
    return true;
}

/// One step. @return whether the execution goes on
bool explorer::go_on() {
    const thread_id t = next_thread();
    if (t == none16) {
        finish_execution();
        return false;
    }
    if (program_.thread(t).pending) return perform(t);
    at_once_ = !facts_.tracing;
    resume(t);
    at_once_ = false;
    return true;
}

bool explorer::stop_now(const char* why) {
    facts_.result.stopped = true;
    facts_.result.stopped_by = why;
    note_busiest_loop();
    return true;
}

bool explorer::out_of_budget() {
    const std::uint64_t before = earlier_ ? earlier_->executions : 0;
    if (facts_.limits.executions != 0 && !crew_ &&
        facts_.result.executions - before >= facts_.limits.executions)
        return stop_now("--max-executions");
    if (facts_.result.failing > 0 && facts_.limits.shorter_steps > 0 &&
        facts_.result.events - first_failed_at_ > facts_.limits.shorter_steps)
        return stop_now("the bound of the search for a shorter execution");
    // In a large graph a step takes long.
    const std::uint64_t seldom = graph_.size() < 500 ? 0xfff : 0x1f;
    if ((++facts_.result.events & seldom) != 0) return false;
    if (crew_) return others_stopped();
    if (interrupted.load(std::memory_order_relaxed)) return stop_now("an interrupt");
    const double now = elapsed();
    facts_.result.seconds = (earlier_ ? earlier_->seconds : 0) + now;
    if (facts_.limits.seconds > 0 && now > facts_.limits.seconds) return stop_now("--time");
    if (progress_ && progress_is_due()) {
        facts_.result.fraction = fraction();
        progress_(facts_.result);
    }
    return false;
}

bool explorer::enabled(const thread_state& t) const {
    if (t.status == thread_status::awaiting)
        return graph_.loc(graph_.find(t.what.address)).co.size() > t.offered_places;
    if (t.status != thread_status::ready) return false;
    return !t.pending || t.what.act != action::join ||
           program_.thread(t.what.other).status == thread_status::finished || handlers_due(t) > 0;
}

/// The next thread is a function of the graph alone, as optimality requires: the first that can go on, and of those
/// one that doesn't read. A read that finds the writes there chooses among them; one that comes first has to be revisited
/// by each.
thread_id explorer::next_thread() {
    if (writing_ != none16) return writing_;
    thread_id reader = none16;
    for (std::uint32_t left = live_; left != 0; left &= left - 1) {
        const auto t = static_cast<thread_id>(__builtin_ctz(left));
        if (t >= program_.thread_count()) break;
        const thread_state& th = program_.thread(t);
        if (enabled(th)) {
            if (!th.pending || th.what.act != action::load) return t;
            if (reader == none16) reader = t;
        }
        if (th.status == thread_status::finished || th.status == thread_status::unborn) live_ &= ~(1u << t);
    }
    return reader;
}

void explorer::until_pending(thread_id t) {
    if (!program_.thread(t).pending) resume(t);
}

void explorer::finish_execution() {
    facts_.result.longest = std::max(facts_.result.longest, graph_.size());
    const auto has_ended = [](const thread_state& t) {
        return t.status == thread_status::finished || t.status == thread_status::unborn;
    };
    // Where a thread has called exit(), others need not come to their ends.
    const bool over = std::any_of(program_.begin(), program_.end(), ended_program);
    const auto is_left = [&](const thread_state& t) {
        if (t.status == thread_status::assumed || t.status == thread_status::retrying) return false;
        return t.status == thread_status::ready || !can_go_on(t); // ready: it waits for another's end
    };
    const bool complete = std::all_of(program_.begin(), program_.end(), [&](const thread_state& t) {
        return has_ended(t) || (over && is_left(t));
    });
    if (complete) {
        ++facts_.result.executions;
        if (facts_.limits.leaks && !over) check_leaks();
        if (complete_) complete_(*this);
        if (facts_.limits.shown > facts_.result.shown.size()) {
            facts_.result.shown.push_back(recorder_.record({}));
        }
        if (digests_) facts_.result.digest += digest_of(graph_);
        if (describe_state_) ++facts_.result.states[describe_state_()];
        if (crew_ && facts_.limits.executions != 0 && crew_->count_execution() >= facts_.limits.executions)
            crew_->stop(crew::reason::executions);
    } else {
        ++facts_.result.blocked;
        if (facts_.limits.hangs_refute) check_stuck();
    }
}

/// When no thread can go on: is this the end of a branch whose reads were only stale, or would the
/// program hang? It hangs when every thread that waits has seen the latest there is.
void explorer::check_stuck() {
    const thread_state* first = nullptr;
    for (thread_id t = 0; t < program_.thread_count(); ++t) {
        const thread_state& th = program_.thread(t);
        if (th.status == thread_status::assumed || th.status == thread_status::retrying) return;
        if (th.status != thread_status::awaiting && th.status != thread_status::waiting &&
            th.status != thread_status::locking && th.status != thread_status::sleeping)
            continue;
        if (can_go_on(th) || (th.what.awaits && !*th.what.awaits)) return;
        if (!first) first = &th;
    }
    if (!first) return; // threads that join each other
    failure f;
    const bool locking = first->status == thread_status::locking && first->what.act != action::modify;
    f.kind = locking ? failure_kind::deadlock : failure_kind::livelock;
    if (first->what.awaits)
        f.message = first->what.awaits;
    else
        f.message =
            locking
                ? "deadlock: a thread waits for a mutex that no one will unlock"
                : "livelock: a thread waits for ever, although it has seen the latest of all that it reads";
    f.thread = first->id;
    f.site = first->what.site;
    f.address = first->what.address;
    refute(std::move(f));
}

std::uint32_t explorer::push_node(node_kind kind, thread_id t) {
    search_node n;
    n.kind = kind;
    n.thread = t;
    n.graph_size = static_cast<std::uint32_t>(graph_.size());
    n.stamp = stamp_;
    n.log = shadow_.log_size();
    n.pool = shadow_.pool_size();
    n.options_begin = n.options_end = n.option = static_cast<std::uint32_t>(options_.size());
    n.revisits_begin = n.revisits_end = n.revisit = static_cast<std::uint32_t>(revisits_.size());
    n.state = program_.save();
    nodes_.push_back(n);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void explorer::restore(search_node& n) {
    if (n.frame != none) {
        finish_revisit(n);
    } else {
        graph_.pop_to(n.graph_size);
        shadow_.undo(n.log);
    }
    shadow_.shrink_pool(n.pool);
    stamp_ = n.stamp;
    writing_ = none16;
    live_ = ~0u;
    program_.restore(n.state);
}

bool explorer::backtrack() {
    while (nodes_.size() > 1) { // the root stays
        const outcome o = next_option(static_cast<std::uint32_t>(nodes_.size() - 1));
        if (o == outcome::alive) return true;
        if (o == outcome::dead) continue; // which may have left a node of its own on top
        search_node& exhausted = nodes_.back();
        if (exhausted.frame != none) finish_revisit(exhausted);
        program_.images().drop(exhausted.state);
        options_.resize(exhausted.options_begin);
        revisits_.resize(exhausted.revisits_begin);
        nodes_.pop_back();
    }
    return false;
}

/// Takes the next way on from the topmost node.
explorer::outcome explorer::next_option(std::uint32_t n) {
    search_node& top = nodes_[n];
    bool alive = false;
    if (top.option < top.options_end) {
        restore(top);
        const event_id option = options_[top.option++];
        switch (top.kind) {
        case node_kind::read:
            alive =
                add_read(top.thread, option & ~fails_spuriously, graph_.co_last(option & ~fails_spuriously),
                         ++stamp_, n, (option & fails_spuriously) != 0);
            break;
        case node_kind::write:
            alive = add_write(top.thread, option, ++stamp_);
            break;
        case node_kind::choice:
            make_choice(n, option);
            alive = true;
            break;
        case node_kind::interrupt:
            add_interrupt(top.thread, ++stamp_, option);
            alive = true;
            break;
        case node_kind::place:
            alive = place_and_revisit(search_node(top), option);
            break;
        }
    } else if (top.revisit < top.revisits_end) {
        restore(top);
        alive = start_revisit(n, revisits_[top.revisit++]);
    } else {
        return outcome::exhausted;
    }
    return alive ? outcome::alive : outcome::dead;
}

/// Notes an error that was found. @return whether it ends the search
bool explorer::ends_search(const refuted& by) {
    const failure& f = by.why;
    facts_.result.longest = std::max(facts_.result.longest, graph_.size());
    // What says something of the search, not of this execution, ends it; an error that was found before stays.
    const bool of_the_search = f.kind == failure_kind::limit || f.kind == failure_kind::nondeterminism ||
                               f.kind == failure_kind::mixed_size || f.kind == failure_kind::unsupported;
    if (facts_.result.failing == 0 || (!of_the_search && graph_.size() < failing_size_)) {
        facts_.result.history = recorder_.record(f);
        facts_.result.error = f;
        facts_.result.steps = steps();
        failing_size_ = graph_.size();
    }
    if (facts_.result.failing == 0) first_failed_at_ = facts_.result.events;
    if (!of_the_search) ++facts_.result.failing;
    return !facts_.limits.shortest || of_the_search;
}

} // namespace ringproof::verify
