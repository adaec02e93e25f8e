// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringproof::detail {

/// Up to when the reader of a session has everything that was written to one ring.
///
/// A round's announcements prove that each record older than its horizon has been committed. In a ring with many writers
/// that does not mean that it is found: the reader stops in front of an incomplete record, and does not see the records
/// behind it, which may be older.
///
///     stamp 5, 7 and 6:    | 5 | reserved | 6 |        announced: 7        other ring:  | 6.5 |
///                              ^ the reader                                             not yet
///
/// So a ring vouches for a horizon when all that had been reserved in it by then has been read: in the same round, mostly.
/// Else it vouches for an earlier round's, and for this one as soon as the reader has passed what was reserved. Writers who
/// come meanwhile do not delay that.
class ring_horizon {
  public:
    /// After the ring has been read in a round.
    /// @param head of the ring, loaded after the announcements and before the ring was read
    /// @param horizon that the announcements have shown
    /// @return what everything still to come from this ring is no older than
    template <class Ring>
    std::uint64_t after_round(const Ring& ring, std::uint64_t head, std::uint64_t horizon) noexcept {
        if (ring.has_read(head)) {
            awaits_ = false;
            return vouched_ = horizon;
        }
        if (awaits_ && !ring.has_read(awaited_head_)) return vouched_;
        if (awaits_) vouched_ = awaited_horizon_;
        awaits_ = true;
        awaited_head_ = head;
        awaited_horizon_ = horizon;
        return vouched_;
    }

  private:
    std::uint64_t vouched_ = 0;
    std::uint64_t awaited_head_ = 0, awaited_horizon_ = 0; ///< of the round that it will vouch for next
    bool awaits_ = false;
};

} // namespace ringproof::detail
