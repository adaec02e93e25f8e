// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "ringproof/barriers.hpp"
#include "ringproof/capacity.hpp"
#include "ringproof/concepts/barriers.hpp"
#include "ringproof/contract.hpp"
#include "ringproof/slots.hpp"

namespace ringproof {

/// A queue of fixed-size items from many producers to one consumer.
///
/// Each slot carries a word, its turn, that says whose move it is. For the slot of position p:
///
///     turn == p               vacant: the producer that claims p may fill it      (A reads this)
///     turn == p + 1           committed: the consumer may read it                 (B writes, C reads)
///     turn == p + capacity    vacant for the next lap                             (D writes, A reads)
///
/// A producer claims a position by compare-exchange, fills the slot and commits it in the slot's own word.
/// There is no common tail that producers advance in order, so one that is preempted holds up the consumer
/// at its own slot, and the other producers only when they have come around to it: the queue is full then.
///
/// @par Progress
/// Pushing is lock-free: a failed compare-exchange means that another producer succeeded. Popping is
/// wait-free. Items arrive in the order in which their positions were claimed; while a producer is stopped
/// between claim and commit, the consumer sees the queue as empty from there on. Nothing allocates or calls
/// the system. A signal handler may push to a queue that its own thread is pushing to.
/// @par Threads
/// Any thread may call the producers' functions; one at a time the consumer's. `lost()` is for anybody.
/// @par Exceptions
/// A claimed position can't be given back, so nothing may throw after the claim: T must be movable without
/// throwing, and an item whose construction may throw is built first and moved into its slot.
/// @par Contracts
/// What a consumer's function calls doesn't call a consumer's function of the same queue; it may push to it.
/// @par Verified by
/// verify/scenarios/ring/mpsc_queue.cpp
///
/// After D. Vyukov, "Bounded MPMC queue" (2010), with one consumer.
template <class T, class Barriers = acquire_release>
class mpsc_queue {
    static_assert(std::is_nothrow_move_constructible_v<T>,
                  "a claimed slot can't be given back: T must be movable without throwing");

  public:
    using value_type = T;
    using barriers = Barriers;
    static constexpr bool batches = false; ///< each item is handed over at once

    /// @param capacity number of slots, a power of two, at least 2: with one slot, "committed" and "vacant
    ///        for the next lap" would be the same turn
    /// @param start first position; tests begin near the wrap at 2^64
    /// @throws std::invalid_argument, with the reason
    explicit mpsc_queue(std::size_t capacity, std::uint64_t start = 0)
        : slots_(detail::checked_capacity(capacity, 2, sizeof(slot), "items")), reserved_(start),
          position_(start) {
        for (std::uint64_t at = start; at != start + capacity; ++at) Barriers::init(&slots_[at].turn, at);
    }

    mpsc_queue(const mpsc_queue&) = delete;
    mpsc_queue& operator=(const mpsc_queue&) = delete;

    ~mpsc_queue() {
        if constexpr (!std::is_trivially_destructible_v<T>) consume([](T&) {});
    }

    // ---- producers -----------------------------------------------------------------------------

    /// Builds an item in its slot, or, when building it may throw, before a slot is claimed.
    /// @return false when the queue is full
    template <class... Args>
    [[nodiscard]] bool try_emplace(Args&&... args) {
        if constexpr (std::is_nothrow_constructible_v<T, Args...>) {
            std::uint64_t at;
            if (claim(1, at) == 0) return false;
            fill(at, std::forward<Args>(args)...);
            return true;
        } else {
            return try_emplace(T(std::forward<Args>(args)...));
        }
    }

    [[nodiscard]] bool try_push(const T& item) { return try_emplace(item); }

    /// @return false when the queue is full; then `item` still has its value
    [[nodiscard]] bool try_push(T&& item) { return try_emplace(std::move(item)); }

    /// Pushes the item, or drops it and counts it as lost. @return whether it was pushed
    template <class Item>
    bool push_or_lose(Item&& item) {
        if (try_emplace(std::forward<Item>(item))) return true;
        Barriers::count_shared(lost_, std::uint64_t{1});
        return false;
    }

    /// Pushes some of the `count` items from `first` on, at consecutive positions: at least one unless the
    /// queue is full. @return how many
    template <class InputIt>
    [[nodiscard]] std::size_t try_push_n(InputIt first, std::size_t count) {
        if constexpr (std::is_nothrow_constructible_v<T, decltype(*first)>&& noexcept(*first)&& noexcept(
                          ++first)) {
            std::uint64_t at;
            const std::size_t taken = count == 0 ? 0 : claim(count < capacity() ? count : capacity(), at);
            for (std::size_t i = 0; i != taken; ++i, ++at, ++first) fill(at, *first);
            return taken;
        } else {
            std::size_t taken = 0;
            while (taken != count && try_emplace(*first)) ++taken, ++first;
            return taken;
        }
    }

    // ---- consumer ------------------------------------------------------------------------------

    /// @return false when there is nothing; then `out` is untouched
    [[nodiscard]] bool try_pop(T& out) {
        RINGPROOF_CONTRACT(!calling_,
                           "consumer function called from inside a consumer callback of the same queue");
        slot* const next = ready();
        if (next == nullptr) return false;
        [[maybe_unused]] const detail::calling_out now(calling_);
        out = std::move(next->item.value());
        vacate(*next);
        return true;
    }

    [[nodiscard]] std::optional<T> try_pop() {
        RINGPROOF_CONTRACT(!calling_,
                           "consumer function called from inside a consumer callback of the same queue");
        slot* const next = ready();
        if (next == nullptr) return std::nullopt;
        [[maybe_unused]] const detail::calling_out now(calling_);
        std::optional<T> item(std::move(next->item.value()));
        vacate(*next);
        return item;
    }

    /// Calls `use(T&)` for up to `most` items in place, one lap at the most however fast producers are.
    /// @return how many. If `use` throws, that item stays in the queue and those before it are gone.
    template <class Use>
    std::size_t consume(Use&& use, std::size_t most = std::numeric_limits<std::size_t>::max()) {
        RINGPROOF_CONTRACT(!calling_,
                           "consumer function called from inside a consumer callback of the same queue");
        [[maybe_unused]] const detail::calling_out now(calling_);
        most = most < capacity() ? most : capacity();
        std::size_t taken = 0;
        for (slot* next = nullptr; taken != most && (next = ready()) != nullptr; ++taken) {
            use(next->item.value());
            vacate(*next);
        }
        return taken;
    }

    /// Moves up to `most` items to `out`. @return how many
    template <class OutputIt>
    [[nodiscard]] std::size_t try_pop_n(OutputIt out, std::size_t most) {
        return consume([&](T& item) { *out = std::move(item), ++out; }, most);
    }

    /// For the consumer: a number of claimed positions, committed or not.
    [[nodiscard]] std::size_t size_guess() const noexcept {
        return static_cast<std::size_t>(Barriers::stat(reserved_) - position_);
    }

    // ---- anybody -------------------------------------------------------------------------------

    [[nodiscard]] std::size_t capacity() const noexcept { return slots_.capacity(); }

    /// How many items `push_or_lose` has dropped.
    [[nodiscard]] std::uint64_t lost() const noexcept { return Barriers::stat(lost_); }

  private:
    struct slot {
        alignas(detail::word_alignment) std::uint64_t turn;
        detail::storage<T> item;
    };

    /// Claims up to `wanted` (1 … capacity) consecutive positions from `at` on. @return how many; 0 when full
    [[nodiscard]] std::size_t claim(std::size_t wanted, std::uint64_t& at) noexcept {
        at = Barriers::claimed(reserved_);
        for (;;) {
            // The consumer vacates in order: if the last slot of the batch is vacant, so are those before it.
            const std::uint64_t last = at + (wanted - 1);
            // A <- D: licence to overwrite the slot (and, by that order, the ones before it).
            const auto ahead = static_cast<std::int64_t>(Barriers::load_vacancy(slots_[last].turn) - last);
            if (ahead < 0) {
                if (wanted == 1) return 0;
                wanted /= 2;
                continue;
            }
            // ahead > 0: another producer has claimed `at` long since, and this fails and refreshes it.
            if (Barriers::claim(reserved_, at, at + wanted)) return wanted;
        }
    }

    template <class... Args>
    void fill(std::uint64_t at, Args&&... args) noexcept {
        slot& mine = slots_[at];
        mine.item.construct(std::forward<Args>(args)...);
        Barriers::commit(mine.turn, at + 1); // B -> C: the item in this slot is complete.
    }

    /// The slot of the next item, or nullptr when it has not been committed.
    [[nodiscard]] slot* ready() noexcept {
        slot& next = slots_[position_];
        // C <- B: the item in this slot may be read.
        return Barriers::load_commit(next.turn) == position_ + 1 ? &next : nullptr;
    }

    void vacate(slot& done) noexcept {
        done.item.destroy();
        Barriers::vacate(done.turn, position_ + capacity()); // D -> A: the item in this slot has been read.
        ++position_;
    }

    alignas(line_pair) detail::slots<slot> slots_; ///< the array: written by nobody after construction
    alignas(line_pair) std::atomic<std::uint64_t> reserved_; ///< written by all producers
    alignas(line_pair) std::uint64_t position_;              ///< written by the consumer
    bool calling_ = false;                                   ///< the same, for contracts only
    alignas(line_pair) std::atomic<std::uint64_t> lost_{0};  ///< written by all producers, rarely
};

/// Refused: the sentence says why. What is derived from keeps the compiler from complaining of anything else.
template <class T, class Barriers>
requires(!barriers_policy<Barriers>) class mpsc_queue<T, Barriers> : public mpsc_queue<T> {
    static_assert(detail::explain_barriers<Barriers>());

  public:
    using mpsc_queue<T>::mpsc_queue;
};

} // namespace ringproof
