// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../execution/execution.hpp"

#include <map>
#include <utility>
#include <vector>

namespace ringproof::verify {

/// Whether iterations of loops that have no effect may be left out for what they access: left_out.cpp.
class left_out_iterations {
  public:
    left_out_iterations(search_facts& f, program& p, const graph& g, race_detector& d, runtime& r,
                        execution& x)
        : facts_(f), program_(p), graph_(g), races_(d), runtime_(r), execution_(x) {}

    /// Whether the iteration of `t` from its event `first` on, which has no effect, may be left out. `end`: the event before
    /// which it ends.
    bool may_leave_out(thread_state& t, unsigned first, unsigned end);
    bool may_leave_out(thread_state& t, unsigned first) { return may_leave_out(t, first, t.next_index); }

    /// Whether the branch in which `t` stops behind such an iteration, from its event `first` on, may be dropped: its reads
    /// will not be revisited, so it comes to no end.
    bool may_drop_branch(const thread_state& t, unsigned first);
    /// The same for what it did behind its event `e`.
    bool may_drop_behind(const thread_state& t, const event& e);
    /// Whether `t`, in a trial, has read no plain memory that another thread writes in any execution, and written none
    /// but of its own stack, or which no other accesses.
    bool may_drop_accesses(const thread_state& t, const std::vector<tried_access>& all) const;
    /// A branch is dropped after such trials.
    void note_dropped(const thread_state& t, const std::vector<tried_access>& all);
    /// Whether `t` may give up the read it has just made, before which it was in the state `before`.
    bool may_give_up_read(const thread_state& t, const kept_state& before);
    /// From now on none is that accessed anything; and none was before, in a search that has begun anew for that.
    void drop_none() {
        if (drops_ == branches::dropped) drops_ = branches::no_longer_dropped;
    }
    void drop_none_at_all() { drops_ = branches::never_dropped; }
    /// Whether the search has to begin anew and drop none: what `so_far` was found by dropped some that may race.
    bool must_begin_to_drop_none(const exploration_result& so_far);

    /// Before events are taken off the graph, and when those that stay are made again, see search/revisit.cpp.
    void note_kept();
    void keep_again();

    /// From now on the first iteration of each kind is explored.
    void keep_from_now_on() { keeps_ = true; }
    bool keeps() const { return keeps_ || facts_.limits.keep_iterations; }
    /// Whether the search has to begin anew and keep iterations: what `so_far` was found by left out some that may race.
    bool must_begin_to_keep(const exploration_result& so_far);

  private:
    enum class branches : std::uint8_t { dropped, no_longer_dropped, never_dropped };
    using accesses = std::map<std::uintptr_t, granule_accesses>;
    unsigned told_nothing_since(const thread_state& t, unsigned end) const;
    accesses accesses_of(const thread_state& t, unsigned first, unsigned end, unsigned atomics = 0) const;
    accesses accesses_in_trial(const thread_state& t, const std::vector<tried_access>& all) const;
    bool may_race(const thread_state& t, const accesses& made) const;
    bool may_drop(const thread_state& t, const accesses& made) const;
    bool drop(const thread_state& t, const accesses& made);
    void note_dropped(const thread_state& t, const accesses& made);
    bool was_kept_before(thread_state& t, unsigned first, unsigned end, const accesses& made);

    search_facts& facts_;
    program& program_;
    const graph& graph_;
    race_detector& races_;
    runtime& runtime_;
    execution& execution_;
    bool keeps_ = false;
    branches drops_ = branches::dropped;
    std::vector<std::pair<thread_id, kept_iteration>> noted_;
};

} // namespace ringproof::verify
