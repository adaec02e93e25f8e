// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"

namespace ringproof::verify {

/// Iterations that take a lock, look, and give it back: restored_iterations.cpp.
class restored_iterations : public reduction {
  public:
    using reduction::reduction;
    /// Whether `t`, whose pending read may begin the next iteration of a loop, has left all as it was in the last one,
    /// and no other thread has noticed.
    bool left_all(thread_state& t);
    /// Whether `t`, which waits, has stopped after such an iteration and goes on because another thread has noticed.
    bool was_noticed(const thread_state& t) const {
        return t.pure_since > t.waiting_from && was_noticed(t, t.waiting_from); // others wrote nothing
    }

  private:
    unsigned end_of(const thread_state& t, unsigned from) const;
    bool was_noticed(const thread_state& t, unsigned from) const;
    bool is_memory_same(const thread_state& t, const event& e);
    bool gives_back(const thread_state& t, unsigned from) const;
};

} // namespace ringproof::verify
