// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ringproof/barriers.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"

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
    template <class Barriers>
    class producer_side {
      public:
        explicit producer_side(std::uint64_t start) noexcept : head_(start) {}

        [[nodiscard]] refusal reserve(std::uint64_t& at, std::uint64_t size, std::uint64_t capacity,
                                      const std::atomic<std::uint64_t>& tail) noexcept {
            at = Barriers::claimed(head_);
            do {
                // A <- D: licence to overwrite the records before tail.
                const std::uint64_t used = at - Barriers::load_tail(tail);
                if (used > capacity) {
                    // Tail has passed `at`, so head has long since, and after A it can't be read as old as
                    // that again. If it still is, the tail in memory has been overwritten.
                    const std::uint64_t stale = at;
                    at = Barriers::claimed(head_);
                    if (at == stale) return refusal::full;
                    continue;
                }
                if (capacity - used < size) return refusal::full;
                if (Barriers::claim(head_, at, at + size)) return refusal::none;
            } while (true);
        }

        void commit(const detail::record_area& area, std::uint64_t at, std::uint64_t header,
                    std::size_t) noexcept {
            Barriers::commit(area.word(at), header); // B -> C: the record behind this header is complete.
        }

        void discard(const detail::record_area& area, std::uint64_t at, std::size_t size) noexcept {
            // B -> C: here is nothing, but it is complete.
            Barriers::commit(area.word(at),
                             detail::header_word({record_type::padding, 0}, size - detail::header_size));
        }

        void count_lost() noexcept { Barriers::count_shared(lost_, std::uint64_t{1}); }

        [[nodiscard]] const std::atomic<std::uint64_t>& head() const noexcept { return head_; }
        [[nodiscard]] const std::atomic<std::uint64_t>& lost() const noexcept { return lost_; }

      private:
        std::atomic<std::uint64_t> head_;
        std::atomic<std::uint64_t> lost_{0};
    };

    template <class Barriers>
    class consumer_side {
      public:
        explicit consumer_side(std::uint64_t) noexcept {}

        [[nodiscard]] read_error look(const producer_side<Barriers>&, std::uint64_t, std::uint64_t) noexcept {
            return read_error::none;
        }

        /// Everything from `at` to where this lap began; beyond it lie the records of this batch again.
        [[nodiscard]] std::uint64_t available(std::uint64_t at, std::uint64_t tail,
                                              std::uint64_t capacity) const noexcept {
            return capacity - (at - tail);
        }

        [[nodiscard]] std::uint64_t header(const detail::record_area& area, std::uint64_t at) const noexcept {
            return Barriers::load_commit(area.word(at)); // C <- B: the record behind it may be read.
        }

        void scrub(const detail::record_area& area, std::uint64_t from, std::size_t size) const noexcept {
            area.clear(from, size);
        }

        static constexpr bool zero_is_uncommitted = true;
    };
};

} // namespace ringproof
