// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"
#include "renamed_blocks.hpp"

namespace ringproof::verify {

/// Iterations of waiting loops that allocate, and leave all as it was but for addresses: allocating_iterations.cpp.
class allocating_iterations : public reduction {
  public:
    using reduction::reduction;
    /// What becomes of `t`, whose pending read may begin the next iteration. @return ready where it goes on
    thread_status before_read(thread_state& t);

  private:
    bool may_apply(const thread_state& t);
    bool came_back(const thread_state& t, const saved_state& then, renamed_blocks& blocks, bool alone);
    bool had_no_effect(thread_state& t, const event& first);
    bool wrote_only_there(const thread_state& t, const event& first, const renamed_blocks& blocks);
    bool are_known(const thread_state& t, const renamed_blocks& blocks) const;
    bool does_again(thread_state& t, unsigned first, unsigned end);
    bool next_one_repeats(thread_state& t, unsigned first);
    bool repeats_elsewhere(thread_state& t, const event& first);
};

} // namespace ringproof::verify
