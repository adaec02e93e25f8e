// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ringproof/capacity.hpp"
#include "ringproof/concepts/wake.hpp"
#include "ringproof/wake/silent.hpp"

namespace ringproof {

/// The consumer is woken when the producers have written a watermark's worth of bytes since the last time, or when
/// they have been refused for want of room. `ready()` is a level: once raised it stays until the consumer has
/// found the ring empty, however often it is asked and by how many.
///
///              raise, by whoever crosses            drained, by the consumer
///     idle ----------------------------> awake ------------------------------> idle, or
///       ^                                  ^                                   blocked: the next record is
///       +---- below the watermark          +---- there was more after all      reserved and not yet complete
///
/// One flag, changed by read-modify-writes: a producer raises it after B, the consumer lowers it and then looks at
/// head again, so whichever comes second sees the other. What perf's own protocol misses can't happen:
/// | perf                                                      | here                                          |
/// |-----------------------------------------------------------|-----------------------------------------------|
/// | a nested writer moves the stamp before the outer saved it | no stamp is saved; a crossing is noted, and    |
/// |                                                           | the outermost takes the note after publishing |
/// | a watermark that can't be crossed before the ring is full | it is at most half the capacity               |
/// | a refused writer wakes nobody                             | it raises                                     |
/// | poll consumes readiness while there is unread data        | only finding the ring empty does              |
/// | woken before the data is published                        | only whoever has published raises             |
///
/// As in perf, the stamp follows the bytes produced, one watermark at a time, not what is unread.
///
/// @tparam Sink how a sleeper is reached: `futex` or `event_descriptor`
template <class Sink>
struct watermark {
    static constexpr bool wakes = true;
    static constexpr bool has_descriptor = Sink::has_descriptor;

    enum flag : std::uint32_t { idle, awake, blocked };

    template <class Barriers, class Producer>
    class state {
      public:
        /// @param capacity of the ring
        /// @param start first position
        /// @param wanted 0: half the capacity
        state(std::size_t capacity, std::uint64_t start, std::size_t wanted)
            : watermark_(wanted == 0 ? capacity / 2 : std::min(wanted, capacity / 2)), stamp_(start) {}

        [[nodiscard]] std::uint64_t bytes() const noexcept { return watermark_; }

        // ---- producers -------------------------------------------------------------------------

        /// A reservation up to `end` has been made.
        void reserved(std::uint64_t end) noexcept {
            if constexpr (!Producer::many_threads) {
                const std::uint64_t stamp = Barriers::own(stamp_);
                // Signed: a discarded reservation may have moved the stamp ahead.
                if (static_cast<std::int64_t>(end - stamp) <= static_cast<std::int64_t>(watermark_)) return;
                Barriers::set_own(stamp_, stamp + watermark_);
                Barriers::set_own(crossed_, true);
            }
        }

        /// The reservation [at, end) is over.
        /// @param all everything that is complete has been published
        /// @param at where the reservation begins
        /// @param end where it ends
        void published(bool all, std::uint64_t at, std::uint64_t end) noexcept {
            if constexpr (Producer::many_threads) {
                Barriers::settle(); // the consumer: blocked, then a look at our record
                if (at / watermark_ != end / watermark_ || Barriers::stat(flag_) == blocked) raise();
            } else {
                take_note(all);
            }
        }

        /// There was no room.
        void refused(bool all) noexcept {
            if constexpr (Producer::many_threads) {
                raise();
            } else {
                Barriers::set_own(crossed_, true);
                take_note(all);
            }
        }

        /// What had gathered has been handed over.
        void flushed(bool all) noexcept { take_note(all); }

        // ---- consumer --------------------------------------------------------------------------

        /// A batch has found no more records from `tail` on.
        template <class ProducerSide, class View, class Area>
        void drained(const ProducerSide& producer, const View& view, const Area& area,
                     std::uint64_t tail) noexcept {
            sink_.collect();
            if (Barriers::stat(flag_) != awake || view.more(producer, area, tail)) return;
            if (Barriers::lower(flag_, view.held_up(producer, tail) ? blocked : idle) == awake)
                sink_.lowered();
            Barriers::settle(); // a committing producer: its record, then a look at the flag
            if (view.more(producer, area, tail)) raise();
        }

        /// Sleeps until raised.
        void wait() noexcept {
            for (std::uint32_t seen = Barriers::stat(flag_); seen != awake; seen = Barriers::stat(flag_))
                sink_.template sleep<Barriers>(flag_, seen);
        }

        // ---- anybody ---------------------------------------------------------------------------

        [[nodiscard]] bool ready() const noexcept { return Barriers::stat(flag_) == awake; }

        void raise() noexcept {
            if (Barriers::raise(flag_, awake) != awake) sink_.raised(flag_);
        }

        [[nodiscard]] const Sink& sink() const noexcept { return sink_; }

      private:
        void take_note(bool all) noexcept {
            if (!all || !Barriers::own(crossed_)) return;
            // A handler between the two sets it again and takes it itself, or this raise covers both.
            Barriers::set_own(crossed_, false);
            raise();
        }

        std::uint64_t watermark_;
        std::atomic<std::uint64_t> stamp_; ///< producer
        std::atomic<bool> crossed_{false}; ///< producer: to be raised by the outermost
        alignas(line_pair) std::atomic<std::uint32_t> flag_{idle};
        Sink sink_;
    };
};

/// Refused: the sentence says why.
template <class Sink>
requires(!sink_policy<Sink>) struct watermark<Sink> : silent {
    static_assert(detail::explain_sink<Sink>());
};

} // namespace ringproof
