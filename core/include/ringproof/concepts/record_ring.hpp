// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which policies go together in a record ring.
#include "ringproof/concepts/barriers.hpp"
#include "ringproof/concepts/consuming_side.hpp"
#include "ringproof/concepts/direction.hpp"
#include "ringproof/concepts/full.hpp"
#include "ringproof/concepts/layout.hpp"
#include "ringproof/concepts/producer.hpp"
#include "ringproof/concepts/producing_side.hpp"
#include "ringproof/concepts/refused.hpp"
#include "ringproof/concepts/wake.hpp"

namespace ringproof {

namespace detail {

/// A wake-up needs a consumer that knows whether it is held up.
template <class Producer, class Barriers, class Wake>
concept can_be_woken = !Wake::wakes || Producer::template consumer_side<Barriers>::tells_held_up;

/// Do these go together, each by itself being what it should be? Looked at before a side is made of them.
template <class Producer, class Full, class Layout, class Wake>
concept go_together =
    !(Layout::many_processes && !Producer::marks_crashes) &&
    !(Layout::many_processes && (Full::report_size != 0 || Wake::wakes)) &&
    !(Producer::marks_crashes && !Layout::many_processes) &&
    !(Layout::has_page && Producer::commits_in_band) &&
    !(Full::report_size != 0 && !Producer::reports_losses) && !(Full::can_pause && !Producer::can_pause);

template <class Producer, class Barriers, class Layout>
using producer_side_of = typename Producer::template producer_side<Barriers, Layout>;
template <class Producer, class Barriers>
using consumer_side_of = typename Producer::template consumer_side<Barriers>;

template <class Producer, class Barriers, class Full, class Wake, class Side, class View>
concept sides_fit =
    producing_side<Side, Producer> && consuming_side<View, Side> && full_policy_for<Full, Side> &&
    wake_state<typename Wake::template state<Barriers, Producer>, Wake, Side, View>;

} // namespace detail

/// Each parameter of a `record_ring` is a model of its concept, and they go together. What does not compiles to one
/// sentence.
template <class Producer, class Barriers, class Full, class Layout, class Wake>
concept sound_record_ring = barriers_policy<Barriers> && full_policy<Full> && layout_policy<Layout> &&
    wake_policy<Wake> && producer_policy<Producer> && detail::go_together<Producer, Full, Layout, Wake> &&
    detail::can_be_woken<Producer, Barriers, Wake> &&
    detail::sides_fit<Producer, Barriers, Full, Wake, detail::producer_side_of<Producer, Barriers, Layout>,
                      detail::consumer_side_of<Producer, Barriers>>;

namespace detail {

/// Fails with the reason why these don't go together. @return whether there is one
template <class Producer, class Full, class Layout, class Wake>
constexpr bool explain_together() {
    if constexpr (Layout::many_processes && !Producer::marks_crashes)
        static_assert(
            never<Producer>,
            "between processes only `robust` knows whose a reservation is when its producer has died");
    else if constexpr (Layout::many_processes && (Full::report_size != 0 || Wake::wakes))
        static_assert(
            never<Full>,
            "between processes use the policies that only count losses and never wake: a LOST record or a "
            "wake-up that is due would be lost when its producer dies");
    else if constexpr (Producer::marks_crashes && !Layout::many_processes)
        static_assert(never<Layout>,
                      "a `robust` ring recovers from the death of other processes: it needs the layout "
                      "`between_processes`");
    else if constexpr (Layout::has_page && Producer::commits_in_band)
        static_assert(never<Layout>,
                      "perf's layout says in data_head how far records are complete: a producer that "
                      "commits each record in band (`shared`, `one_cpu`, `single_in_band`) has no head "
                      "that says so");
    else if constexpr (Full::report_size != 0 && !Producer::reports_losses)
        static_assert(never<Full>,
                      "Full has LOST records written (`report_size`), and Producer says that it can't write "
                      "them (`reports_losses`)");
    else if constexpr (Full::can_pause && !Producer::can_pause)
        static_assert(never<Full>,
                      "Full has the ring paused, and Producer says that it can't be (`can_pause`)");
    else
        return false;
    return true;
}

/// Fails with the reason why this is no sound record ring. @return whether there is one
template <class Producer, class Barriers, class Full, class Layout, class Wake>
constexpr bool explain_record_ring() {
    if constexpr (!barriers_policy<Barriers>)
        return explain_barriers<Barriers>();
    else if constexpr (!full_policy<Full> && direction_policy<Full>) {
        static_assert(never<Full>,
                      "a record_ring refuses new records when it is full; one that overwrites the oldest "
                      "has no consumer: see recorder.hpp");
        return true;
    } else if constexpr (!full_policy<Full>)
        return explain_full<Full>();
    else if constexpr (!layout_policy<Layout>)
        return explain_layout<Layout>();
    else if constexpr (!wake_policy<Wake>)
        return explain_wake<Wake>();
    else if constexpr (!producer_policy<Producer>)
        return explain_producer<Producer>();
    else if constexpr (!go_together<Producer, Full, Layout, Wake>)
        return explain_together<Producer, Full, Layout, Wake>();
    else {
        using side = producer_side_of<Producer, Barriers, Layout>;
        using view = consumer_side_of<Producer, Barriers>;
        if constexpr (!producing_side<side, Producer>)
            return explain_producing_side<side, Producer>();
        else if constexpr (!consuming_side<view, side>)
            return explain_consuming_side<view, side>();
        else if constexpr (!can_be_woken<Producer, Barriers, Wake>) {
            static_assert(never<Wake>,
                          "Wake has a consumer sleep, and Producer says that its consumer_side can't tell "
                          "whether it is held up (`tells_held_up`)");
            return true;
        } else if constexpr (!full_policy_for<Full, side>)
            return explain_full_for<Full, side>();
        else if constexpr (!requires { typename Wake::template state<Barriers, Producer>; }) {
            static_assert(never<Wake>, "Wake lacks the class template state<Barriers, Producer>");
            return true;
        } else
            return explain_wake_state<typename Wake::template state<Barriers, Producer>, Wake, side, view>();
    }
}

} // namespace detail

} // namespace ringproof
