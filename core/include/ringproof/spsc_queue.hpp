// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "ringproof/barriers.hpp"
#include "ringproof/capacity.hpp"
#include "ringproof/concepts/barriers.hpp"
#include "ringproof/concepts/hand_over.hpp"
#include "ringproof/contract.hpp"
#include "ringproof/hand_over.hpp"
#include "ringproof/slots.hpp"

namespace ringproof {

/// What a queue is made with, apart from its capacity.
struct queue_options {
    std::uint64_t start = 0; ///< first position; tests begin near the wrap at 2^64
    /// Slots that gather before what is popped one by one is given back; at most a sixteenth of the capacity, and 0
    /// gives each back at once. What is popped to the last item known of is given back at once.
    std::size_t give_back = 256;
};

/// A queue of fixed-size items between one producer and one consumer.
///
///      tail            head            tail + capacity
///        |  items       |   vacant slots   |
///     ---+==============+------------------+---   position & (capacity - 1) is the slot
///        ^ D by the consumer               ^ as far as the producer may go, learnt by A
///                       ^ B by the producer, learnt by the consumer through C
///
/// Positions are 64 bits wide, run freely and may wrap; head - tail is the number of items, so all
/// `capacity` slots can be full. Each side keeps its own position and the last known one of the other side
/// in plain memory and looks at the other side's line only when that is used up. So that a full queue does not make
/// them fight for tail's line over each slot, slots come back in pieces (queue_options::give_back): a producer that
/// was refused may be refused again although an item has been popped meanwhile, until the piece is complete or the
/// consumer has popped all it knows of.
///
/// With `in_band` each slot has a word beside its item, its turn, which is position + 1 once the item is complete: B
/// and C are there, head does not travel, and the consumer waits at the line that brings the item. The turn differs
/// from lap to lap, so nobody has to reset it. Each slot is given back at once: tail's line is fought for less, since
/// the turns are what both sides look at.
///
/// @tparam HandOver hand_over.hpp: `each`, `in_band` for the least latency, `batched<N>` for the most throughput
/// @par Progress
/// Every operation is wait-free (apart from what T's own functions do). None allocates or calls the system.
/// @par Threads
/// One thread may call the producer's functions and one the consumer's, at the same time; the thread may
/// change when the hand-over itself synchronises. The `_guess` functions and `lost()` are for anybody.
/// @par Exceptions
/// When T's constructor or assignment throws, nothing is lost: an item that was not built was not pushed, an
/// item that could not be moved out is still there.
/// @par Contracts
/// What a producer's function calls (T's constructor, the iterator of `try_push_n`) doesn't call a producer's function of
/// the same queue, and what a consumer's function calls doesn't call a consumer's.
/// @par Verified by
/// verify/scenarios/ring/spsc_queue.cpp
///
/// After L. Lamport, "Specifying Concurrent Program Modules" (1983), with the barriers of Linux' perf ring.
template <class T, class Barriers = acquire_release, class HandOver = each>
class spsc_queue {
    static constexpr bool in_slots = HandOver::commits_in_band;

  public:
    using value_type = T;
    using barriers = Barriers;
    static constexpr bool batches = HandOver::batches; ///< there is something to `flush`

    /// @param capacity number of slots, a power of two, at least 2
    /// @param start first position; tests begin near the wrap at 2^64
    /// @throws std::invalid_argument, with the reason
    explicit spsc_queue(std::size_t capacity, std::uint64_t start = 0)
        : spsc_queue(capacity, queue_options{start}) {}

    /// @param capacity number of slots, a power of two, at least 2
    /// @param options first position, and how late room may be given back
    /// @throws std::invalid_argument, with the reason
    spsc_queue(std::size_t capacity, const queue_options& options)
        : slots_(detail::checked_capacity(capacity, 2, sizeof(slot), "items")), producer_(options.start),
          consumer_(options.start, std::min(options.give_back, capacity / 16)) {
        if constexpr (in_slots)
            for (std::uint64_t at = options.start; at != options.start + capacity; ++at)
                Barriers::init(&slots_[at].turn, at); // not at + 1
    }

    spsc_queue(const spsc_queue&) = delete;
    spsc_queue& operator=(const spsc_queue&) = delete;

    ~spsc_queue() {
        if constexpr (!std::is_trivially_destructible_v<T>)
            for (auto at = consumer_.position; at != producer_.position; ++at) item(at).destroy();
    }

    // ---- producer ------------------------------------------------------------------------------

    /// Builds an item in its slot. @return false when the queue is full; then no argument was touched.
    template <class... Args>
    [[nodiscard]] bool try_emplace(Args&&... args) {
        RINGPROOF_CONTRACT(!producer_.calling, "an item under construction pushes to its own queue");
        if (vacant(1) == 0) return false;
        [[maybe_unused]] const detail::calling_out now(producer_.calling);
        item(producer_.position).construct(std::forward<Args>(args)...);
        complete(producer_.position + 1);
        return true;
    }

    [[nodiscard]] bool try_push(const T& item) { return try_emplace(item); }
    [[nodiscard]] bool try_push(T&& item) { return try_emplace(std::move(item)); }

    /// Pushes the item, or drops it and counts it as lost. @return whether it was pushed
    template <class Item>
    bool push_or_lose(Item&& item) {
        if (try_emplace(std::forward<Item>(item))) return true;
        Barriers::count_own(producer_.lost, std::uint64_t{1});
        return false;
    }

    /// Hands over what has gathered; nothing to do where every item is handed over at once.
    void flush() noexcept {
        if constexpr (batches)
            if (producer_.published != producer_.position) publish();
    }

    /// Pushes as many of the `count` items from `first` on as there is room for, and publishes them at once.
    /// @return how many. If one throws, those before it are pushed.
    template <class InputIt>
    [[nodiscard]] std::size_t try_push_n(InputIt first, std::size_t count) {
        RINGPROOF_CONTRACT(!producer_.calling, "an item under construction pushes to its own queue");
        if (count == 0) return 0;
        [[maybe_unused]] const detail::calling_out now(producer_.calling);
        const std::size_t room = vacant(count);
        const std::size_t taken = room < count ? room : count;
        if (taken == 0) return 0;
        struct publisher {
            spsc_queue& queue;
            std::uint64_t at;
            ~publisher() { queue.complete(at); }
        } batch{*this, producer_.position};
        for (std::size_t i = 0; i != taken; ++i, ++batch.at, ++first) item(batch.at).construct(*first);
        return taken;
    }

    // ---- consumer ------------------------------------------------------------------------------

    /// @return false when there is nothing; then `out` is untouched
    [[nodiscard]] bool try_pop(T& out) {
        RINGPROOF_CONTRACT(!consumer_.calling,
                           "consumer function called from inside a consumer callback of the same queue");
        if (ready(1) == 0) return false;
        [[maybe_unused]] const detail::calling_out now(consumer_.calling);
        auto& next = item(consumer_.position);
        out = std::move(next.value());
        next.destroy();
        release(consumer_.position + 1);
        return true;
    }

    [[nodiscard]] std::optional<T> try_pop() {
        RINGPROOF_CONTRACT(!consumer_.calling,
                           "consumer function called from inside a consumer callback of the same queue");
        if (ready(1) == 0) return std::nullopt;
        [[maybe_unused]] const detail::calling_out now(consumer_.calling);
        auto& next = item(consumer_.position);
        std::optional<T> out(std::move(next.value()));
        next.destroy();
        release(consumer_.position + 1);
        return out;
    }

    /// Calls `use(T&)` for up to `most` items in place and gives their slots back at once.
    /// @return how many. If `use` throws, that item stays in the queue and those before it are gone.
    template <class Use>
    std::size_t consume(Use&& use, std::size_t most = std::numeric_limits<std::size_t>::max()) {
        RINGPROOF_CONTRACT(!consumer_.calling,
                           "consumer function called from inside a consumer callback of the same queue");
        if (most == 0) return 0;
        [[maybe_unused]] const detail::calling_out now(consumer_.calling);
        const std::size_t available = ready(most);
        const std::size_t taken = available < most ? available : most;
        if (taken == 0) return 0;
        struct releaser {
            spsc_queue& queue;
            std::uint64_t at;
            ~releaser() { queue.release(at); }
        } batch{*this, consumer_.position};
        for (std::size_t i = 0; i != taken; ++i, ++batch.at) {
            auto& next = item(batch.at);
            use(next.value());
            next.destroy();
        }
        return taken;
    }

    /// Moves up to `most` items to `out`. @return how many
    template <class OutputIt>
    [[nodiscard]] std::size_t try_pop_n(OutputIt out, std::size_t most) {
        return consume([&](T& one) { *out = std::move(one), ++out; }, most);
    }

    // ---- anybody -------------------------------------------------------------------------------

    [[nodiscard]] std::size_t capacity() const noexcept { return slots_.capacity(); }

    /// A number of items the queue may have had, slots that are not given back yet among them; exact when both sides
    /// rest and each slot is given back at once, or the queue is empty.
    [[nodiscard]] std::size_t size_guess() const noexcept {
        const std::uint64_t tail = Barriers::stat(consumer_.tail);
        const std::uint64_t size = Barriers::stat(producer_.head) - tail;
        return size < capacity() ? static_cast<std::size_t>(size) : capacity();
    }

    [[nodiscard]] bool empty_guess() const noexcept { return size_guess() == 0; }

    /// How many items `push_or_lose` has dropped.
    [[nodiscard]] std::uint64_t lost() const noexcept { return Barriers::stat(producer_.lost); }

  private:
    struct bare_slot {
        detail::storage<T> item;
    };
    struct turn_slot {
        /// position + 1: the item of this position is complete
        alignas(detail::word_alignment) std::uint64_t turn;
        detail::storage<T> item;
    };
    using slot = std::conditional_t<in_slots, turn_slot, bare_slot>;

    [[nodiscard]] detail::storage<T>& item(std::uint64_t position) noexcept { return slots_[position].item; }

    /// How many slots the producer may fill; looks at the consumer's tail only when it knows of fewer than
    /// `wanted`.
    [[nodiscard]] std::size_t vacant(std::size_t wanted) noexcept {
        std::uint64_t room = capacity() - (producer_.position - producer_.known_tail);
        if (room < wanted) {
            // A <- D: licence to overwrite the slots before tail.
            producer_.known_tail = Barriers::load_tail(consumer_.tail);
            room = capacity() - (producer_.position - producer_.known_tail);
            if (room < wanted) flush(); // the consumer can only make room from what it knows of
        }
        return static_cast<std::size_t>(room);
    }

    /// The items before `end` are complete.
    void complete(std::uint64_t end) noexcept {
        if constexpr (in_slots) {
            // From the last to the first: the consumer does not come upon them one by one.
            for (std::uint64_t at = end; at != producer_.position; --at)
                Barriers::commit(slots_[at - 1].turn, at); // B -> C: the item in this slot is complete.
            producer_.position = end;
            Barriers::set_own(producer_.head, end); // for the guesses
        } else {
            producer_.position = end;
            if constexpr (batches)
                if (end - producer_.published < HandOver::most) return;
            publish();
        }
    }

    void publish() noexcept {
        if constexpr (batches) producer_.published = producer_.position;
        // B -> C: the items before head are complete.
        Barriers::publish_head(producer_.head, producer_.position);
    }

    /// How many items the consumer may take; looks at what the producer has handed over only when it knows of fewer
    /// than `wanted`.
    [[nodiscard]] std::size_t ready(std::size_t wanted) noexcept {
        std::uint64_t items = consumer_.known_head - consumer_.position;
        if (items < wanted) {
            if constexpr (in_slots) {
                const std::uint64_t most = wanted < capacity() ? wanted : capacity();
                // C <- B: the item in this slot may be read.
                while (items < most &&
                       Barriers::load_commit(slots_[consumer_.known_head].turn) == consumer_.known_head + 1)
                    ++consumer_.known_head, ++items;
            } else {
                // C <- B: the items before head may be read.
                consumer_.known_head = Barriers::load_head(producer_.head);
                items = consumer_.known_head - consumer_.position;
            }
        }
        return static_cast<std::size_t>(items);
    }

    void release(std::uint64_t tail) noexcept {
        consumer_.position = tail;
        if constexpr (!in_slots) {
            if (tail - consumer_.given < consumer_.gather && tail != consumer_.known_head) return;
            consumer_.given = tail;
        }
        Barriers::release_tail(consumer_.tail, tail); // D -> A: the slots before tail have been read.
    }

    // What the other side loads lies apart from what only this side uses: two to three times faster than together.
    struct producer_side {
        explicit producer_side(std::uint64_t start)
            : head(start), position(start), published(start), known_tail(start) {}
        alignas(line_pair) std::atomic<std::uint64_t> head;
        alignas(line_pair) std::uint64_t position; ///< up to where items are complete
        std::uint64_t published;                   ///< head, without an atomic access
        std::uint64_t known_tail;
        std::atomic<std::uint64_t> lost{0};
        bool calling = false; ///< for contracts only
    };

    struct consumer_side {
        consumer_side(std::uint64_t start, std::size_t slots)
            : tail(start), position(start), known_head(start), given(start), gather(slots) {}
        alignas(line_pair) std::atomic<std::uint64_t> tail;
        alignas(line_pair) std::uint64_t position; ///< up to where items have been taken out
        std::uint64_t known_head;
        std::uint64_t given;  ///< tail, without an atomic access
        std::size_t gather;   ///< so many slots are given back at once
        bool calling = false; ///< for contracts only
    };

    alignas(line_pair) detail::slots<slot> slots_; ///< written by nobody after construction
    producer_side producer_;                       ///< written by the producer
    consumer_side consumer_;                       ///< written by the consumer
};

/// Refused: the sentence says why. What is derived from keeps the compiler from complaining of anything else.
template <class T, class Barriers, class HandOver>
requires(!barriers_policy<Barriers>) class spsc_queue<T, Barriers, HandOver> : public spsc_queue<T> {
    static_assert(detail::explain_barriers<Barriers>());

  public:
    using spsc_queue<T>::spsc_queue;
};
template <class T, class Barriers, class HandOver>
requires(barriers_policy<Barriers> && !hand_over_policy<HandOver>) class spsc_queue<T, Barriers, HandOver>
    : public spsc_queue<T> {
    static_assert(detail::explain_hand_over<HandOver>());

  public:
    using spsc_queue<T>::spsc_queue;
};

} // namespace ringproof
