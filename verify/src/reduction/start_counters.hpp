// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"

#include <vector>

namespace ringproof::verify {

/// In which order threads add to a counter that all of them wait for: start_counters.cpp.
class start_counters : public reduction {
  public:
    using reduction::reduction;
    /// Whether some location is taken for such a counter.
    bool any() const { return !counters_.empty(); }
    /// Whether `t` is about to load such a counter, or what it does next after its arrival at one.
    bool is_waited_for(const thread_state& t) const {
        return t.what.act == action::load && (t.arrived_at != 0 || is_counter(t.what.address));
    }
    /// Before the pending request of `t` is performed: marks it where it arrives at a counter, so that it reads the latest
    /// arrival and no other. @throws anew where threads can tell in which order they came
    void before(thread_state& t);
    /// Before the pending load of `t` of a counter: with fewer arrivals than there are it would have to look again.
    void check_look(const thread_state& t, const std::function<bool(value_t)>& comes_back);
    /// The same before a write, or the write part of an arrival.
    void note_write(const thread_state& t);
    /// Whether `l`, which somebody is about to load, may be such a counter as far as its last write tells.
    bool may_count(location_id l) const {
        const auto& co = graph_.loc(l).co;
        return co.size() > 1 && graph_.at(co.back()).rmw;
    }
    /// `t` is about to load a location, which may be such a counter. `comes_back`: whether it would do so again, should it see
    /// a value. @throws anew when the counter was not known
    void note_look(const thread_state& t, const std::function<bool(value_t)>& comes_back);

  private:
    bool is_counter(std::uintptr_t address) const;
    bool adds_the_same(const thread_state& t, const location& at) const;
    bool is_passed(const location& at) const;
    bool has_all_behind(const event& read, const event& arrival) const;
    bool looked_too_early(const thread_state& t, unsigned i) const;
    void check(thread_state& t);
    void arrive(thread_state& t);
    [[noreturn]] void give_up(std::uintptr_t address);

    std::vector<std::uintptr_t> counters_; ///< their addresses
    std::vector<std::uintptr_t> ordered_;  ///< of those whose arrivals are explored in each order
    std::vector<std::uintptr_t> looked_at_;
};

} // namespace ringproof::verify
