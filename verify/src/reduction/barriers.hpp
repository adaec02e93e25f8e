// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"

#include <vector>

namespace ringproof::verify {

/// In which order threads come to a barrier: barriers.cpp.
class barriers : public reduction {
  public:
    using reduction::reduction;
    /// Before the pending arrival of `t` is performed: whether it reads the latest one, and no other. @throws anew
    bool arrives_in_any_order(const thread_state& t);
    /// Before the pending arrival of `t`, whose place among others matters. @throws anew when that is new for its barrier
    void note_ordered(const thread_state& t);

  private:
    bool came_last_time(const thread_state& t, const location& at) const;
    std::vector<std::uintptr_t> ordered_; ///< addresses of barriers whose arrivals are explored in each order
};

} // namespace ringproof::verify
