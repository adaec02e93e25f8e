// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ringproof/barriers.hpp"
#include "ringproof/concepts/hand_over.hpp"
#include "ringproof/hand_over.hpp"
#include "ringproof/layout/padded.hpp"
#include "ringproof/producer/reads_to_head.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// Who writes: one thread. Head says how far the records are complete; there is no read-modify-write.
///
///      tail              head         position   + total
///        |  records        | gathered |  reserved  |
///     ---+=================+==========+............+---
///
/// One reservation at a time, since head could not skip one that is still open. For the same reason a
/// discarded reservation costs nothing: the next one starts at the same place.
///
/// @tparam HandOver `each`: head is stored for every record; `batched<N>`: when N bytes of records have gathered, when
///         there is no room for the next one, and at `record_ring::flush()`. What is not handed over yet is lost with
///         its process. For `in_band` see single_in_band.hpp.
/// @par Progress
/// Wait-free on both sides. Not reentrant: a signal handler must not write to the ring its thread writes to.
template <class HandOver>
struct single_producer {
    static constexpr bool many_threads = false;
    static constexpr bool commits_in_band = false;
    static constexpr bool batches = HandOver::batches;
    static constexpr bool tells_open = true;
    static constexpr bool belongs_to_cpu = false;
    static constexpr bool marks_crashes = false;
    static constexpr bool reports_losses = true;
    static constexpr bool can_pause = true;
    static constexpr bool overwrites =
        !batches; ///< a snapshot begins at head, which has to be stored for each record
    static constexpr std::size_t keeps_free = 0; ///< of the capacity

    template <class Barriers, class Layout = padded>
    class producer_side {
      public:
        explicit producer_side(std::uint64_t start, const ring_memory* memory = nullptr) noexcept
            : head_(start, memory), position_(start), published_(start),
              known_tail_(first_tail(start, memory)), lost_(0, memory), paused_(0, memory), intent_(start) {}

        [[nodiscard]] refusal reserve(std::uint64_t& at, std::uint64_t size, std::uint64_t capacity,
                                      const std::atomic<std::uint64_t>& tail) noexcept {
            if (open_) return refusal::reservation_open;
            if (capacity - (position_ - known_tail_) < size) {
                // A <- D: licence to overwrite the records before tail.
                const std::uint64_t now = Barriers::load_tail(tail), used = position_ - now;
                // The tail in memory has been overwritten; it is not remembered either.
                if (used > capacity) return refusal::full;
                known_tail_ = now;
                if (capacity - used < size) return refusal::full;
            }
            at = position_;
            open_ = true;
            return refusal::none;
        }

        /// The open reservation has become longer at the front by a complete record of its own.
        void commit_front(const detail::record_area& area, std::uint64_t at, std::uint64_t header,
                          std::size_t size) noexcept {
            area.word(at) = header;
            position_ = at + size;
            front_ = true;
        }

        /// @return whether all that is complete is published
        bool commit(const detail::record_area& area, std::uint64_t at, std::uint64_t header,
                    std::size_t size) noexcept {
            area.word(at) = header;
            position_ = at + size;
            open_ = front_ = false;
            return hand_over();
        }

        bool discard(const detail::record_area&, std::uint64_t, std::size_t) noexcept {
            open_ = false;
            // Nothing but a record in front, if there is one.
            return std::exchange(front_, false) ? hand_over() : position_ == published_;
        }

        /// Hands over what has gathered. @return whether all that is complete is published
        bool flush() noexcept {
            if (position_ != published_) publish();
            return true;
        }

        // ---- keep_newest: nobody is asked for room -------------------------------------------------

        struct over {
            std::uint64_t before, after;
        };

        /// @param step the size, negative when the ring is written downwards @return the position before
        [[nodiscard]] over reserve_over(std::uint64_t step) noexcept {
            const std::uint64_t before = Barriers::own(intent_);
            Barriers::intend(intent_, before + step); // I -> J: what this implies is about to be overwritten.
            return {before, before + step};
        }
        void publish_over(over mine) noexcept {
            Barriers::publish_head(*head_, mine.after); // B -> C: the record at head is complete.
        }
        [[nodiscard]] const std::atomic<std::uint64_t>& intent() const noexcept { return intent_; }

        /// After a refusal for want of room: the consumer can only make some from what it knows of.
        bool refused() noexcept { return flush(); }

        void count_lost() noexcept { Barriers::count_own(*lost_, std::uint64_t{1}); }
        [[nodiscard]] std::uint64_t unreported() const noexcept { return Barriers::stat(*lost_) - reported_; }
        [[nodiscard]] std::uint64_t take_unreported() noexcept {
            const std::uint64_t total = Barriers::own(*lost_), before = std::exchange(reported_, total);
            return total - before;
        }

        [[nodiscard]] const std::atomic<std::uint64_t>& head() const noexcept { return *head_; }
        [[nodiscard]] const std::atomic<std::uint64_t>& lost() const noexcept { return *lost_; }
        [[nodiscard]] std::atomic<std::uint64_t>& paused() noexcept { return *paused_; }

        [[nodiscard]] bool open() const noexcept { return open_; }

      private:
        /// In memory with a ring in it there may be records that nobody has read: no room is known of.
        static std::uint64_t first_tail(std::uint64_t start, const ring_memory* memory) noexcept {
            return memory != nullptr && memory->attached() ? start - memory->capacity() : start;
        }

        bool hand_over() noexcept {
            if constexpr (batches)
                if (position_ - published_ < HandOver::most) return false;
            publish();
            return true;
        }
        void publish() noexcept {
            published_ = position_;
            Barriers::publish_head(*head_, position_); // B -> C: the records before head are complete.
        }

        typename Layout::template word<shared_word::head> head_;
        alignas(line_pair) std::uint64_t position_; ///< up to where records are complete
        std::uint64_t published_;                   ///< head, without an atomic access
        std::uint64_t known_tail_;
        bool open_ = false;
        bool front_ = false; ///< `position_` is ahead of head, by a LOST record
        typename Layout::template word<shared_word::lost> lost_;
        std::uint64_t reported_ = 0; ///< so many of them stand in LOST records
        typename Layout::template word<shared_word::paused> paused_;
        std::atomic<std::uint64_t> intent_; ///< keep_newest only: instead of `position_`
    };

    template <class Barriers>
    using consumer_side = detail::reads_to_head<Barriers>;
};

/// Refused: the sentence says why. What is derived from keeps the compiler from complaining of anything else.
template <class HandOver>
requires(!hand_over_policy<HandOver>) struct single_producer<HandOver> : single_producer<each> {
    static_assert(detail::explain_hand_over<HandOver>());
};

using single = single_producer<each>;
template <std::size_t Bytes = batched_records::most>
using single_batched = single_producer<batched<Bytes>>;

} // namespace ringproof
