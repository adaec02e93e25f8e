// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

#include "ringproof/barriers.hpp"
#include "ringproof/layout/padded.hpp"
#include "ringproof/producer/shared.hpp"
#include "ringproof/record.hpp"
#include "ringproof/restartable.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// Who writes: whatever thread happens to be on the ring's CPU, and its signal handlers. See per_cpu_rings.hpp, which
/// has one such ring for each CPU.
///
/// Perf's own protocol (`nested`) rests on interrupts: whoever comes in ends before the interrupted writer goes on. Among
/// threads that are preempted and moved nothing ends in that order, so the nest count can't be used: here a record is
/// committed in band, from wherever its thread has got to by then, as in `shared`. What the CPU's own ring saves is the
/// locked instruction: a reservation is a restartable sequence of a compare and a plain store.
///
/// Where there are none (`restartable::missing()` says why), the reservation is that of `shared`, with LOCK, and everything
/// else is the same.
///
/// @par Progress
/// As `shared`. A reservation starts over when its thread was preempted, moved or interrupted in the middle of it.
struct one_cpu {
    static constexpr bool many_threads = true;
    static constexpr bool commits_in_band = true;
    static constexpr bool batches = false;
    static constexpr bool tells_open = false;
    static constexpr bool belongs_to_cpu = true;
    static constexpr bool marks_crashes = false;
    static constexpr bool reports_losses = true;
    static constexpr bool can_pause = true;
    static constexpr bool overwrites = false;
    static constexpr std::size_t keeps_free = 0; ///< of the capacity

    template <class Barriers, class Layout = padded>
    class producer_side : public shared::producer_side<Barriers, Layout> {
        using base = shared::producer_side<Barriers, Layout>;

      public:
        using base::base;

        void belongs_to(std::uint64_t cpu) noexcept { cpu_ = static_cast<unsigned>(cpu); }

        [[nodiscard]] refusal reserve(std::uint64_t& at, std::uint64_t size, std::uint64_t capacity,
                                      const std::atomic<std::uint64_t>& tail) noexcept {
            if (!sequences_) return base::reserve(at, size, capacity, tail);
            return this->reserve_by(at, size, capacity, tail, [&](std::uint64_t& from) {
                return Barriers::template claim_on<restartable>(cpu_, *this->head_, from, from + size);
            });
        }

      private:
        unsigned cpu_ = 0;
        bool sequences_ = restartable::missing() == nullptr;
    };

    template <class Barriers>
    using consumer_side = shared::consumer_side<Barriers>;
};

} // namespace ringproof
