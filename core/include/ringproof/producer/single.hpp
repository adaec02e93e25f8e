// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ringproof/barriers.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"

namespace ringproof {

/// Who writes: one thread. Head says how far the records are complete; there is no read-modify-write.
///
///      tail              head         position + total
///        |  records        |  reserved  |
///     ---+=================+............+---
///
/// One reservation at a time, since head could not skip one that is still open. For the same reason a
/// discarded reservation costs nothing: the next one starts at the same place.
///
/// @par Progress
/// Wait-free on both sides. Not reentrant: a signal handler must not write to the ring its thread writes to.
struct single {
    template <class Barriers>
    class producer_side {
      public:
        explicit producer_side(std::uint64_t start) noexcept
            : head_(start), position_(start), known_tail_(start) {}

        [[nodiscard]] refusal reserve(std::uint64_t& at, std::uint64_t size, std::uint64_t capacity,
                                      const std::atomic<std::uint64_t>& tail) noexcept {
            if (open_) return refusal::reservation_open;
            if (capacity - (position_ - known_tail_) < size) {
                // A <- D: licence to overwrite the records before tail.
                known_tail_ = Barriers::load_tail(tail);
                const std::uint64_t used = position_ - known_tail_;
                // More than the capacity: the tail in memory has been overwritten.
                if (used > capacity || capacity - used < size) return refusal::full;
            }
            at = position_;
            open_ = true;
            return refusal::none;
        }

        void commit(const detail::record_area& area, std::uint64_t at, std::uint64_t header,
                    std::size_t size) noexcept {
            area.word(at) = header;
            position_ = at + size;
            open_ = false;
            Barriers::publish_head(head_, position_); // B -> C: the record before head is complete.
        }

        void discard(const detail::record_area&, std::uint64_t, std::size_t) noexcept { open_ = false; }

        void count_lost() noexcept { Barriers::count_own(lost_, std::uint64_t{1}); }

        [[nodiscard]] const std::atomic<std::uint64_t>& head() const noexcept { return head_; }
        [[nodiscard]] const std::atomic<std::uint64_t>& lost() const noexcept { return lost_; }

      private:
        std::atomic<std::uint64_t> head_;
        std::uint64_t position_; ///< head, without an atomic access
        std::uint64_t known_tail_;
        bool open_ = false;
        std::atomic<std::uint64_t> lost_{0};
    };

    template <class Barriers>
    class consumer_side {
      public:
        explicit consumer_side(std::uint64_t start) noexcept : known_head_(start) {}

        /// A batch begins at `tail`.
        [[nodiscard]] read_error look(const producer_side<Barriers>& producer, std::uint64_t tail,
                                      std::uint64_t capacity) noexcept {
            if (known_head_ != tail) return read_error::none; // Something is left of what was seen last time.
            // C <- B: the records before head may be read.
            const std::uint64_t head = Barriers::load_head(producer.head());
            if (head - tail > capacity) return read_error::head_out_of_range;
            known_head_ = head;
            return read_error::none;
        }

        /// How many bytes from `at` on can be records.
        [[nodiscard]] std::uint64_t available(std::uint64_t at, std::uint64_t, std::uint64_t) const noexcept {
            return known_head_ - at;
        }

        /// The header of the record at `at`, within what is available; 0 when there is none yet.
        [[nodiscard]] std::uint64_t header(const detail::record_area& area, std::uint64_t at) const noexcept {
            return area.word(at);
        }

        /// Before [from, from + size) is given back.
        void scrub(const detail::record_area&, std::uint64_t, std::size_t) const noexcept {}

        static constexpr bool zero_is_uncommitted = false;

      private:
        std::uint64_t known_head_;
    };
};

} // namespace ringproof
