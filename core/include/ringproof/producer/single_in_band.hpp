// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ringproof/barriers.hpp"
#include "ringproof/capacity.hpp"
#include "ringproof/hand_over.hpp"
#include "ringproof/layout/padded.hpp"
#include "ringproof/producer/reads_in_band.hpp"
#include "ringproof/producer/single.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// Who writes: one thread, and each record's own header word hands it over. The consumer waits at the very line that
/// brings the data, so one line travels where `single` needs two: the least latency.
///
///      tail                        position
///        |  committed | committed |0|
///     ---+============+===========+-+---
///                                  ^ the word behind what is committed is zero: the consumer stops there
///
/// The producer zeroes the word behind a record before it commits the record, so the consumer zeroes nothing. That word
/// must be free: a ring of N bytes takes records of N - 8 in all. Nobody but the producer reads `position`.
///
/// @par Progress
/// Wait-free on both sides. Not reentrant.
///
/// After Aeron's OneToOneRingBuffer (length word in band, the next one zeroed first).
template <>
struct single_producer<in_band> {
    static constexpr bool many_threads = false;
    static constexpr bool commits_in_band = true;
    static constexpr bool batches = false;
    static constexpr bool tells_open = true;
    static constexpr bool belongs_to_cpu = false;
    static constexpr bool marks_crashes = false;
    static constexpr bool reports_losses = true;
    static constexpr bool can_pause = true;
    static constexpr bool overwrites = false;
    static constexpr std::size_t keeps_free = 8; ///< of the capacity

    template <class Barriers, class Layout = padded>
    class producer_side {
      public:
        explicit producer_side(std::uint64_t start, const ring_memory* memory = nullptr) noexcept
            : position_(start, memory), known_tail_(start), lost_(0, memory), paused_(0, memory) {}

        [[nodiscard]] refusal reserve(std::uint64_t& at, std::uint64_t size, std::uint64_t capacity,
                                      const std::atomic<std::uint64_t>& tail) noexcept {
            if (open_) return refusal::reservation_open;
            const std::uint64_t position = Barriers::own(*position_), wanted = size + keeps_free;
            if (capacity - (position - known_tail_) < wanted) {
                // A <- D: licence to overwrite the records before tail.
                const std::uint64_t now = Barriers::load_tail(tail), used = position - now;
                // The tail in memory has been overwritten; it is not remembered either.
                if (used > capacity) return refusal::full;
                known_tail_ = now;
                if (capacity - used < wanted) return refusal::full;
            }
            at = position;
            open_ = true;
            return refusal::none;
        }

        /// A record of its own in front of the reservation, complete at once.
        void commit_front(const detail::record_area& area, std::uint64_t at, std::uint64_t header,
                          std::size_t size) noexcept {
            Barriers::init(&area.word(at + size), 0); // the consumer does not look there before the commit
            Barriers::set_own(*position_, at + size);
            Barriers::commit(area.word(at), header); // B -> C: this record, and that none follows yet.
        }

        /// @return whether all that is complete is published
        bool commit(const detail::record_area& area, std::uint64_t at, std::uint64_t header,
                    std::size_t size) noexcept {
            open_ = false;
            commit_front(area, at, header, size);
            return true;
        }

        bool discard(const detail::record_area&, std::uint64_t, std::size_t) noexcept {
            open_ = false; // its header word is still zero: the next one begins at the same place
            return true;
        }

        /// After a refusal for want of room. @return whether all that is complete is published
        bool refused() noexcept { return true; }

        void count_lost() noexcept { Barriers::count_own(*lost_, std::uint64_t{1}); }
        [[nodiscard]] std::uint64_t unreported() const noexcept {
            return Barriers::stat(*lost_) - Barriers::own(reported_);
        }
        [[nodiscard]] std::uint64_t take_unreported() noexcept {
            const std::uint64_t total = Barriers::own(*lost_), before = Barriers::own(reported_);
            Barriers::set_own(reported_, total);
            return total - before;
        }

        [[nodiscard]] const std::atomic<std::uint64_t>& head() const noexcept { return *position_; }
        [[nodiscard]] const std::atomic<std::uint64_t>& lost() const noexcept { return *lost_; }
        [[nodiscard]] std::atomic<std::uint64_t>& paused() noexcept { return *paused_; }
        [[nodiscard]] bool open() const noexcept { return open_; }

      private:
        typename Layout::template word<shared_word::reserved> position_;
        std::uint64_t known_tail_;
        bool open_ = false;
        typename Layout::template word<shared_word::lost> lost_;
        std::atomic<std::uint64_t> reported_{0}; ///< so many of them stand in LOST records
        typename Layout::template word<shared_word::paused> paused_;
    };

    template <class Barriers>
    class consumer_side : public detail::reads_in_band<Barriers> {
      public:
        using detail::reads_in_band<Barriers>::reads_in_band;
        static constexpr bool tells_held_up = true;

        void scrub(const detail::record_area& area, std::uint64_t from, std::size_t size) const noexcept {
            // Not for little, as in reads_to_head; here the producer is in the next line already.
            if (size > 8 * detail::cache_line && !area.left_alone()) area.take_over(from, size);
        }

        /// A record in the making holds nobody up: those before it are committed, and none can follow.
        template <class ProducerSide>
        [[nodiscard]] bool held_up(const ProducerSide&, std::uint64_t) const noexcept {
            return false;
        }
    };
};

using single_in_band = single_producer<in_band>;

} // namespace ringproof
