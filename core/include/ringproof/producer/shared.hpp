// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ringproof/barriers.hpp"
#include "ringproof/layout/padded.hpp"
#include "ringproof/producer/reads_in_band.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// Who writes: any number of threads. Head says how far space is reserved; the header word of each record
/// says that it is complete.
///
///      tail                                        head
///        |  committed | reserved | committed | 0 … 0 |
///     ---+============+..........+===========+.......+---
///                     ^ the consumer stops at the first header that is still 0
///
/// Stale memory must never look committed, and any aligned word of one lap may be a header in the next. So
/// the consumer zeroes what it has read before it gives it back; D covers its zeroes as well as its loads.
/// (It also takes the line over, which makes the producers' next lap cheaper.)
///
/// @par Progress
/// Reserving is lock-free: a failed compare-exchange means that another producer succeeded. Committing and
/// reading are wait-free. A producer that stops between the two holds up the consumer at its record, and the
/// other producers only when the ring is full. A signal handler may write to the ring its thread writes to.
///
/// After Agrona's ManyToOneRingBuffer (length word in band, zeroing consumer), with perf's headers and with
/// records that may go around the end.
struct shared {
    static constexpr bool many_threads = true;
    static constexpr bool commits_in_band = true;
    static constexpr bool batches = false;
    static constexpr bool tells_open = false;
    static constexpr bool belongs_to_cpu = false;
    static constexpr bool marks_crashes = false;
    static constexpr bool reports_losses = true;
    static constexpr bool can_pause = true;
    static constexpr bool overwrites = false;
    static constexpr std::size_t keeps_free = 0; ///< of the capacity

    template <class Barriers, class Layout = padded>
    class producer_side {
      public:
        explicit producer_side(std::uint64_t start, const ring_memory* memory = nullptr) noexcept
            : head_(start, memory), lost_(0, memory), reported_(0, memory), paused_(0, memory) {}

        [[nodiscard]] refusal reserve(std::uint64_t& at, std::uint64_t size, std::uint64_t capacity,
                                      const std::atomic<std::uint64_t>& tail) noexcept {
            return reserve_by(at, size, capacity, tail, [&](std::uint64_t& from) {
                return Barriers::claim(*head_, from, from + size) ? local_change::done
                                                                  : local_change::changed;
            });
        }

        /// A record of its own in front of the reservation.
        void commit_front(const detail::record_area& area, std::uint64_t at, std::uint64_t header,
                          std::size_t) noexcept {
            Barriers::commit(area.word(at), header); // B -> C: the record behind this header is complete.
        }

        /// @return whether all that is complete is published
        bool commit(const detail::record_area& area, std::uint64_t at, std::uint64_t header,
                    std::size_t) noexcept {
            Barriers::commit(area.word(at), header); // B -> C: the record behind this header is complete.
            return true;
        }

        bool discard(const detail::record_area& area, std::uint64_t at, std::size_t size) noexcept {
            // B -> C: here is nothing, but it is complete.
            Barriers::commit(area.word(at),
                             detail::header_word({record_type::padding, 0}, size - detail::header_size));
            return true;
        }

        /// After a refusal for want of room. @return whether all that is complete is published
        bool refused() noexcept { return true; }

        void count_lost() noexcept { Barriers::count_shared(*lost_, std::uint64_t{1}); }
        [[nodiscard]] std::uint64_t unreported() const noexcept {
            const std::uint64_t before = Barriers::stat(*reported_), total = Barriers::stat(*lost_);
            // Two loads: another producer may have reported more in between than this one knows to be lost.
            return static_cast<std::int64_t>(total - before) > 0 ? total - before : 0;
        }
        [[nodiscard]] std::uint64_t take_unreported() noexcept {
            std::uint64_t before = Barriers::stat(*reported_);
            for (;;) {
                const std::uint64_t total = Barriers::stat(*lost_);
                if (static_cast<std::int64_t>(total - before) <= 0) return 0; // another producer reported it
                if (Barriers::account(*reported_, before, total)) return total - before;
            }
        }

        [[nodiscard]] const std::atomic<std::uint64_t>& head() const noexcept { return *head_; }
        [[nodiscard]] const std::atomic<std::uint64_t>& lost() const noexcept { return *lost_; }
        [[nodiscard]] std::atomic<std::uint64_t>& paused() noexcept { return *paused_; }

      protected:
        /// @param at where the reservation begins
        /// @param size bytes, with the header
        /// @param capacity of the ring
        /// @param tail the consumer's position
        /// @param claim takes [at, at + size), or refreshes `at`
        template <class Claim>
        [[nodiscard]] refusal reserve_by(std::uint64_t& at, std::uint64_t size, std::uint64_t capacity,
                                         const std::atomic<std::uint64_t>& tail, Claim&& claim) noexcept {
            at = Barriers::claimed(*head_);
            for (;;) {
                // A <- D: licence to overwrite the records before tail.
                const std::uint64_t used = at - Barriers::load_tail(tail);
                if (used > capacity) {
                    // Tail has passed `at`, so head has long since, and after A it can't be read as old as
                    // that again. If it still is, the tail in memory has been overwritten.
                    const std::uint64_t stale = at;
                    at = Barriers::claimed(*head_);
                    if (at == stale) return refusal::full;
                    continue;
                }
                if (capacity - used < size) return refusal::full;
                const local_change answer = claim(at);
                if (answer == local_change::done) return refusal::none;
                if (answer == local_change::elsewhere) return refusal::elsewhere;
            }
        }

        typename Layout::template word<shared_word::head> head_;

      private:
        typename Layout::template word<shared_word::lost> lost_;
        typename Layout::template word<shared_word::reported> reported_; ///< of the lost, in LOST records
        typename Layout::template word<shared_word::paused> paused_;
    };

    template <class Barriers>
    class consumer_side : public detail::reads_in_band<Barriers> {
      public:
        using detail::reads_in_band<Barriers>::reads_in_band;
        static constexpr bool tells_held_up = true;

        void scrub(const detail::record_area& area, std::uint64_t from, std::size_t size) const noexcept {
            area.clear(from, size);
        }

        /// Does a reservation that is not complete yet stand in the way at `tail`?
        template <class ProducerSide>
        [[nodiscard]] bool held_up(const ProducerSide& producer, std::uint64_t tail) const noexcept {
            return Barriers::stat(producer.head()) != tail;
        }
    };
};

} // namespace ringproof
