// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "ringproof/barriers.hpp"
#include "ringproof/capacity.hpp"
#include "ringproof/concepts/barriers.hpp"

namespace ringproof {

/// What a writer tells the reader of all rings: that a record is on its way, with a stamp no older than this.
///
///     writer                                       reader, at the start of a round
///     announced = now()                            horizon = now()
///     settle                                       settle
///     stamp = now()                                for each writer: horizon = min(horizon, announced)
///     write the record, B                          read all rings, C
///     announced = idle                             give out what is older than horizon
///
/// A record that this round does not find is at least as new as the horizon. Either the reader sees what was announced
/// for it; or it missed that, and then, since one of the two fences comes first, the stamp was taken after the reader's
/// look at the clock. Had it seen a later announcement, the record would have been committed before it. This asks of
/// the clock only what clocks are for: that it doesn't go back, from whatever CPU one looks. The reader finds a committed
/// record unless an incomplete one of another thread lies in front of it in the ring: ring_horizon.hpp takes care of that.
///
/// The same word tells who is writing: who takes a ring away waits until each writer has been idle, or at another record,
/// since (`has_passed`).
///
/// @par Progress
/// Wait-free.
/// @par Verified by
/// verify/scenarios/ring/session.cpp
template <class Barriers = acquire_release>
class announcement {
    static_assert(barriers_policy<Barriers> || detail::explain_barriers<Barriers>());

  public:
    static constexpr std::uint64_t idle = std::numeric_limits<std::uint64_t>::max();

    /// Writer. After this: look up the ring, take the stamp, write, `end`.
    void begin(std::uint64_t now) noexcept {
        Barriers::announce(at_, now);
        Barriers::settle();
    }
    void end() noexcept { Barriers::announce(at_, idle); }

    /// Reader, after `settle()`. `idle` when nothing is on its way.
    [[nodiscard]] std::uint64_t oldest() const noexcept { return Barriers::announced(at_); }

    /// Is what was under way when `oldest()` gave `before` over?
    [[nodiscard]] bool has_passed(std::uint64_t before) const noexcept {
        return before == idle || Barriers::announced(at_) != before;
    }

  private:
    alignas(line_pair) std::atomic<std::uint64_t> at_{idle};
};

} // namespace ringproof
