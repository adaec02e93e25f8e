// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "iteration_kinds.hpp"
#include "reduction.hpp"

namespace ringproof::verify {

/// Iterations without effect, told by what comes after them: retried_iterations.cpp.
class retried_iterations : public reduction {
  public:
    using reduction::reduction;
    thread_status retries(thread_state& t);
    thread_status without_effect(thread_state& t);
    /// Whether `t` stands where an iteration without effect has ended.
    bool has_come_round(thread_state& t);
    /// @param before the program before the last read of `t`
    bool read_in_vain(thread_state& t, const kept_state& before);
    /// The search does: what an earlier one tried out in vain is tried anew, so that counts do not depend on it.
    void begin_anew() { kinds_ = {}; }

  private:
    bool goes_round(const thread_state& t, unsigned first, unsigned again) const;
    bool is_twin(thread_state& t, unsigned i, const event& again);
    bool would_be_here(thread_state& t, unsigned first, unsigned again);

    iteration_kinds kinds_;
};

} // namespace ringproof::verify
