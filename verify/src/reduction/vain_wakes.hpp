// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"

namespace ringproof::verify {

/// Waits that ended early, in loops that look again: vain_wakes.cpp.
class vain_wakes : public reduction {
  public:
    using reduction::reduction;
    bool woke_in_vain(thread_state& t);

  private:
    bool only_locked(const thread_state& t, unsigned from, unsigned until) const;
    bool waits_again(const thread_state& t, const event& early);
};

} // namespace ringproof::verify
