// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace ringproof::verify {

/// Iterations that take a lock, look, and give it back: restored_iterations.cpp.
class restored_iterations : public reduction {
  public:
    using reduction::reduction;
    /// What `t`, whose pending read may begin the next iteration of a loop, is then: waiting where it has left all as it
    /// was in the last one. `goes_on`: not where other threads have noticed
    thread_status left_all(thread_state& t, bool goes_on);
    /// Whether `t`, which waits, has stopped after such an iteration and goes on because another thread has noticed.
    bool was_noticed(const thread_state& t) const {
        return t.pure_since > t.waiting_from && // otherwise others wrote nothing
               !noticed_by({t.id, t.waiting_from}).empty();
    }
    /// Whether looks at polled locations are judged.
    bool judges() const { return judges_; }
    /// Gives the location up, and begins the search anew, where the pending read of `t` may tell of an iteration that was
    /// left out. `waits`: whether it would wait, should it see a value
    void judge_look(const thread_state& t, const std::function<bool(value_t)>& waits);
    /// Judges looks. What threads polled is learnt anew, each at its place, as by a search that is resumed.
    void judge_from_now_on() {
        judges_ = true;
        polled_.clear();
    }
    /// Some read is not ordered behind what it saw. @return whether the search has to begin anew for it: `so_far` was
    /// found by one that did not judge
    bool must_begin_to_judge(const exploration_result& so_far);
    /// Whether the search begins anew for a read that it met anywhere before: the place where it is does not teach that.
    bool learnt_of_the_whole() { return std::exchange(of_the_whole_, false); }

  private:
    struct iteration {
        thread_id thread;
        unsigned from; ///< index of its first read
    };
    /// What threads wrote in such iterations before they put back what was there.
    struct polled_location {
        std::uintptr_t address;
        std::uint32_t threads; ///< bit t: by thread t
        bool given_up;
        std::vector<value_t> between;
    };
    unsigned end_of(const iteration& of) const;
    bool restores(const iteration& of, location_id l) const;
    bool is_count(const iteration& of, location_id l) const;
    std::int64_t added_until(const iteration& of, location_id l, unsigned until) const;
    bool takes_first(const iteration& of, location_id l) const;
    bool counts_as_well(const event& e, std::int64_t added) const;
    template <class Function>
    void each_write_between(const iteration& of, Function f) const;
    std::vector<const event*> noticed_by(const iteration& of) const;
    std::optional<std::vector<std::uintptr_t>> written_by_others(const thread_state& t, const event& e) const;
    bool gives_back(const iteration& of) const;
    bool came_back_to(thread_state& t, const event& e);
    void add_who_noticed(const iteration& of, std::vector<const event*>& all);
    std::vector<polled_location>::iterator polled_at(location_id l);
    bool is_given_up(const iteration& of);
    [[noreturn]] void give_up(const iteration& of);
    bool note_polls(const iteration& of);
    thread_clocks known_by_reads(const thread_state& t) const;
    bool may_tell(const thread_state& t, thread_clock known, thread_id by, location_id l) const;

    bool judges_ = false, of_the_whole_ = false;
    std::vector<polled_location> polled_;
};

} // namespace ringproof::verify
