// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "priorities.hpp"
#include "scheduler.hpp"

namespace ringproof::verify {

/// Few changes between threads, see priorities.hpp. Writes take effect in the order in which they are made; a read takes
/// the latest, unless something is to change at it.
class priority_scheduler : public scheduler {
  public:
    priority_scheduler(explorer& e, priorities& order) : scheduler(e), order_(order) {}

  private:
    void begin() override { order_.begin(); }
    thread_id next(const std::vector<thread_id>& runnable) override { return order_.next(runnable); }
    void demote(thread_id t) override { order_.demote(t); }
    std::uint32_t below(std::uint64_t n) override { return order_.below(n); }
    std::uint32_t handler_before(thread_id, unsigned due) override {
        return order_.change_here() ? 1 + order_.below(due) : 0;
    }
    void add_read(thread_id t, location_id l) override;
    void add_write(thread_id t, location_id l) override;
    bool change_read(thread_id t, location_id l);

    priorities& order_;
};

} // namespace ringproof::verify
