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
    bool came_back(thread_state& t, const request& asked);
    bool would_come_back(thread_state& t);
    bool spins(thread_state& t, value_t seen) { return t.what.act == action::modify && would_spin(t, seen); }

  private:
    bool would_spin(thread_state& t, value_t seen);
    bool left_nothing(thread_state& t, const event& e);
};

} // namespace ringproof::verify
