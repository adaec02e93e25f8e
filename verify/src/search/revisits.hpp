// SPDX-License-Identifier: Apache-2.0
#pragma once
// Backward revisits: which reads a new write may be read by although they were added before it, and what of the
// execution stays when one is.

#include "../execution/execution.hpp"

#include <vector>

namespace ringproof::verify {

/// An event that a revisit keeps.
struct kept_event {
    event_id old;
    event_id now = none;   ///< its id once it is back
    event_id rf = none;    ///< read: the old id of the write
    event_id after = none; ///< write: the old id of its nearest co-predecessor that is there before it
    event_kind kind = event_kind::init;
    bool spurious = false;
    bool blocked = false; ///< read: its thread waits behind it, and reads again
    thread_id thread = 0;
    std::uint32_t index = 0;
    std::uint32_t stamp = 0;
    std::uintptr_t address = 0; ///< of an access
    value_t value = 0;
    std::uint8_t noticed = 0;   ///< event::noticed
    std::size_t known_then = 0; ///< then: which clock of revisits::known_then()
};

class revisits {
  public:
    revisits(const program& p, const graph& g, execution& x) : program_(p), graph_(g), execution_(x) {}

    /// Adds the reads of `l` that the pending write of `writer` can revisit to `found`.
    void collect_revisits(location_id l, thread_id writer, event_id rival,
                          std::vector<event_id>& found) const;
    /// Notes which events after the first `base` stay, and how, when `r` is revisited by a write with this prefix.
    void plan_kept(std::uint32_t base, event_id r, thread_clock porf);
    std::vector<kept_event>& kept() { return kept_; }
    /// What such an event's porf is.
    thread_clock known_then(const kept_event& k) const { return clocks_[k.known_then].porf(); }
    /// What an event that was there before the revisit is now, or none.
    event_id renamed(event_id old, std::uint32_t base) const;

  private:
    bool added_maximally(event_id e, thread_clock porf) const;

    const program& program_;
    const graph& graph_;
    execution& execution_;
    std::vector<kept_event> kept_;
    std::vector<thread_clocks> clocks_;
};

} // namespace ringproof::verify
