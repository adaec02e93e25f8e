// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where no thread can go on: which of them wait, and whether any waits for ever.

#include "../graph/graph.hpp"
#include "../program/program.hpp"

#include <ringproof/verify/explore.hpp>

#include <functional>
#include <optional>

namespace ringproof::verify {

class waiting_threads {
  public:
    waiting_threads(const program& p, const graph& g) : program_(p), graph_(g) {}

    /// Whether what `t` waits for has come, in this or in another execution: then it does not wait for ever.
    bool can_go_on(const thread_state& t) const;
    /// Whether some notification is certain to wake the sleeping `t`.
    bool will_wake(const thread_state& t) const;
    /// When no thread can go on: what hangs, if anything does. `polls`: whether a thread that is in a timed wait would come
    /// back to it again and again.
    std::optional<failure> check_stuck(const std::function<bool(thread_id)>& polls) const;

  private:
    bool waits_for_step_back() const;
    bool will_be_killed(const thread_state& t) const;
    bool was_put_back(const event& w) const;
    bool is_outdated(const event& e) const;
    bool is_newer(const thread_state& t, unsigned index) const;
    bool may_have_slept(event_id reader, const event& wake, const event& seen) const;

    const program& program_;
    const graph& graph_;
};

} // namespace ringproof::verify
