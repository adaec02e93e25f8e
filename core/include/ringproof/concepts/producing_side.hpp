// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

namespace detail {

/// What each capability promises of `producer_side`.
template <class Side>
concept flushes = requires(Side& side) {
    { side.flush() } -> std::same_as<bool>;
};
template <class Side>
concept tells_open = requires(const Side& side) {
    { side.open() } -> std::same_as<bool>;
};
template <class Side>
concept belongs_to_cpu = requires(Side& side, std::uint64_t cpu) {
    side.belongs_to(cpu);
};
template <class Side>
concept marks = requires(Side& side, const record_area& area, std::uint64_t at) {
    side.mark(area, at);
};
template <class Side>
concept recovers = requires(Side& side, const record_area& area, std::uint64_t at) {
    side.recover(area, at);
};
template <class Side>
concept commits_front = requires(Side& side, const record_area& area, std::uint64_t at, std::size_t size) {
    side.commit_front(area, at, at, size);
};
template <class Side>
concept tells_unreported = requires(const Side& side) {
    { side.unreported() } -> std::same_as<std::uint64_t>;
};
template <class Side>
concept takes_unreported = requires(Side& side) {
    { side.take_unreported() } -> std::same_as<std::uint64_t>;
};
template <class Side>
concept pauses = requires(Side& side) {
    { side.paused() } -> std::same_as<std::atomic<std::uint64_t>&>;
};
template <class Side>
concept reserves_over = requires(Side& side, std::uint64_t step) {
    { side.reserve_over(step) } -> std::same_as<typename Side::over>;
    { side.reserve_over(step).before } -> std::convertible_to<std::uint64_t>;
};
template <class Side>
concept publishes_over = requires(Side& side, typename Side::over mine) {
    side.publish_over(mine);
};
template <class Side>
concept tells_intent = requires(const Side& side) {
    { side.intent() } -> std::same_as<const std::atomic<std::uint64_t>&>;
};

template <class Side>
concept reserves_room = requires(Side& side, std::uint64_t& at, std::uint64_t bytes,
                                 const std::atomic<std::uint64_t>& tail) {
    { side.reserve(at, bytes, bytes, tail) } -> std::same_as<refusal>;
};
template <class Side>
concept commits = requires(Side& side, const record_area& area, std::uint64_t at, std::size_t size) {
    { side.commit(area, at, at, size) } -> std::same_as<bool>;
};
template <class Side>
concept discards = requires(Side& side, const record_area& area, std::uint64_t at, std::size_t size) {
    { side.discard(area, at, size) } -> std::same_as<bool>;
};
template <class Side>
concept tells_refused = requires(Side& side) {
    { side.refused() } -> std::same_as<bool>;
};
template <class Side>
concept counts_lost = requires(Side& side) {
    side.count_lost();
};
template <class Side>
concept tells_lost = requires(const Side& side) {
    { side.lost() } -> std::same_as<const std::atomic<std::uint64_t>&>;
};
template <class Side>
concept tells_head = requires(const Side& side) {
    { side.head() } -> std::same_as<const std::atomic<std::uint64_t>&>;
};

} // namespace detail

/// What `Producer` has for those who write: `Producer::producer_side<Barriers, Layout>`, with what each of its capabilities
/// promises, and
/// - a constructor from the first position and the memory, a `const ring_memory*`;
/// - `reserve(at, size, capacity, tail)`, which sets `at` and says why it was refused, if it was;
/// - `commit(area, at, header, size)`, `discard(area, at, size)`, and `refused()` after a refusal for want of room, which
///   say whether all that is complete has been published;
/// - `count_lost()`, `lost()`; and `head()`, up to where records are reserved or complete.
template <class Side, class Producer>
concept producing_side =
    std::constructible_from<Side, std::uint64_t, const ring_memory*> && detail::reserves_room<Side> &&
    detail::commits<Side> && detail::discards<Side> && detail::tells_refused<Side> &&
    detail::counts_lost<Side> && detail::tells_lost<Side> && detail::tells_head<Side> &&
    (!Producer::batches || detail::flushes<Side>)&&(!Producer::tells_open || detail::tells_open<Side>)&&(
        !Producer::belongs_to_cpu ||
        detail::belongs_to_cpu<Side>)&&(!Producer::marks_crashes ||
                                        (detail::marks<Side> && detail::recovers<Side>)) &&
    (!Producer::reports_losses ||
     (detail::commits_front<Side> && detail::tells_unreported<Side> && detail::takes_unreported<Side>)) &&
    (!Producer::can_pause || detail::pauses<Side>)&&(!Producer::overwrites || (detail::reserves_over<Side> &&
                                                                               detail::publishes_over<Side> &&
                                                                               detail::tells_intent<Side>));

namespace detail {

/// Fails with the reason why this is no `producing_side`. @return whether there is one
template <class Side, class Producer>
constexpr bool explain_producing_side() {
    if constexpr (!std::constructible_from<Side, std::uint64_t, const ring_memory*>)
        static_assert(
            std::constructible_from<Side, std::uint64_t, const ring_memory*>,
            "Producer: its producer_side lacks a constructor from (std::uint64_t start, const ring_memory*)");
    else if constexpr (!reserves_room<Side>)
        static_assert(
            reserves_room<Side>,
            "Producer: its producer_side lacks reserve(at, size, capacity, tail), which returns a refusal");
    else if constexpr (!commits<Side>)
        static_assert(commits<Side>,
                      "Producer: its producer_side lacks commit(area, at, header, size), a bool");
    else if constexpr (!discards<Side>)
        static_assert(discards<Side>, "Producer: its producer_side lacks discard(area, at, size), a bool");
    else if constexpr (!tells_refused<Side>)
        static_assert(tells_refused<Side>, "Producer: its producer_side lacks refused(), a bool");
    else if constexpr (!counts_lost<Side>)
        static_assert(counts_lost<Side>, "Producer: its producer_side lacks count_lost()");
    else if constexpr (!tells_lost<Side>)
        static_assert(tells_lost<Side>, "Producer: its producer_side lacks lost(), the word");
    else if constexpr (!tells_head<Side>)
        static_assert(tells_head<Side>, "Producer: its producer_side lacks head(), the word");
    else if constexpr (Producer::batches && !flushes<Side>)
        static_assert(flushes<Side>, "Producer says `batches`, but its producer_side lacks flush()");
    else if constexpr (Producer::tells_open && !tells_open<Side>)
        static_assert(tells_open<Side>, "Producer says `tells_open`, but its producer_side lacks open()");
    else if constexpr (Producer::belongs_to_cpu && !belongs_to_cpu<Side>)
        static_assert(belongs_to_cpu<Side>,
                      "Producer says `belongs_to_cpu`, but its producer_side lacks belongs_to(cpu)");
    else if constexpr (Producer::marks_crashes && !marks<Side>)
        static_assert(marks<Side>,
                      "Producer says `marks_crashes`, but its producer_side lacks mark(area, at)");
    else if constexpr (Producer::marks_crashes && !recovers<Side>)
        static_assert(recovers<Side>,
                      "Producer says `marks_crashes`, but its producer_side lacks recover(area, at)");
    else if constexpr (Producer::reports_losses && !commits_front<Side>)
        static_assert(commits_front<Side>, "Producer says `reports_losses`, but its producer_side lacks "
                                           "commit_front(area, at, header, size)");
    else if constexpr (Producer::reports_losses && !tells_unreported<Side>)
        static_assert(tells_unreported<Side>,
                      "Producer says `reports_losses`, but its producer_side lacks unreported()");
    else if constexpr (Producer::reports_losses && !takes_unreported<Side>)
        static_assert(takes_unreported<Side>,
                      "Producer says `reports_losses`, but its producer_side lacks take_unreported()");
    else if constexpr (Producer::can_pause && !pauses<Side>)
        static_assert(pauses<Side>, "Producer says `can_pause`, but its producer_side lacks paused()");
    else if constexpr (Producer::overwrites && !reserves_over<Side>)
        static_assert(reserves_over<Side>, "Producer says `overwrites`, but its producer_side lacks "
                                           "reserve_over(step), or its result `over` lacks `before`");
    else if constexpr (Producer::overwrites && !publishes_over<Side>)
        static_assert(publishes_over<Side>,
                      "Producer says `overwrites`, but its producer_side lacks publish_over(over)");
    else if constexpr (Producer::overwrites && !tells_intent<Side>)
        static_assert(tells_intent<Side>, "Producer says `overwrites`, but its producer_side lacks intent()");
    else
        return false;
    return true;
}

} // namespace detail

} // namespace ringproof
