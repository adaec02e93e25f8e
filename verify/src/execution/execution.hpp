// SPDX-License-Identifier: Apache-2.0
#pragma once
// The execution at hand: its graph, to which events are added as the model allows, and the program that stands where
// the graph says. It knows neither which ways there are nor why one is taken: that is the search's.

#include "../model/model.hpp"
#include "../runtime/runtime.hpp"
#include "branch_states.hpp"
#include "requests.hpp"
#include "symmetry.hpp"

#include <vector>

namespace ringproof::verify {

inline constexpr thread_id no_thread = 0xffff;

/// Sets a flag up to the end of a scope, also when the search begins anew from within.
class during {
  public:
    explicit during(bool& flag) : flag_(flag), was_(flag) { flag = true; }
    ~during() { flag_ = was_; }
    during(const during&) = delete;
    during& operator=(const during&) = delete;

  private:
    bool& flag_;
    bool was_;
};

class execution {
  public:
    execution(const model& m, search_facts& f, program& p, graph& g, race_detector& d, recorder& w,
              runtime& r);

    // Running threads.
    /// Lets `t` run until it asks for something. @throws anew
    void resume(thread_id t);
    void until_pending(thread_id t) {
        if (!program_.thread(t).pending) resume(t);
    }
    /// Lets `t` see `value` where it stands, and run to its next request.
    void go_on_with(thread_state& t, value_t value, bool spurious = false) {
        t.result = value;
        t.failed_spuriously = spurious;
        t.pending = false;
        resume(t.id);
    }
    /// Calls `f` with the state that the program is in, and restores that state afterwards. `f` may run threads.
    template <class Function>
    bool speculate(Function f) {
        const during speculating(facts_.speculating);
        const bool tracing = facts_.tracing;
        facts_.tracing = false;
        shadow_memory& shadow = races_.shadow();
        const std::size_t log = shadow.log_size(), pool = shadow.pool_size();
        const std::uint32_t dirty = program_.dirty();
        const saved_state now = program_.save();
        const bool result = f(now);
        program_.restore(now);
        program_.drop(now, dirty);
        shadow.undo(log);
        shadow.shrink_pool(pool);
        facts_.tracing = tracing;
        return result;
    }
    /// The same, for what a thread would do with values that nothing orders: plain accesses are not judged meanwhile.
    template <class Function>
    bool try_out(Function f) {
        const during trying(facts_.trying);
        return speculate(f);
    }

    /// Calls `f` with the state that the program is in, and goes back to it if f says so.
    /// @return whether it did
    template <class Function>
    bool undo_if(Function f) {
        const std::uint32_t dirty = program_.dirty();
        const std::uint32_t n = save();
        const bool back = f(kept_state{states_.at(n).state, states_.at(n).log});
        if (back) restore(n, false);
        program_.drop(states_.at(n).state, dirty);
        states_.drop_last();
        return back;
    }

    /// How a read ends that cannot have what it asks for.
    struct wait {
        bool fails =
            false; ///< it is of an operation that fails, and is tried again when there is something newer
        bool blocked = false; ///< it stays, and its thread reads again, see event::blocked
    };

    // Adding the pending request of `t` as its next event. They return false where the graph is then inconsistent.
    // The caller has made `t` dirty, and ready for a read; a spurious failure is one that the request may have.
    bool add_read(thread_id t, event_id w, bool maximal, std::uint32_t stamp, std::uint32_t node,
                  bool spurious, wait how);
    /// @param again the write has no effect: it is what the thread has written there before, and has for itself
    bool add_write(thread_id t, std::uint32_t place, std::uint32_t stamp, bool again = false);
    void add_other(thread_id t, std::uint32_t stamp, std::uint32_t chosen = 0);
    /// Adds an event for `iterations` of a loop that `t` goes on with, and that read nothing new.
    void add_skipped(thread_state& t, std::uint32_t stamp, std::uint32_t iterations);
    void add_interrupt(thread_id t, std::uint32_t stamp, std::uint32_t chosen);
    /// On the stack of `t`: adds its request, which leaves no choice, without going to the search.
    void perform_at_once(thread_state& t);
    /// Adds the coherent places for the pending write of `t` to `found`. @return how many
    std::uint32_t places(thread_id t, location_id l, std::vector<event_id>& found) const;

    /// Whether the pending compare-exchange of `t`, should it see `seen`, may fail all the same.
    bool may_fail(const thread_state& t, value_t seen) {
        return t.what.weak && seen == t.what.expected && may_fail_again(t.id, t.next_index, t.what.site);
    }
    /// The same of that of `read`, should it see `written`.
    bool fails_in(const event& read, value_t written);
    /// Whether the plain accesses of `t` since its last event, `read`, are ones that it made just before, too.
    bool says_nothing_new(const thread_state& t, const event& read);
    /// Where `t` makes most of its latest accesses: in the loop that it does not leave.
    struct loop {
        std::uintptr_t site;
        unsigned rounds;
    };
    loop busiest_loop(const thread_state& t) const;

    // Accesses in pieces: bundles.cpp.
    /// Judges what `t` has read, once the writes it is from are complete. @return false when it is torn: `t` stops
    bool close(thread_state& t);
    bool may_succeed(thread_state& t);

    std::uint32_t next_stamp() { return ++stamp_; }
    /// The thread whose read-modify-write lacks its write part, or no_thread.
    thread_id writing() const { return writing_; }
    /// The read part that it is the rest of has been taken off the graph.
    void gave_up_writing() { writing_ = no_thread; }

    const model& memory() const { return model_; }

    // Going back.
    branch_states& states() { return states_; }
    const branch_states& states() const { return states_; }
    std::uint32_t save() { return states_.save(stamp_); }
    void restore(std::uint32_t n, bool graph_is_there);
    std::uint32_t set_aside(std::uint32_t base);
    /// Where a revisit replays what it keeps: the state before the pending request of `t`, where it may be asked for.
    std::uint32_t keep_state(const thread_state& t);
    /// The same for any request, for executions that are scheduled and so have no nodes: reductions compare the
    /// state in which a loop began its iteration with the one in which it ends.
    std::uint32_t keep_state_of(const thread_state& t) { return t.what.frame != 0 ? states_.keep() : none; }
    void drop_kept_states() { states_.drop_kept(); }
    symmetry& alike() { return symmetry_; }
    const symmetry& alike() const { return symmetry_; }
    void begin();
    void begin_anew();

  private:
    void become_update(thread_state& t, event& e);
    event& make_event(thread_state& t, event_kind kind);
    void accept_read(thread_state& t, const event& e);
    bool reads_as_one(event_id id, thread_clock hb) const;
    bool writes_as_one(event_id id) const;
    bool make_whole(event_id last);
    bool close_read(thread_state& t, event_id id);
    void reopen();
    static void note_part(thread_state& t, event& e);
    void settle(thread_state& t);
    void settle_plain_writes(thread_state& t);
    bool may_fail_again(thread_id t, unsigned index, std::uintptr_t site);
    [[noreturn]] void too_many_events(const thread_state& t);
    void left_counting(thread_state& t);

    const model& model_;
    search_facts& facts_;
    program& program_;
    graph& graph_;
    race_detector& races_;
    recorder& recorder_;
    runtime& runtime_;
    branch_states states_;
    symmetry symmetry_;
    thread_id writing_ = no_thread;
    std::uint32_t stamp_ = 0;
};

/// What is known only once the thread has come to its next request: the values its plain writes
/// left in atomic locations, and whether its plain writes changed anything.
inline void execution::settle(thread_state& t) {
    if (t.unsettled_from != 0 && !(t.what.act == action::plain_write && t.what.more)) settle_plain_writes(t);
    if (runtime_.accesses().changed_memory()) t.pure_since = t.next_index;
}

inline void execution::resume(thread_id t) {
    thread_state& th = program_.thread(t);
    th.dirty = true;
    runtime_.accesses().forget_request(th);
    runtime_.accesses().find_quiet(th);
    program_.run(t);
    settle(th);
    if (facts_.restart) throw anew{};
}

inline void execution::restore(std::uint32_t n, bool graph_is_there) {
    states_.restore(n, graph_is_there);
    stamp_ = states_.at(n).stamp;
    writing_ = no_thread;
    if (races_.mixed().any()) reopen();
}

} // namespace ringproof::verify
