// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "ringproof/concepts/refused.hpp"
#include "ringproof/record.hpp"
#include "ringproof/snapshot_error.hpp"

namespace ringproof {

namespace detail {

template <class Direction>
concept says_in_pages = requires {
    typename std::bool_constant<Direction::in_pages>;
};

template <class Direction>
concept tells_stamp_size = requires {
    typename std::integral_constant<std::size_t, Direction::stamp_size>;
};
template <class Direction>
concept tells_page_size = requires(std::size_t capacity) {
    { Direction::page_size(capacity) } -> std::same_as<std::size_t>;
};

template <class Direction>
concept says_downwards = requires {
    typename std::bool_constant<Direction::downwards>;
};
template <class Direction>
concept tells_trailer_size = requires {
    typename std::integral_constant<std::size_t, Direction::trailer_size>;
};
template <class Direction>
concept makes_trailers = requires(std::size_t size) {
    { Direction::trailer(size) } -> std::same_as<std::uint64_t>;
};
/// A record that was found: its header, the index of that in the copy, and what is wrong.
template <class Step>
concept found_record = requires(const Step& found) {
    { found.header.size } -> std::convertible_to<std::size_t>;
    { found.begin } -> std::convertible_to<std::size_t>;
    { found.error } -> std::convertible_to<snapshot_error>;
};
template <class Direction>
concept finds_records = requires(std::span<const std::uint64_t> words, std::size_t bytes) {
    { Direction::next(words, bytes, bytes) } -> found_record;
};

template <class Direction>
concept written_in_pages = says_in_pages<Direction> && Direction::in_pages && tells_stamp_size<Direction> &&
    tells_page_size<Direction>;
template <class Direction>
concept written_by_records =
    says_in_pages<Direction> && !Direction::in_pages && says_downwards<Direction> &&
    tells_trailer_size<Direction> && makes_trailers<Direction> && finds_records<Direction>;

} // namespace detail

/// Which way a ring that overwrites is written, and how a snapshot finds its records: `backward`, `forward`, `paged`.
///
/// | capability | means                       | promises                                                                |
/// |------------|-----------------------------|-------------------------------------------------------------------------|
/// | `in_pages` | page by page, by many       | `stamp_size`, and `page_size(capacity)`                                 |
/// | not so     | one record beside the other | `downwards` (do positions fall?); `trailer_size`, `trailer(size)`: what |
/// |            |                             | follows a record; `next(words, distance, limit)`: the record whose      |
/// |            |                             | newer neighbour, or head, is so many bytes from head                    |
template <class Direction>
concept direction_policy = detail::written_in_pages<Direction> || detail::written_by_records<Direction>;

namespace detail {

/// Fails with the reason why this is no `direction_policy`. @return whether there is one
template <class Direction>
constexpr bool explain_direction() {
    if constexpr (!says_in_pages<Direction>)
        static_assert(says_in_pages<Direction>, "Direction lacks `static constexpr bool in_pages`");
    else if constexpr (direction_policy<Direction>)
        return false;
    else if constexpr (Direction::in_pages && !tells_stamp_size<Direction>)
        static_assert(never<Direction>,
                      "Direction says `in_pages`, but lacks `static constexpr std::size_t stamp_size`");
    else if constexpr (Direction::in_pages)
        static_assert(tells_page_size<Direction>, "Direction says `in_pages`, but lacks page_size(capacity)");
    else if constexpr (!says_downwards<Direction>)
        static_assert(never<Direction>, "Direction lacks `static constexpr bool downwards`");
    else if constexpr (!tells_trailer_size<Direction>)
        static_assert(never<Direction>, "Direction lacks `static constexpr std::size_t trailer_size`");
    else if constexpr (!makes_trailers<Direction>)
        static_assert(makes_trailers<Direction>, "Direction lacks trailer(size)");
    else
        static_assert(finds_records<Direction>, "Direction lacks next(words, distance, limit), or what it "
                                                "returns has no header, begin and error");
    return true;
}

} // namespace detail

} // namespace ringproof
