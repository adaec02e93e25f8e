// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"

namespace ringproof::verify {

/// Iterations of waiting loops after which all is as before: idle_iterations.cpp.
class idle_iterations : public reduction {
  public:
    using reduction::reduction;
    /// What becomes of `t`, whose pending read may begin the next iteration. @return ready where it goes on
    thread_status before_read(thread_state& t);
    /// Whether `t` stands before a read that it has made since it last did anything that others can see.
    bool has_come_round(const thread_state& t) const;
    /// @param before the program before the last read of `t`
    bool read_in_vain(thread_state& t, const kept_state& before);
    bool would_read_in_vain(thread_state& t);
    bool spins(thread_state& t, value_t seen) {
        return (t.what.act == action::modify || t.what.act == action::try_lock) && would_spin(t, seen);
    }

    /// `may_access`: also where it makes plain accesses on the way that others may know
    bool would_come_back(thread_state& t, value_t seen, bool may_access = false);

    /// Whether the pending read of `t`, should it see `seen`, changes nothing and ends an iteration in which `t` has only
    /// looked: where a lock that looked free is not.
    bool would_come_round(thread_state& t, value_t seen);

    /// The same, and whether it does so without having yielded on the way.
    bool comes_back_at_once(thread_state& t, value_t seen);
    /// Whether `t`, doing again what it did from its event `first` on, comes back to where it is without a yield.
    bool goes_round(thread_state& t, unsigned first);
    /// Whether it stands where it stood before `e`, as far as that was kept.
    bool stands_as_before(const thread_state& t, const event& e) const {
        return e.node == none || same_state_as(t, e);
    }

  private:
    bool writes_what_is_there(const thread_state& t) const;
    template <class Function>
    bool any_look(const thread_state& t, Function f) const;
    bool comes_back(thread_state& t, value_t seen, bool may_access = false, bool may_yield = true);
    bool accesses_nothing_new(thread_state& t, value_t seen);
    unsigned last_look(const thread_state& t, unsigned before) const;
    bool would_spin(thread_state& t, value_t seen);
    bool left_nothing(thread_state& t, const event& e);
};

} // namespace ringproof::verify
