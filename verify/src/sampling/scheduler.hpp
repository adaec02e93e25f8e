// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../search/explorer.hpp"

#include <vector>

namespace ringproof::verify {

/// Single executions from begin to end, thread by thread, without any way of the search being left for later. Which
/// thread goes next, what a read reads from and where in coherence order a write goes is for a derived class to say.
class scheduler {
  public:
    virtual ~scheduler() = default;
    scheduler(const scheduler&) = delete;
    scheduler& operator=(const scheduler&) = delete;

    exploration_result schedule(const std::function<void()>& body, const explorer::walk_end& ended);

  protected:
    explicit scheduler(explorer& e)
        : explorer_(e), program_(e.threads()), graph_(e.events()), execution_(e.at_hand()) {}

    /// An execution begins.
    virtual void begin() = 0;
    virtual thread_id next(const std::vector<thread_id>& runnable) = 0;
    /// From now on `t`, as it is, goes only when no other can.
    virtual void demote(thread_id t) = 0;
    /// A random number below `n`, which is not 0.
    virtual std::uint32_t below(std::uint64_t n) = 0;
    /// Which of `due` handlers comes in before what `t` is about to do, from 1; 0: none.
    virtual std::uint32_t handler_before(thread_id t, unsigned due) = 0;
    /// Adds the pending read of `t` to the graph, or else demotes `t`.
    virtual void add_read(thread_id t, location_id l) = 0;
    /// The same of its pending write.
    virtual void add_write(thread_id t, location_id l) = 0;

    explorer& explorer_;
    program& program_;
    graph& graph_;
    execution& execution_;

  private:
    bool can_be_scheduled(const thread_state& t) const;
    void run_scheduled();
    bool may_interrupt(thread_id t);
    void perform_scheduled(thread_id t);
    bool waits(thread_state& t, location_id l);
    void schedule_choice(thread_id t);
    void schedule_sleep(thread_state& t);
};

} // namespace ringproof::verify
