// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ringproof/concepts/refused.hpp"
#include "ringproof/record_area.hpp"

namespace ringproof {

namespace detail {

template <class Full, class Side>
concept wants_report = requires(const Side& side) {
    { Full::wanted(side) } -> std::same_as<std::size_t>;
};
template <class Full, class Side>
concept writes_report = requires(Side& side, const record_area& area, std::uint64_t at) {
    Full::report(side, area, at, at);
};

} // namespace detail

/// What a record ring does when it is full: `refuse`, `keep_oldest`. A model has `report_size`, the bytes of a record in
/// front of the next one that says what is lost, 0 for none; and says
///
/// | capability  | means                                             | asks of the producer |
/// |-------------|---------------------------------------------------|----------------------|
/// | `can_pause` | the ring can be told to refuse everything         | `can_pause`          |
///
/// A `report_size` that is not 0 asks `reports_losses` of the producer.
template <class Full>
concept full_policy = requires {
    typename std::bool_constant<Full::can_pause>;
    typename std::integral_constant<std::size_t, Full::report_size>;
};

/// With a producer's side it has `wanted(side)`: how large a report is due, and `report(side, area, at, id)`, which writes
/// it.
template <class Full, class Side>
concept full_policy_for =
    full_policy<Full> && detail::wants_report<Full, Side> && detail::writes_report<Full, Side>;

namespace detail {

/// Each fails with the reason why this is no model. @return whether there is one
template <class Full>
constexpr bool explain_full() {
    if constexpr (!requires { typename std::bool_constant<Full::can_pause>; })
        static_assert(never<Full>, "Full lacks `static constexpr bool can_pause`");
    else if constexpr (!full_policy<Full>)
        static_assert(never<Full>, "Full lacks `static constexpr std::size_t report_size`");
    else
        return false;
    return true;
}
template <class Full, class Side>
constexpr bool explain_full_for() {
    if constexpr (!wants_report<Full, Side>)
        static_assert(wants_report<Full, Side>, "Full lacks wanted(side), a std::size_t");
    else if constexpr (!writes_report<Full, Side>)
        static_assert(writes_report<Full, Side>, "Full lacks report(side, area, at, id)");
    else
        return false;
    return true;
}

} // namespace detail

} // namespace ringproof
