// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ringproof/barriers.hpp"
#include "ringproof/layout/padded.hpp"
#include "ringproof/producer/reads_to_head.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// Who writes: one thread and the signal handlers that interrupt it, perf's own protocol (there: one CPU and its
/// interrupts). A handler runs from its reservation to its commit before the interrupted writer goes on.
///
///      tail          head                       reserved
///        |  records    |  outer … | inner | … …    |
///     ---+=============+..........+=======+........+---
///
/// Reservations are made by a compare-exchange without LOCK. `nest` counts those that are open; inner ones lie
/// above outer ones, so only the outermost may publish, and it publishes all of them. A handler that comes in
/// after it read `reserved` and before it took `nest` back publishes nothing itself, hence the look after that:
/// when `reserved` has moved, it publishes again.
///
///     publish:  nest stays 1 | head := reserved | nest := 0 | reserved moved? nest := 1, again
///
/// Between these steps only the compiler has to keep the order; B is all that the consumer needs.
///
/// @par Progress
/// Wait-free on both sides, apart from tries that a handler's own success made necessary. Async-signal-safe.
/// Never two threads at a time: neither the compare-exchange nor `nest` would notice.
/// @par Capacity
/// As in perf, one byte of the area stays free: a ring of N bytes takes records of N - 8 in all.
///
/// After perf_output_begin and perf_output_put_handle in kernel/events/ring_buffer.c.
struct nested {
    static constexpr bool many_threads = false;
    static constexpr bool commits_in_band = false;
    static constexpr bool batches = false;
    static constexpr bool tells_open = true;
    static constexpr bool belongs_to_cpu = false;
    static constexpr bool marks_crashes = false;
    static constexpr bool reports_losses = true;
    static constexpr bool can_pause = true;
    static constexpr bool overwrites = true;
    static constexpr std::size_t keeps_free = 8; ///< of the capacity

    template <class Barriers, class Layout = padded>
    class producer_side {
      public:
        explicit producer_side(std::uint64_t start, const ring_memory* memory = nullptr) noexcept
            : head_(start, memory), reserved_(start), lost_(0, memory), paused_(0, memory) {}

        /// A refusal leaves `nest` as it is until `refused()`.
        [[nodiscard]] refusal reserve(std::uint64_t& at, std::uint64_t size, std::uint64_t capacity,
                                      const std::atomic<std::uint64_t>& tail) noexcept {
            Barriers::set_own(nest_, Barriers::own(nest_) + 1);
            Barriers::interrupt_barrier();
            at = Barriers::own(reserved_);
            do {
                // A <- D: licence to overwrite the records before tail. Whatever is in tail, the difference is
                // less than the capacity: a wrong tail costs records, never the memory beside the area.
                const std::uint64_t room = (Barriers::load_tail(tail) - (at + 1)) & (capacity - 1);
                if (room < size) return refusal::full;
            } while (!Barriers::local_cmpxchg(reserved_, at, at + size));
            return refusal::none;
        }

        /// A record of its own in front of the reservation.
        void commit_front(const detail::record_area& area, std::uint64_t at, std::uint64_t header,
                          std::size_t) noexcept {
            area.word(at) = header;
        }

        /// @return whether all that is complete is published
        bool commit(const detail::record_area& area, std::uint64_t at, std::uint64_t header,
                    std::size_t) noexcept {
            area.word(at) = header;
            return leave(Barriers::own(nest_) - 1);
        }

        bool discard(const detail::record_area& area, std::uint64_t at, std::size_t size) noexcept {
            area.word(at) = detail::header_word({record_type::padding, 0}, size - detail::header_size);
            return leave(Barriers::own(nest_) - 1);
        }

        // ---- keep_newest: nobody is asked for room -------------------------------------------------

        /// Whoever came in between has left again by the time this one does, so `nest` is what it was: kept here, it
        /// need not be loaded again right after it was stored, which would be half of a small record's cost.
        struct over {
            std::uint64_t before;
            std::uint32_t outer; ///< how many were open already
        };

        /// @param step the size, negative when the ring is written downwards @return the position before
        [[nodiscard]] over reserve_over(std::uint64_t step) noexcept {
            const std::uint32_t outer = Barriers::own(nest_);
            Barriers::set_own(nest_, outer + 1);
            Barriers::interrupt_barrier();
            const std::uint64_t before = Barriers::local_add(reserved_, step);
            Barriers::intended(); // I -> J: what `reserved` implies is about to be overwritten.
            return {before, outer};
        }
        void publish_over(over mine) noexcept { leave(mine.outer); }
        [[nodiscard]] const std::atomic<std::uint64_t>& intent() const noexcept { return reserved_; }

        /// After a refusal for want of room. @return whether all that is complete is published
        bool refused() noexcept { return leave(Barriers::own(nest_) - 1); }

        void count_lost() noexcept {
            std::uint64_t total = Barriers::own(*lost_);
            while (!Barriers::local_cmpxchg(*lost_, total, total + 1)) {
            }
        }
        [[nodiscard]] std::uint64_t unreported() const noexcept {
            const std::uint64_t before = Barriers::own(reported_);
            return Barriers::stat(*lost_) - before; // loaded later, so never less
        }
        [[nodiscard]] std::uint64_t take_unreported() noexcept {
            std::uint64_t before = Barriers::own(reported_), total = 0;
            do {
                total = Barriers::own(*lost_); // loaded later, so never less
            } while (!Barriers::local_cmpxchg(reported_, before, total));
            return total - before;
        }

        [[nodiscard]] const std::atomic<std::uint64_t>& head() const noexcept { return *head_; }
        [[nodiscard]] const std::atomic<std::uint64_t>& lost() const noexcept { return *lost_; }
        [[nodiscard]] std::atomic<std::uint64_t>& paused() noexcept { return *paused_; }
        [[nodiscard]] bool open() const noexcept { return Barriers::own(nest_) != 0; }

      private:
        /// @param outer how many stay open
        bool leave(std::uint32_t outer) noexcept {
            if (outer != 0) {
                Barriers::set_own(nest_, outer);
                return false;
            }
            for (;;) {
                Barriers::
                    interrupt_barrier(); // nest is 1 before reserved is read: who comes now doesn't publish
                const std::uint64_t all = Barriers::own(reserved_);
                Barriers::publish_head(*head_, all); // B -> C: the records before head are complete.
                Barriers::interrupt_barrier();       // not before head is stored: it must never go back
                Barriers::set_own(nest_, std::uint32_t{0});
                Barriers::interrupt_barrier(); // who came until now was nested and has published nothing
                if (Barriers::own(reserved_) == all) return true;
                Barriers::set_own(nest_, std::uint32_t{1});
            }
        }

        typename Layout::template word<shared_word::head> head_;
        alignas(line_pair) std::atomic<std::uint64_t> reserved_;
        std::atomic<std::uint32_t> nest_{0};
        typename Layout::template word<shared_word::lost> lost_;
        std::atomic<std::uint64_t> reported_{0}; ///< so many of them stand in LOST records
        typename Layout::template word<shared_word::paused> paused_;
    };

    template <class Barriers>
    using consumer_side = detail::reads_to_head<Barriers>;
};

} // namespace ringproof
