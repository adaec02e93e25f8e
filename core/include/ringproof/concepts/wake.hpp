// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ringproof/barriers.hpp"
#include "ringproof/concepts/refused.hpp"
#include "ringproof/record_area.hpp"

namespace ringproof {

namespace detail {

template <class Sink>
concept says_has_descriptor = requires {
    typename std::bool_constant<Sink::has_descriptor>;
};
template <class Sink>
concept tells_descriptor = requires(const Sink& sink) {
    { sink.descriptor() } -> std::same_as<int>;
};
template <class Sink>
concept reaches_sleepers = requires(Sink& sink, std::atomic<std::uint32_t>& flag, std::uint32_t seen) {
    sink.raised(flag);
    sink.lowered();
    sink.collect();
    sink.template sleep<acquire_release>(flag, seen);
};

} // namespace detail

/// How a sleeping consumer is reached, for `watermark<Sink>`: `futex`, `event_descriptor`. A model has `raised(flag)` for
/// whoever raises the flag; for the consumer `lowered()`, `collect()`, and `sleep<Barriers>(flag, seen)`, which may return
/// early.
///
/// | capability       | means                              | promises       |
/// |------------------|------------------------------------|----------------|
/// | `has_descriptor` | poll and epoll can wait for it     | `descriptor()` |
template <class Sink>
concept sink_policy = detail::says_has_descriptor<Sink> && std::default_initializable<Sink> &&
    detail::reaches_sleepers<Sink> &&(!Sink::has_descriptor || detail::tells_descriptor<Sink>);

/// How the consumer of a record ring is woken: `silent`, `futex_wakeup`, `descriptor_wakeup`. A model has the class
/// template `state<Barriers, Producer>` (see `wake_state`), and says
///
/// | capability       | means                              | promises (of the state)            |
/// |------------------|------------------------------------|------------------------------------|
/// | `wakes`          | a consumer can sleep               | `wait()`, `ready()`, `raise()`     |
/// | `has_descriptor` | by poll and epoll                  | `sink().descriptor()`              |
template <class Wake>
concept wake_policy = requires {
    typename std::bool_constant<Wake::wakes>;
    typename std::bool_constant<Wake::has_descriptor>;
};

namespace detail {

template <class State>
concept told_by_producers = requires(State& state, std::uint64_t position, bool all) {
    state.reserved(position);
    state.published(all, position, position);
    state.refused(all);
    state.flushed(all);
};
template <class State, class Side, class View>
concept told_by_the_consumer = requires(State& state, const Side& side, const View& view,
                                        const record_area& area, std::uint64_t tail) {
    state.drained(side, view, area, tail);
};
template <class State>
concept lets_wait = requires(State& state, const State& seen) {
    state.wait();
    { seen.ready() } -> std::same_as<bool>;
    state.raise();
};
template <class State>
concept shows_descriptor = requires(const State& state) {
    { state.sink().descriptor() } -> std::same_as<int>;
};

} // namespace detail

/// What `Wake` keeps in a ring: made from the capacity, the first position and the watermark wished for (0: the usual one);
/// told by producers of each `reserved(end)`, `published(all, at, end)`, `refused(all)`, `flushed(all)`, and by the consumer
/// when it has found nothing more, `drained(side, view, area, tail)`.
template <class State, class Wake, class Side, class View>
concept wake_state = std::constructible_from<State, std::size_t, std::uint64_t, std::size_t> &&
    detail::told_by_producers<State> && detail::told_by_the_consumer<State, Side, View> &&
    (!Wake::wakes || detail::lets_wait<State>)&&(!Wake::has_descriptor || detail::shows_descriptor<State>);

namespace detail {

/// Each fails with the reason why this is no model. @return whether there is one
template <class Sink>
constexpr bool explain_sink() {
    if constexpr (!says_has_descriptor<Sink>)
        static_assert(says_has_descriptor<Sink>, "Sink lacks `static constexpr bool has_descriptor`");
    else if constexpr (Sink::has_descriptor && !tells_descriptor<Sink>)
        static_assert(tells_descriptor<Sink>, "Sink says `has_descriptor`, but lacks descriptor()");
    else if constexpr (!reaches_sleepers<Sink>)
        static_assert(reaches_sleepers<Sink>,
                      "Sink lacks raised(flag), lowered(), collect() or sleep<Barriers>(flag, seen)");
    else if constexpr (!sink_policy<Sink>)
        static_assert(std::default_initializable<Sink>, "Sink lacks a constructor without arguments");
    else
        return false;
    return true;
}
template <class Wake>
constexpr bool explain_wake() {
    if constexpr (!requires { typename std::bool_constant<Wake::wakes>; })
        static_assert(never<Wake>, "Wake lacks `static constexpr bool wakes`");
    else if constexpr (!wake_policy<Wake>)
        static_assert(never<Wake>, "Wake lacks `static constexpr bool has_descriptor`");
    else
        return false;
    return true;
}
template <class State, class Wake, class Side, class View>
constexpr bool explain_wake_state() {
    if constexpr (!std::constructible_from<State, std::size_t, std::uint64_t, std::size_t>)
        static_assert(never<State>, "Wake: its state lacks a constructor from (capacity, start, watermark)");
    else if constexpr (!told_by_producers<State>)
        static_assert(
            told_by_producers<State>,
            "Wake: its state lacks reserved(end), published(all, at, end), refused(all) or flushed(all)");
    else if constexpr (!told_by_the_consumer<State, Side, View>)
        static_assert(told_by_the_consumer<State, Side, View>,
                      "Wake: its state lacks drained(side, view, area, tail)");
    else if constexpr (Wake::wakes && !lets_wait<State>)
        static_assert(lets_wait<State>, "Wake says `wakes`, but its state lacks wait(), ready() or raise()");
    else if constexpr (!wake_state<State, Wake, Side, View>)
        static_assert(shows_descriptor<State>,
                      "Wake says `has_descriptor`, but its state lacks sink().descriptor()");
    else
        return false;
    return true;
}

} // namespace detail

} // namespace ringproof
