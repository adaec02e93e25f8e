// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../graph/graph.hpp"

namespace ringproof::verify {

/// Looks for an order of all events that po, hb, rf, co and fr agree with.
class interleaving {
  public:
    /// @return whether there is one; false also where updates have no order of their own
    bool is_of(const graph& g);

  private:
    bool is_next(const graph& g, const event& x, event_id id) const;

    std::vector<unsigned> done_;        ///< events of each thread
    std::vector<std::uint32_t> latest_; ///< of each location: the place in co of the last write so far
};

} // namespace ringproof::verify
