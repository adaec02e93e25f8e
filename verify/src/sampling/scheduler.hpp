// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../search/explorer.hpp"

namespace ringproof::verify {

class priorities;

/// Single executions from begin to end, thread by thread, without any way of the search being left for later: each
/// read takes a write that is there, the latest unless `order` says otherwise.
class scheduler {
  public:
    scheduler(explorer& e, priorities& order)
        : explorer_(e), program_(e.threads()), graph_(e.events()), execution_(e.at_hand()), order_(order) {}

    exploration_result schedule(const std::function<void()>& body, const explorer::walk_end& ended);

  private:
    bool can_be_scheduled(const thread_state& t) const;
    void run_scheduled();
    bool may_interrupt(thread_id t);
    void perform_scheduled(thread_id t);
    void schedule_read(thread_id t);

    explorer& explorer_;
    program& program_;
    graph& graph_;
    execution& execution_;
    priorities& order_;
};

} // namespace ringproof::verify
