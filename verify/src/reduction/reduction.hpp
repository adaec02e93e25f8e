// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each reduction can ask and try out. A reduction looks at a thread that has a pending request, and says that the
// executions in which it goes on from here need not be explored: each has a twin that is. Its argument stands at the
// head of its file; `--no-reduction NAME` switches it off, and the reference comparisons run with and without it.

#include "../execution/execution.hpp"
#include "dead_state.hpp"
#include "left_out.hpp"
#include "stack_copy.hpp"

namespace ringproof::verify {

/// Whether two requests ask for the same.
bool same_request(const request& a, const request& b);

class reduction {
  public:
    reduction(search_facts& f, program& p, const graph& g, race_detector& d, runtime& r, execution& x,
              dead_state& s, left_out_iterations& l)
        : facts_(f), program_(p), graph_(g), races_(d), runtime_(r), execution_(x), dead_(s), left_out_(l) {}

  protected:
    const event& event_of(const thread_state& t, unsigned index) const {
        return graph_.at(graph_.in_thread(t.id, index));
    }
    /// Whether `e` is a read that `t` made where it stands.
    static bool is_read_there(const thread_state& t, const event& e) {
        return e.is_read() && !e.blocked && e.site == t.what.site && e.frame == t.what.frame;
    }
    /// The program's state before `e`, which has a node.
    saved_state state_before(const event& e) const { return execution_.states().before(e).state; }
    std::size_t log_before(const event& e) const { return execution_.states().before(e).log; }
    bool same_state_as(const thread_state& t, const saved_state& earlier,
                       const std::function<bool(std::uintptr_t)>& may_differ = {}) const;
    /// Whether `t` has the registers and the stack that were taken in stack_copy_, but for what it will not read again.
    bool same_as_taken(const thread_state& t, const memory_range& own,
                       const std::function<bool(std::uintptr_t)>& may_differ = {}) const {
        return t.floats == stack_copy_.floats() &&
               dead_.same_but_dead(t, own, stack_copy_.bytes(), may_differ);
    }
    bool same_state_as(const thread_state& t, const event& earlier) const {
        return same_state_as(t, state_before(earlier));
    }
    unsigned last_iteration(const thread_state& t, unsigned before) const;
    bool failed_since(const thread_state& t, unsigned from) const;
    bool has_written(const thread_state& t, const event& since);

    // Letting a thread do again what it did: they change the program's state, within a trial.
    bool iterate(thread_state& t, unsigned first, unsigned end);
    bool goes_along(thread_state& t, const event& e);
    bool goes_along_or_locks(thread_state& t, const event& e);
    bool go_on_from(thread_state& t, const event& earlier, value_t later);
    bool forget_plain_writes(const thread_state& t, const event& first, unsigned again);

    // Of iterations that left nothing, but that others may notice: restored_iterations.cpp.
    bool tells_nothing(const event& e) const;
    void add_readers(const event& w, thread_id but, std::vector<const event*>& found) const;
    const event* went_on_behind(const event& e) const;
    static void go_on_for(thread_state& t, const std::vector<const event*>& by, std::uint8_t noticed);

    // Trials, after which all is as it was.
    bool next_iteration_repeats(thread_state& t, bool unchanged = false);
    bool wrote_unseen(thread_state& t, unsigned first);

    search_facts& facts_;
    program& program_;
    const graph& graph_;
    race_detector& races_;
    runtime& runtime_;
    execution& execution_;
    dead_state& dead_;
    left_out_iterations& left_out_;
    stack_copy stack_copy_; ///< of the thread for which something is tried out
};

/// Whether what two states of a thread have beside registers and stack is the same.
bool same_beside_the_stack(const thread_state& a, const thread_state& b);

} // namespace ringproof::verify
