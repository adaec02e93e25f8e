// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ringproof/barriers.hpp"
#include "ringproof/concepts/refused.hpp"
#include "ringproof/layout/padded.hpp"

namespace ringproof {

namespace detail {

template <class Producer>
concept says_what_it_can = requires {
    typename std::integral_constant<std::size_t, Producer::keeps_free>;
    typename std::bool_constant<Producer::many_threads>;
    typename std::bool_constant<Producer::commits_in_band>;
    typename std::bool_constant<Producer::batches>;
    typename std::bool_constant<Producer::tells_open>;
    typename std::bool_constant<Producer::belongs_to_cpu>;
    typename std::bool_constant<Producer::marks_crashes>;
    typename std::bool_constant<Producer::reports_losses>;
    typename std::bool_constant<Producer::can_pause>;
    typename std::bool_constant<Producer::overwrites>;
    typename Producer::template producer_side<acquire_release, padded>;
    typename Producer::template consumer_side<acquire_release>;
};
template <class Producer>
concept knows_its_marks = requires(std::uint32_t type) {
    { Producer::takes_type(type) } -> std::same_as<bool>;
};

} // namespace detail

/// Who writes a record ring: `single`, `single_in_band`, `single_batched<N>`, `nested`, `shared`, `one_cpu`, `robust`.
/// A model has `keeps_free`, the bytes of the capacity that records can't have; the class templates
/// `producer_side<Barriers, Layout>` (see `producing_side`) and `consumer_side<Barriers>` (`consuming_side`); and says
/// each of these, true or false:
///
/// | capability        | means                                                      | promises (of producer_side, if not said) |
/// |-------------------|------------------------------------------------------------|------------------------------------------|
/// | `many_threads`    | more than one thread reserves at the same time             |                                          |
/// | `commits_in_band` | a record's own header says that it is complete, not head   |                                          |
/// | `batches`         | records gather before they are handed over                 | `flush()`                                |
/// | `tells_open`      | it knows whether a reservation is open                     | `open()`                                 |
/// | `belongs_to_cpu`  | the ring is that of one CPU                                | `belongs_to(cpu)`                        |
/// | `marks_crashes`   | a reservation says whose it is until it is committed, so   | `mark(area, at)`, `recover(area, at)`,   |
/// |                   | that what the dead leave behind is turned into padding     | `takes_type(type)` of the policy         |
/// | `reports_losses`  | LOST records can be written                                | `commit_front(area, at, header, size)`,  |
/// |                   |                                                            | `unreported()`, `take_unreported()`      |
/// | `can_pause`       | it has a word that says so                                 | `paused()`                               |
/// | `overwrites`      | a `recorder` can be written                                | `reserve_over(step)`, whose result is an |
/// |                   |                                                            | `over` with `before`;                    |
/// |                   |                                                            | `publish_over(over)`, `intent()`         |
template <class Producer>
concept producer_policy = detail::says_what_it_can<Producer> &&
    (!Producer::marks_crashes || detail::knows_its_marks<Producer>);

namespace detail {

/// Fails with the reason why this is no `producer_policy`. @return whether there is one
template <class Producer>
constexpr bool explain_producer() {
    if constexpr (!requires { typename std::integral_constant<std::size_t, Producer::keeps_free>; })
        static_assert(never<Producer>, "Producer lacks `static constexpr std::size_t keeps_free`");
    else if constexpr (!requires { typename std::bool_constant<Producer::many_threads>; })
        static_assert(never<Producer>, "Producer lacks `static constexpr bool many_threads`");
    else if constexpr (!requires { typename std::bool_constant<Producer::commits_in_band>; })
        static_assert(never<Producer>, "Producer lacks `static constexpr bool commits_in_band`");
    else if constexpr (!requires { typename std::bool_constant<Producer::batches>; })
        static_assert(never<Producer>, "Producer lacks `static constexpr bool batches`");
    else if constexpr (!requires { typename std::bool_constant<Producer::tells_open>; })
        static_assert(never<Producer>, "Producer lacks `static constexpr bool tells_open`");
    else if constexpr (!requires { typename std::bool_constant<Producer::belongs_to_cpu>; })
        static_assert(never<Producer>, "Producer lacks `static constexpr bool belongs_to_cpu`");
    else if constexpr (!requires { typename std::bool_constant<Producer::marks_crashes>; })
        static_assert(never<Producer>, "Producer lacks `static constexpr bool marks_crashes`");
    else if constexpr (!requires { typename std::bool_constant<Producer::reports_losses>; })
        static_assert(never<Producer>, "Producer lacks `static constexpr bool reports_losses`");
    else if constexpr (!requires { typename std::bool_constant<Producer::can_pause>; })
        static_assert(never<Producer>, "Producer lacks `static constexpr bool can_pause`");
    else if constexpr (!requires { typename std::bool_constant<Producer::overwrites>; })
        static_assert(never<Producer>, "Producer lacks `static constexpr bool overwrites`");
    else if constexpr (!requires { typename Producer::template producer_side<acquire_release, padded>; })
        static_assert(never<Producer>, "Producer lacks the class template producer_side<Barriers, Layout>");
    else if constexpr (!requires { typename Producer::template consumer_side<acquire_release>; })
        static_assert(never<Producer>, "Producer lacks the class template consumer_side<Barriers>");
    else if constexpr (!producer_policy<Producer>)
        static_assert(knows_its_marks<Producer>, "Producer says `marks_crashes`, but lacks takes_type(type)");
    else
        return false;
    return true;
}

} // namespace detail

} // namespace ringproof
