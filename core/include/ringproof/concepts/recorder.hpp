// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which policies go together in a recorder.
#include "ringproof/concepts/barriers.hpp"
#include "ringproof/concepts/direction.hpp"
#include "ringproof/concepts/layout.hpp"
#include "ringproof/concepts/producer.hpp"
#include "ringproof/concepts/producing_side.hpp"
#include "ringproof/concepts/refused.hpp"

namespace ringproof {

namespace detail {

/// What a recorder asks of its producer: that it overwrites, and what tells of the records that a paused one refused.
template <class Producer>
concept can_record =
    !Producer::many_threads && Producer::overwrites && Producer::reports_losses && Producer::can_pause;

} // namespace detail

/// Each parameter of a `recorder` of one thread is a model of its concept, and they go together.
template <class Producer, class Direction, class Barriers, class Layout>
concept sound_recorder =
    barriers_policy<Barriers> && layout_policy<Layout> && producer_policy<Producer> &&
    direction_policy<Direction> && detail::can_record<Producer> && !Direction::in_pages &&
    !Layout::many_processes &&
    producing_side<typename Producer::template producer_side<Barriers, Layout>, Producer>;

/// The same of a recorder that many threads share: it is in this process, and its words are its own.
template <class Barriers, class Layout>
concept sound_shared_recorder =
    barriers_policy<Barriers> && layout_policy<Layout> && !Layout::has_page && !Layout::many_processes;

namespace detail {

/// Fails with the reason why this is no sound recorder. @return whether there is one
template <class Producer, class Direction, class Barriers, class Layout>
constexpr bool explain_recorder() {
    if constexpr (!barriers_policy<Barriers>)
        return explain_barriers<Barriers>();
    else if constexpr (!layout_policy<Layout>)
        return explain_layout<Layout>();
    else if constexpr (!producer_policy<Producer>)
        return explain_producer<Producer>();
    else if constexpr (!direction_policy<Direction>)
        return explain_direction<Direction>();
    else if constexpr (Producer::many_threads)
        static_assert(
            never<Producer>,
            "with many threads a slow writer would write into records that others have completed a lap "
            "later: give each thread a recorder of its own, or share a `recorder<shared>`, which is written "
            "in pages");
    else if constexpr (Direction::in_pages)
        static_assert(never<Direction>, "pages are for many threads: `recorder<shared>`");
    else if constexpr (!Producer::overwrites)
        static_assert(
            never<Producer>,
            "a snapshot begins at head, which has to be stored for each record: use `single` or `nested`");
    else if constexpr (!can_record<Producer>)
        static_assert(never<Producer>,
                      "Producer says `overwrites`; a recorder that has been paused tells what it "
                      "refused: it must say `reports_losses` and `can_pause`, too");
    else if constexpr (Layout::many_processes)
        static_assert(never<Layout>,
                      "a recorder has no consumer in another process to recover for: share one in perf's "
                      "layout, and use snapshot_reader");
    else
        return explain_producing_side<typename Producer::template producer_side<Barriers, Layout>,
                                      Producer>();
    return true;
}

/// The same for a recorder that many threads share.
template <class Barriers, class Layout>
constexpr bool explain_shared_recorder() {
    if constexpr (!barriers_policy<Barriers>)
        return explain_barriers<Barriers>();
    else if constexpr (!layout_policy<Layout>)
        return explain_layout<Layout>();
    else if constexpr (Layout::has_page)
        static_assert(never<Layout>,
                      "a recorder that many threads share is written in pages, with a mark for each "
                      "writer: perf's layout has no place for either");
    else if constexpr (Layout::many_processes)
        static_assert(never<Layout>,
                      "a recorder has no consumer in another process to recover for: the marks of its "
                      "writers are this process's");
    else
        return false;
    return true;
}

} // namespace detail

} // namespace ringproof
