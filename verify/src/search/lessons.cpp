// SPDX-License-Identifier: Apache-2.0
// What a search learns on its way makes it begin anew, with another tree of decisions: a place in that tree says nothing to
// a process that has not learnt the same. So a stopped search keeps, beside its positions, where it learnt what: its
// lessons, in their order. A search that goes on with it walks to each of them first. As an execution is a function of
// its decisions and of what is known, it learns there what was learnt there before, begins anew, and walks to the next.
//
// A lesson that teaches nothing is one of another program, or of something that the checker does not control. Then the
// search is made from its beginning: nothing is counted that was not searched.

#include "../parallel/worker_pool.hpp"
#include "explorer.hpp"

namespace ringproof::verify {

namespace {
/// A lesson without threads is learnt from the whole search. Its only way says which of whole_lesson it is.
bool is_of_the_whole(const search_position& lesson) { return lesson.threads.empty(); }
} // namespace

/// Where the search is as it learns: the last node may not have taken any way yet.
void explorer::note_lesson() {
    if (reductions_.restored.learnt_of_the_whole()) {
        facts_.knows_more = false;
        return note_lesson_of_the_whole(whole_lesson::judge_looks);
    }
    search_position at = position();
    while (!at.ways.empty() && at.ways.back() == none)
        at.ways.pop_back(), at.ends.pop_back(), at.all.pop_back();
    lessons_.push_back(std::move(at));
    facts_.knows_more = false;
}

void explorer::note_lesson_of_the_whole(whole_lesson what) {
    const auto number = static_cast<std::uint32_t>(what);
    lessons_.push_back({{number}, {number + 1}, {number + 1}, {}});
}

void explorer::learn_of_the_whole(const search_position& lesson) {
    switch (static_cast<whole_lesson>(lesson.ways.empty() ? 0 : lesson.ways.front())) {
    case whole_lesson::keep_iterations:
        return reductions_.left_out.keep_from_now_on();
    case whole_lesson::drop_no_branch:
        return reductions_.left_out.drop_none_at_all();
    default:
        return reductions_.restored.judge_from_now_on();
    }
}

/// Whether the search, having gone to the lesson, learns something: no more than one thing at a time.
bool explorer::learns_at(const search_position& lesson) {
    push_node(node_kind::place, 0);
    const auto has_learnt = [this] { return facts_.knows_more || facts_.restart; };
    try {
        if (lesson.ways.empty() || go_to(lesson) == arrival::alive)
            while (!has_learnt() && !walk_is_over() && go_on()) {
            }
    } catch (const refuted&) {
        return false;
    } catch (const anew&) {
        reductions_.restored.learnt_of_the_whole(); // the lesson is in the list already
        return true;
    }
    return has_learnt();
}

bool explorer::can_learn_again(const std::function<void()>& body) {
    saved_state initial = start_learning(body);
    const bool can = learn_again(initial) != learning::failed;
    program_.restore(initial);
    return can;
}

/// Learns again what the stopped search had learnt with which this one goes on.
explorer::learning explorer::learn_again(saved_state& initial) {
    if (!earlier_) return learning::done;
    const exploration_result earlier = *earlier_;
    for (const search_position& lesson : earlier.lessons) {
        const bool learnt = is_of_the_whole(lesson) || learns_at(lesson);
        if (is_of_the_whole(lesson)) learn_of_the_whole(lesson);
        if (facts_.result.stopped) {
            const std::string why = facts_.result.stopped_by;
            facts_.result = earlier;
            facts_.result.stopped = true;
            facts_.result.stopped_by = why;
            return learning::stopped;
        }
        facts_.knows_more = false;
        begin_anew(initial);
        if (!learnt) return learning::failed;
    }
    if (!earlier.lessons.empty()) { // each of them made the search begin anew
        resume_from(earlier);
        lessons_ = earlier.lessons;
        use_jobs(jobs_, share_after_);
    }
    if (earlier.first_met) reductions_.commuting.learn_no_more();
    return learning::done;
}

} // namespace ringproof::verify
