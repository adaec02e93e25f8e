// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ringproof/concepts/refused.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"

namespace ringproof {

namespace detail {

template <class View>
concept says_how_it_reads = requires {
    typename std::bool_constant<View::zero_is_uncommitted>;
    typename std::bool_constant<View::can_resynchronise>;
    typename std::bool_constant<View::tells_held_up>;
};
template <class View, class Side>
concept looks = requires(View& view, const Side& side, std::uint64_t at) {
    { view.look(side, at, at) } -> std::same_as<read_error>;
};
template <class View>
concept tells_available = requires(View& view, std::uint64_t at) {
    { view.available(at, at, at) } -> std::same_as<std::uint64_t>;
};
template <class View>
concept reads_headers = requires(View& view, const record_area& area, std::uint64_t at) {
    { view.header(area, at) } -> std::same_as<std::uint64_t>;
};
template <class View>
concept scrubs = requires(View& view, const record_area& area, std::uint64_t at, std::size_t size) {
    view.scrub(area, at, size);
};
template <class View, class Side>
concept tells_more = requires(View& view, const Side& side, const record_area& area, std::uint64_t at) {
    { view.more(side, area, at) } -> std::same_as<bool>;
};
template <class View, class Side>
concept tells_held_up = requires(View& view, const Side& side, std::uint64_t at) {
    { view.held_up(side, at) } -> std::same_as<bool>;
};
template <class View, class Side>
concept resynchronises = requires(View& view, const Side& side) {
    { view.resynchronise(side) } -> std::same_as<std::uint64_t>;
};

} // namespace detail

/// What a producer policy has for the one who reads, `Producer::consumer_side<Barriers>`. A model has
/// - a constructor from the first position;
/// - `look(side, tail, capacity)` at the beginning of a batch, a `read_error`; then `available(at, tail, capacity)`, how
///   many bytes from `at` on can be records, and `header(area, at)`, the record's header word there;
/// - if it likes, `fetch_ahead(area, at)` while the record at `at` is used;
/// - `scrub(area, from, size)` before that is given back; `more(side, area, tail)`: has something come since?
///
/// | says                  | means                                                                | promises             |
/// |-----------------------|----------------------------------------------------------------------|----------------------|
/// | `zero_is_uncommitted` | a header that is 0 is that of a record which is not complete         |                      |
/// | `can_resynchronise`   | after an error good records can be told to begin again               | `resynchronise(side)`|
/// | `tells_held_up`       | a consumer can sleep: it knows whether a reservation is in its way   | `held_up(side, tail)`|
template <class View, class Side>
concept consuming_side = detail::says_how_it_reads<View> && std::constructible_from<View, std::uint64_t> &&
    detail::looks<View, Side> && detail::tells_available<View> && detail::reads_headers<View> &&
    detail::scrubs<View> && detail::tells_more<View, Side> &&
    (!View::can_resynchronise || detail::resynchronises<View, Side>)&&(!View::tells_held_up ||
                                                                       detail::tells_held_up<View, Side>);

namespace detail {

/// Fails with the reason why this is no `consuming_side`. @return whether there is one
template <class View, class Side>
constexpr bool explain_consuming_side() {
    if constexpr (!requires { typename std::bool_constant<View::zero_is_uncommitted>; })
        static_assert(never<View>,
                      "Producer: its consumer_side lacks `static constexpr bool zero_is_uncommitted`");
    else if constexpr (!requires { typename std::bool_constant<View::can_resynchronise>; })
        static_assert(never<View>,
                      "Producer: its consumer_side lacks `static constexpr bool can_resynchronise`");
    else if constexpr (!requires { typename std::bool_constant<View::tells_held_up>; })
        static_assert(never<View>, "Producer: its consumer_side lacks `static constexpr bool tells_held_up`");
    else if constexpr (!std::constructible_from<View, std::uint64_t>)
        static_assert(never<View>,
                      "Producer: its consumer_side lacks a constructor from (std::uint64_t start)");
    else if constexpr (!looks<View, Side>)
        static_assert(
            looks<View, Side>,
            "Producer: its consumer_side lacks look(side, tail, capacity), which returns a read_error");
    else if constexpr (!tells_available<View>)
        static_assert(tells_available<View>,
                      "Producer: its consumer_side lacks available(at, tail, capacity)");
    else if constexpr (!reads_headers<View>)
        static_assert(reads_headers<View>, "Producer: its consumer_side lacks header(area, at)");
    else if constexpr (!scrubs<View>)
        static_assert(scrubs<View>, "Producer: its consumer_side lacks scrub(area, from, size)");
    else if constexpr (!tells_more<View, Side>)
        static_assert(tells_more<View, Side>, "Producer: its consumer_side lacks more(side, area, tail)");
    else if constexpr (View::can_resynchronise && !resynchronises<View, Side>)
        static_assert(resynchronises<View, Side>,
                      "Producer: its consumer_side says `can_resynchronise`, but lacks resynchronise(side)");
    else if constexpr (View::tells_held_up && !tells_held_up<View, Side>)
        static_assert(tells_held_up<View, Side>,
                      "Producer: its consumer_side says `tells_held_up`, but lacks held_up(side, tail)");
    else
        return false;
    return true;
}

} // namespace detail

} // namespace ringproof
