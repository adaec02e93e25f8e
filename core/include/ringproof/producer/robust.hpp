// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "ringproof/barriers.hpp"
#include "ringproof/concepts/identity.hpp"
#include "ringproof/layout/between_processes.hpp"
#include "ringproof/process_identity.hpp"
#include "ringproof/producer/reads_in_band.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// What `recover` did.
struct recovery {
    std::uint64_t records =
        0; ///< reservations of dead producers that were turned into padding, and counted as lost
    bool complete = true; ///< false: a living producer is between claim and header; call again
    bool orphan = false;  ///< nobody claims what stands at the consumer's position: the memory is damaged
};

/// Who writes: `shared`, from several processes, any of which may be killed anywhere. Each ring object is one
/// producer, used by one thread at a time, and has a place in the control page. A process that was forked makes a ring
/// object of its own from the descriptor: its copy of the parent's is the parent's producer, and must not be written to.
///
///      place:  who | at        claim, step by step              killed after it, `recover` finds
///                              at := position                   a place, nothing claimed
///                              reserved: position -> + size     header 0, and only the dead are at this position
///                              header := busy, place, size      a busy header whose place belongs to the dead
///                              payload … header := committed    nothing to do
///                              at := none
///
/// Whoever is at a position read it from `reserved`, so it is where some reservation begins; a claim with no header
/// yet ends where the next begins. A busy or missing header is only ever replaced when every producer that could own
/// it is proven dead: the process has ended, or its number belongs to another now. Time proves nothing.
///
/// @par Progress
/// As `shared`; one store more per reservation and one per commit. `recover` is for the consumer, and reads /proc.
///
/// @tparam Identity who a producer is, and the proof that it is dead
template <class Identity>
struct robust_producer {
    static constexpr bool many_threads = true;
    static constexpr bool commits_in_band = true;
    static constexpr bool batches = false;
    static constexpr bool tells_open = false;
    static constexpr bool belongs_to_cpu = false;
    static constexpr bool marks_crashes = true;
    static constexpr bool reports_losses = false;
    static constexpr bool can_pause = false;
    static constexpr bool overwrites = false;
    static constexpr std::size_t keeps_free = 0;

    static constexpr std::uint32_t busy_mark =
        0x8000'0000; ///< types from here to 0x8000ffff can't be written

    [[nodiscard]] static constexpr bool takes_type(std::uint32_t type) noexcept {
        return type >> 16 == busy_mark >> 16;
    }
    [[nodiscard]] static constexpr record_header as_header(std::uint64_t word) noexcept {
        return std::bit_cast<record_header>(word);
    }

    template <class Barriers, class Layout>
    class producer_side {
      public:
        /// @throws std::runtime_error when all places are taken
        producer_side(std::uint64_t start, const ring_memory* memory)
            : memory_(memory), head_(start, memory), lost_(0, memory), self_(Identity::own()) {
            for (std::size_t i = 0; i != Layout::places; ++i) {
                auto& owner = place(i, 0);
                auto& at = place(i, 8);
                if (at_ == nullptr && Barriers::take_place(owner, 0, self_)) {
                    place_ = i;
                    owner_ = &owner;
                    at_ = &at;
                }
            }
            if (at_ == nullptr)
                throw std::runtime_error(
                    "all 56 places for producers are taken; recover() gives back the dead's");
        }
        producer_side(const producer_side&) = delete;
        producer_side& operator=(const producer_side&) = delete;
        ~producer_side() {
            // After a fork the place is the parent's still.
            if constexpr (Identity::knows_forks)
                if (!Identity::is_own(self_)) return;
            // With a reservation open nobody else may have the place: when the process has ended, `recover` gives it back.
            if (Barriers::own(*at_) == 0) Barriers::announce(*owner_, 0);
        }

        [[nodiscard]] refusal reserve(std::uint64_t& at, std::uint64_t size, std::uint64_t capacity,
                                      const std::atomic<std::uint64_t>& tail) noexcept {
            if (Barriers::own(*at_) != 0) return refusal::reservation_open;
            const auto refused = [&] {
                Barriers::announce(*at_, 0);
                return refusal::full;
            };
            at = Barriers::claimed(*head_);
            do {
                Barriers::announce(*at_, at | 1);
                // A <- D: licence to overwrite the records before tail.
                const std::uint64_t used = at - Barriers::load_tail(tail);
                if (used > capacity) {
                    // As in `shared`: out of date, or the tail in memory has been overwritten.
                    const std::uint64_t stale = at;
                    at = Barriers::claimed(*head_);
                    if (at == stale) return refused();
                    continue;
                }
                if (capacity - used < size) return refused();
                if (Barriers::claim_announced(*head_, at, at + size)) break;
            } while (true);
            size_ = size;
            return refusal::none;
        }

        /// After reserve, before any of the payload: whose this is.
        void mark(const detail::record_area& area, std::uint64_t at) noexcept {
            Barriers::commit(area.word(at), std::bit_cast<std::uint64_t>(
                                                record_header{busy_mark | static_cast<std::uint32_t>(place_),
                                                              0, static_cast<std::uint16_t>(size_)}));
        }

        bool commit(const detail::record_area& area, std::uint64_t at, std::uint64_t header,
                    std::size_t) noexcept {
            Barriers::commit(area.word(at), header); // B -> C: the record behind this header is complete.
            Barriers::announce(*at_, 0);
            return true;
        }

        bool discard(const detail::record_area& area, std::uint64_t at, std::size_t size) noexcept {
            return commit(area, at,
                          detail::header_word({record_type::padding, 0}, size - detail::header_size), size);
        }

        bool refused() noexcept { return true; }
        void count_lost() noexcept { Barriers::count_shared(*lost_, std::uint64_t{1}); }
        [[nodiscard]] const std::atomic<std::uint64_t>& head() const noexcept { return *head_; }
        [[nodiscard]] const std::atomic<std::uint64_t>& lost() const noexcept { return *lost_; }

        /// @param area the ring's data
        /// @param tail the consumer's position
        recovery recover(const detail::record_area& area, std::uint64_t tail) noexcept {
            recovery result;
            std::array<bool, Layout::places> dead{};
            std::array<std::uint64_t, Layout::places> owner{}, at{};
            for (std::size_t i = 0; i != Layout::places; ++i) {
                owner[i] = Barriers::announced(place(i, 0));
                dead[i] = owner[i] != 0 && Identity::dead(owner[i]);
            }
            // In this order: whoever claimed below head had said so before, and if it says something else by now,
            // its header is there.
            const std::uint64_t head = Barriers::load_head(*head_);
            for (std::size_t i = 0; i != Layout::places; ++i) at[i] = Barriers::announced(place(i, 8));
            if (head - tail > area.capacity()) {
                result.orphan = true;
                return result;
            }
            for (std::uint64_t position = tail; position != head;) {
                const auto header = as_header(Barriers::load_commit(area.word(position)));
                std::uint64_t size = header.size;
                if (size == 0) {
                    size = unmarked(area, position, head, owner, at, dead, result);
                    if (size == 0) return result;
                } else if (takes_type(header.type)) {
                    const std::size_t whose = header.type & 0xffff;
                    if (whose >= Layout::places) result.orphan = true;
                    if (whose < Layout::places && dead[whose]) give_up(area, position, size, result);
                }
                if (size % 8 != 0 || size > head - position) result.orphan = true;
                if (result.orphan) return result;
                position += size;
            }
            for (std::size_t i = 0; i != Layout::places; ++i)
                if (dead[i]) {
                    Barriers::announce(place(i, 8), 0);
                    static_cast<void>(Barriers::take_place(place(i, 0), owner[i], 0));
                }
            return result;
        }

      private:
        using positions = std::array<std::uint64_t, Layout::places>;

        [[nodiscard]] std::atomic<std::uint64_t>& place(std::size_t index, std::size_t part) const noexcept {
            return *std::launder(reinterpret_cast<std::atomic<std::uint64_t>*>(
                memory_->control() + Layout::places_at + 64 * index + part));
        }

        /// A claim without a header at `position`. @return its size, or 0 when it can't be told
        std::uint64_t unmarked(const detail::record_area& area, std::uint64_t position, std::uint64_t head,
                               const positions& owner, const positions& at,
                               const std::array<bool, Layout::places>& dead, recovery& result) noexcept {
            bool claimed = false, living = false;
            std::uint64_t size = head - position;
            for (std::size_t i = 0; i != at.size(); ++i) {
                if (at[i] == 0) continue;
                const std::uint64_t distance = (at[i] & ~std::uint64_t{1}) - position;
                if (distance == 0) {
                    claimed = true;
                    living |= owner[i] == 0 || !dead[i];
                } else if (distance < size) {
                    size = distance;
                }
            }
            if (living || !claimed) {
                // Between the two looks its header may have come.
                const auto now = as_header(Barriers::load_commit(area.word(position)));
                if (now.size != 0 && !takes_type(now.type)) return now.size;
                result.complete = false;
                result.orphan = !claimed && now.size == 0;
                return 0;
            }
            for (std::uint64_t ahead = 8; ahead < size; ahead += 8)
                if (Barriers::load_commit(area.word(position + ahead)) != 0) size = ahead;
            give_up(area, position, size, result);
            return size;
        }

        void give_up(const detail::record_area& area, std::uint64_t position, std::uint64_t size,
                     recovery& result) noexcept {
            Barriers::commit(area.word(position),
                             detail::header_word({record_type::padding, 0},
                                                 static_cast<std::size_t>(size) - detail::header_size));
            count_lost();
            ++result.records;
        }

        const ring_memory* memory_;
        typename Layout::template word<shared_word::head> head_;
        typename Layout::template word<shared_word::lost> lost_;
        std::uint64_t self_;
        std::size_t place_ = 0;
        std::uint64_t size_ = 0; ///< of the open reservation
        std::atomic<std::uint64_t>* owner_ = nullptr;
        std::atomic<std::uint64_t>* at_ = nullptr;
    };

    template <class Barriers>
    class consumer_side : public detail::reads_in_band<Barriers> {
      public:
        using detail::reads_in_band<Barriers>::reads_in_band;

        /// A reservation that is marked is not a record yet.
        [[nodiscard]] std::uint64_t header(const detail::record_area& area, std::uint64_t at) const noexcept {
            const std::uint64_t word = detail::reads_in_band<Barriers>::header(area, at);
            return takes_type(as_header(word).type) ? 0 : word;
        }

        void scrub(const detail::record_area& area, std::uint64_t from, std::size_t size) const noexcept {
            area.clear(from, size);
        }
    };
};

/// Refused: the sentence says why.
template <class Identity>
requires(!identity_policy<Identity>) struct robust_producer<Identity>
    : robust_producer<detail::process_identity> {
    static_assert(detail::explain_identity<Identity>());
};

using robust = robust_producer<detail::process_identity>;

} // namespace ringproof
