// SPDX-License-Identifier: Apache-2.0
// The search itself: which thread goes on, the nodes, going back, and what an end of execution means.

#include "explorer.hpp"

#include "../graph/digest.hpp"
#include "../hooks/exit.hpp"
#include "../model/searched.hpp"
#include "../parallel/worker_pool.hpp"
#include "../program/libraries.hpp"

#include <algorithm>
#include <chrono>

namespace ringproof::verify {

constexpr std::uint64_t share_each = 32; // steps

explorer::explorer(const model& m, exploration_limits limits)
    : races_(facts_, program_, graph_), recorder_(program_, graph_),
      runtime_(facts_, program_, graph_, races_, recorder_, {end_of_thread, end_of_program, exit_process}),
      execution_(m, facts_, program_, graph_, races_, recorder_, runtime_),
      reductions_(facts_, program_, graph_, races_, runtime_, execution_),
      revisits_(program_, graph_, execution_) {
    facts_.limits = limits;
    note_searched_model(m.name());
    if (limits.races_go_on || limits.races_ignored) races_.raced().enable();
    if (limits.races_ignored) races_.shadow().ignore_races();
    if (limits.unfair) races_.mixed().forbid("with --unfair");
    if (limits.unfair) { // they leave out executions by which thread came first: unfair.cpp
        auto& reduce = facts_.limits.reduce;
        reduce.barrier = reduce.commuting_update = reduce.undone_attempt = false;
    }
    if (!limits.reduce.unwritten_page) program_.compare_unwritten();
    runtime_.on_no_choice([this](thread_state& t) { execution_.perform_at_once(t); });
}

explorer::~explorer() = default;

void explorer::use_jobs(unsigned jobs, double share_after) {
    jobs_ = jobs;
    share_after_ = share_after;
    if (jobs < 2) return;
    pool_ = std::make_unique<worker_pool>(jobs, share_after);
    // Threads have the same numbers in all processes: which one goes next is decided by them.
    if (const auto& known = runtime_.names().all(); known.size() > 1) pool_->name_threads(known);
    runtime_.names().ask([this](thread_id parent, std::uint16_t nth, thread_names::list& known) {
        return pool_->name(parent, nth, known, max_threads);
    });
}

void explorer::start(const std::function<void()>& body) {
    facts_.begun = std::chrono::steady_clock::now();
    races_.history().map();
    execution_.begin();
    runtime_.start(body);
}

saved_state explorer::start_learning(const std::function<void()>& body) {
    start(body);
    execution_.alike().use();
    learns_ = true;
    return program_.save();
}

exploration_result explorer::explore(const std::function<void()>& body) {
    saved_state initial = start_learning(body);
    const learning how = learn_again(initial);
    must_forget_ = how == learning::failed;
    if (how != learning::done) {
        program_.restore(initial);
        return facts_.result;
    }
    if (!earlier_ && !facts_.limits.resumable && facts_.limits.divide == 0 && jobs_ == 1) {
        reductions_.stale.use();
        reductions_.own.use();
    }
    if (earlier_ || facts_.limits.divide > 0) reductions_.left_out.drop_none(); // it knows of one part only
    for (const auto& [granule, who] : facts_.result.hidden.in_dropped)
        races_.history().note_dropped(granule, who);
    // A part that another division made of the whole search cannot be searched with what it knows alone.
    const std::optional<exploration_result> part = is_part_ ? earlier_ : std::nullopt;
    if (facts_.limits.divide > 0 && !earlier_) { // each part alone would not see that this has to be learnt
        reductions_.restored.judge_from_now_on();
        note_lesson_of_the_whole(whole_lesson::judge_looks);
    }
    for (new_lesson what = search_once(); what != new_lesson::nothing; what = search_once()) {
        if (part && what == new_lesson::here) {
            leave_to_the_whole();
            break;
        }
        begin_anew(initial);
        if (part)
            resume_from(*part);
        else if (what == new_lesson::here)
            use_jobs(jobs_, share_after_);
    }
    facts_.result.judged = reductions_.restored.judges();
    facts_.result.first_met = facts_.result.executions > 0 || (earlier_ && earlier_->first_met);
    const auto& open = facts_.result.positions;
    if (std::any_of(open.begin(), open.end(), [](const search_position& p) { return p.ways.empty(); }))
        facts_.result.positions.clear(); // all of it
    if (facts_.result.stopped && !facts_.interrupts) facts_.result.lessons = lessons_;
    if (facts_.result.stopped && (reductions_.stale.are_left_out() || reductions_.own.are_known())) {
        // What the rest would have shown may be what they were left out without.
        facts_.result.positions.clear();
        facts_.result.lessons.clear();
    }
    facts_.result.raced = races_.raced().all();
    races_.mixed().append_to(facts_.result.raced);
    if (facts_.processes_may_die) facts_.result.raced.push_back({0, mortal_processes});
    program_.restore(initial); // the next program to explore starts from the same memory
    facts_.result.seconds = (earlier_ ? earlier_->seconds : 0) + facts_.elapsed();
    return facts_.result;
}

/// Searches what there is, with all processes. @return what makes the search begin anew, and who learnt it
explorer::new_lesson explorer::search_once() {
    bool again = !search_parts();
    // What another process has learnt is lost with it: then the search goes on alone, up to where it learns that itself.
    bool here = again;
    if (pool_) {
        if (again) pool_->stop(worker_pool::reason::anew);
        gather();
        again = pool_->stopped() == worker_pool::reason::anew;
    }
    const bool judges = reductions_.restored.must_begin_to_judge(facts_.result);
    const bool keeps = !judges && !again && reductions_.left_out.must_begin_to_keep(facts_.result);
    const bool drops =
        !judges && !keeps && !again && reductions_.left_out.must_begin_to_drop_none(facts_.result);
    if (judges) note_lesson_of_the_whole(whole_lesson::judge_looks);
    if (keeps) note_lesson_of_the_whole(whole_lesson::keep_iterations);
    if (drops) note_lesson_of_the_whole(whole_lesson::drop_no_branch);
    const bool of_the_whole = judges || keeps || drops;
    if (!again && !of_the_whole && may_divide()) again = here = !divide_rest();
    if (!again && !of_the_whole) return new_lesson::nothing;
    return here || of_the_whole ? new_lesson::here : new_lesson::elsewhere;
}

/// @return false when something was learnt that makes the search begin anew
bool explorer::search_parts() {
    push_node(node_kind::place, 0); // the root, to come back to; it has no ways of its own
    std::vector<search_position> parts{{}};
    if (earlier_ && !earlier_->positions.empty()) parts = earlier_->positions;
    const auto is_worker = [this] { return pool_ && pool_->is_worker(); };
    try {
        do {
            const search_position part = std::move(parts.back());
            parts.pop_back();
            const arrival there = part.ways.empty() ? arrival::alive : go_to(part);
            if (there == arrival::stopped) {
                facts_.result.positions.push_back(part);
            } else if (there == arrival::alive || backtrack()) {
                search();
                if (facts_.result.stopped) facts_.result.positions.push_back(rest_of(part));
            }
            unwind(1);
            restore(0);
        } while (!parts.empty() && !facts_.result.stopped && !is_worker());
        if (facts_.result.stopped && !is_worker())
            facts_.result.positions.insert(facts_.result.positions.end(), parts.begin(), parts.end());
        if (!facts_.result.stopped) reductions_.stale.check_end();
        // What handlers touch is learnt in steps that do not all begin the search anew.
        if (facts_.interrupts && facts_.result.stopped) facts_.result.positions.assign(1, {});
    } catch (const refuted& by) {
        ends_search(by);
        if (pool_) pool_->stop(worker_pool::reason::error);
    } catch (const search_over&) {
        if (pool_) pool_->stop(worker_pool::reason::error);
    } catch (const anew&) {
        const bool own = reductions_.own.begins_anew();
        if (!reductions_.stale.begins_anew() && !own) note_lesson();
        return false;
    }
    return true;
}

/// The search, from the beginning, with what is known by now of the memory that handlers touch.
void explorer::begin_anew(saved_state& initial) {
    facts_.restart = false;
    pool_.reset();
    earlier_.reset();
    runtime_.names().ask({});
    unwind(0);
    execution_.begin_anew();
    reductions_.retried.begin_anew();
    runtime_.accesses().forget_all();
    runtime_.allow_at_once(false);
    program_.begin_anew(initial);
    if (load_what_was_asked_for() && program_.memory().find_data()) {
        races_.shadow().cover_new_data();
        program_.images().drop(initial);
        for (thread_state& t : program_) t.dirty = true;
        initial = program_.save();
    }
    if (races_.mixed().any()) leave_reductions();
    const std::uint64_t discarded =
        facts_.result.discarded + facts_.result.executions + facts_.result.blocked;
    facts_.result = exploration_result{};
    facts_.result.discarded = discarded;
}

/// Those whose arguments know accesses of one size only.
void explorer::leave_reductions() {
    auto& reduce = facts_.limits.reduce;
    reduce.retried_iteration = reduce.iteration_count = reduce.undone_attempt = reduce.tried_look = false;
    reduce.blocked_lock = reduce.restored_iteration = reduce.barrier = reduce.vain_wake = false;
    reduce.symmetry = reduce.commuting_update = reduce.allocating_iteration = reduce.assumed_read = false;
    reduce.stale_iteration = reduce.own_store = reduce.multi_lock = false;
    execution_.alike().use();
}

void explorer::search() {
    for (;;) {
        if (out_of_budget()) return;
        // What one process learns of the memory that handlers touch, the others would have to know.
        if (pool_ && !facts_.interrupts && facts_.result.events % share_each == 0 && pool_->has_room() &&
            share() && !backtrack())
            return;
        bool alive = false;
        try {
            alive = go_on();
            if (facts_.restart) throw anew{}; // here, where it was learnt
            if (facts_.knows_more) note_lesson();
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
    if (execution_.writing() != no_thread || program_.thread(t).status != thread_status::ready ||
        next_thread() == no_thread)
        return false;
    program_.thread(t).status = thread_status::assumed;
    program_.thread(t).dirty = true;
    return true;
}

/// One step. @return whether the execution goes on
bool explorer::go_on() {
    if (facts_.restart) throw anew{};
    const thread_id t = next_thread();
    if (t == no_thread) {
        finish_execution();
        return false;
    }
    if (!execution_.close(program_.thread(t))) return true;
    if (program_.thread(t).pending) return perform(t);
    run_on(t);
    return true;
}

/// Lets `t` come to its next request that leaves a choice.
void explorer::run_on(thread_id t) {
    if (program_.thread(t).mid != thread_state::midway::no) return execution_.resume(t);
    runtime_.allow_at_once(!facts_.tracing &&
                           !program_.thread(t).alike); // each event of one follows its elder's
    execution_.resume(t);
    runtime_.allow_at_once(false);
}

/// Lets `t` come to its next request, once what it has read is complete.
void explorer::until_pending(thread_id t) {
    execution_.close(program_.thread(t));
    execution_.until_pending(t);
}

static bool has_ended(const thread_state& t) {
    return t.status == thread_status::finished || t.status == thread_status::unborn;
}

void explorer::finish_execution() {
    facts_.result.longest = std::max(facts_.result.longest, graph_.size());
    const waiting_threads waiting(program_, graph_);
    // Where a thread has called exit(), others need not come to their ends.
    const bool over = std::any_of(program_.begin(), program_.end(), ended_program);
    const auto is_left = [&](const thread_state& t) {
        if (is_left_out(t.status)) return false;
        return t.status == thread_status::ready || !waiting.can_go_on(t); // ready: it waits for another's end
    };
    const bool complete = std::all_of(program_.begin(), program_.end(), [&](const thread_state& t) {
        return has_ended(t) || (over && is_left(t));
    });
    if (complete)
        note_complete(over);
    else
        note_blocked();
    if (callbacks_.end) callbacks_.end(position());
}

/// @param over a thread has called exit()
void explorer::note_complete(bool over) {
    ++facts_.result.executions;
    facts_.result.permutations += execution_.alike().permutations() * reductions_.commuting.orders();
    if (learns_ && reductions_.commuting.learn()) throw anew{};
    if (facts_.limits.leaks && !over) runtime_.heap().check_leaks();
    if (callbacks_.complete) callbacks_.complete();
    if (facts_.limits.shown > facts_.result.shown.size()) facts_.result.shown.push_back(recorder_.record({}));
    if (callbacks_.digest) facts_.result.digest += digest_of(graph_);
    if (callbacks_.state) ++facts_.result.states[callbacks_.state()];
    if (pool_ && facts_.limits.executions != 0 && pool_->count_execution() >= facts_.limits.executions)
        pool_->stop(worker_pool::reason::executions);
}

/// Whether nothing but an assumption of the program keeps threads from their ends, which fails with the newest value that there
/// is: the program excludes such an execution.
bool explorer::is_assumed_away() const {
    const auto saw_newest = [&](const thread_state& t) {
        for (unsigned i = t.next_index; i-- > 1;)
            if (const event& e = graph_.at(graph_.in_thread(t.id, i)); e.is_read())
                return graph_.co_last(e.rf);
        return true;
    };
    bool any = false;
    for (const thread_state& t : program_) {
        if (has_ended(t) || t.status == thread_status::ready) continue; // ready: it waits for another's end
        const bool fails_assumption = t.status == thread_status::declining ||
                                      (t.status == thread_status::assumed && t.what.act == action::block);
        if (!fails_assumption || (t.status == thread_status::assumed && !saw_newest(t))) return false;
        any = true;
    }
    return any;
}

void explorer::note_blocked() {
    ++facts_.result.blocked;
    facts_.result.blocked_by_assumption += is_assumed_away();
    const auto waits = [&](const thread_state& t) {
        return !has_ended(t) && t.status != thread_status::ready && t.status != thread_status::assumed &&
               t.status != thread_status::declining;
    };
    if (const auto t = std::find_if(program_.begin(), program_.end(), waits); t != program_.end())
        ++facts_.result.blocked_at[t->what.site];
    const auto polls = [this](thread_id t) { return reductions_.vain.polls_for_ever(program_.thread(t)); };
    auto f = waiting_threads(program_, graph_).check_stuck(polls);
    if (!f) return;
    if (facts_.limits.hangs_refute) {
        if (facts_.about_hang) f->message = facts_.about_hang() + f->message;
        refute(std::move(*f));
    }
    facts_.take_for_granted(assumption::liveness, f->site);
}

std::uint32_t explorer::push_node(node_kind kind, thread_id t) {
    nodes_.push(kind, t);
    return execution_.save();
}

void explorer::pop_node() {
    if (nodes_.back().frame != none) execution_.states().put_back();
    execution_.states().drop_last();
    nodes_.pop();
}

void explorer::restore(std::uint32_t n) {
    const bool revisited = nodes_[n].frame != none;
    if (revisited) execution_.states().put_back();
    nodes_[n].frame = none;
    execution_.restore(n, revisited);
}

bool explorer::backtrack() {
    while (nodes_.size() > 1) { // the root stays
        const outcome o = next_option(static_cast<std::uint32_t>(nodes_.size() - 1));
        if (o == outcome::alive) return true;
        if (o == outcome::dead) continue; // which may have left a node of its own on top
        pop_node();
    }
    return false;
}

/// Takes the next way on from the topmost node.
explorer::outcome explorer::next_option(std::uint32_t n) {
    search_node& top = nodes_[n];
    bool alive = false;
    if (top.option < top.options_end) {
        const event_id option = nodes_.options[top.option++];
        if (top.kind != node_kind::place) restore(n);
        switch (top.kind) {
        case node_kind::read:
            alive =
                add_read(top.thread, option & ~fails_spuriously, graph_.co_last(option & ~fails_spuriously),
                         execution_.next_stamp(), n, (option & fails_spuriously) != 0);
            break;
        case node_kind::write:
            alive = take_write(top.thread, option);
            break;
        case node_kind::choice:
            make_choice(n, option);
            alive = true;
            break;
        case node_kind::interrupt:
            execution_.add_interrupt(top.thread, execution_.next_stamp(), option);
            alive = true;
            break;
        case node_kind::place:
            alive = take_place(n, option);
            break;
        }
    } else if (top.revisit < top.revisits_end) {
        alive = take_revisit(n, nodes_.revisits[top.revisit++]);
    } else {
        return outcome::exhausted;
    }
    return alive ? outcome::alive : outcome::dead;
}

/// What is wrong, where races are ignored. What a racing access read may then be what a thread waits for, or what an execution
/// that is run again does not find: these say nothing of the program.
failure explorer::despite_races(failure f) const {
    if (!facts_.relies_on(assumption::race_ignored)) return f;
    if (f.kind == failure_kind::livelock)
        f.message = "a loop waits, maybe for memory whose races are ignored: --races=continue tells";
    else if (f.kind == failure_kind::nondeterminism)
        f.message =
            "what a racing access reads decides what the program does: --races=continue tries all values";
    else
        return f;
    f.kind = failure_kind::limit;
    return f;
}

/// Notes an error that was found. @return whether it ends the search
bool explorer::ends_search(const refuted& by) {
    const failure f = despite_races(by.why);
    facts_.result.longest = std::max(facts_.result.longest, graph_.size());
    // What says something of the search, not of this execution, ends it; an error that was found before stays.
    const bool of_the_search = f.kind == failure_kind::limit || f.kind == failure_kind::nondeterminism ||
                               f.kind == failure_kind::mixed_size || f.kind == failure_kind::unsupported;
    if (facts_.result.failing == 0 || (!of_the_search && graph_.size() < failing_.size)) {
        facts_.result.history = recorder_.record(f);
        facts_.result.error = f;
        facts_.result.steps = steps();
        failing_.size = graph_.size();
    }
    if (facts_.result.failing == 0) failing_.first_at = facts_.result.events;
    if (!of_the_search) ++facts_.result.failing;
    return !facts_.limits.shortest || of_the_search;
}

} // namespace ringproof::verify
