// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ringproof/concepts/refused.hpp"
#include "ringproof/layout/padded.hpp" // shared_word
#include "ringproof/ring_memory.hpp"

namespace ringproof {

namespace detail {

template <class Layout>
concept says_what_it_is_for = requires {
    typename std::bool_constant<Layout::has_page>;
    typename std::bool_constant<Layout::many_processes>;
    typename std::bool_constant<Layout::has_aux>;
};

/// A word where a layout puts it: made with its first value and the memory, used by `*`.
template <class Word>
concept dereferenced = requires(Word& at, const Word& seen) {
    { *at } -> std::same_as<std::atomic<std::uint64_t>&>;
    { *seen } -> std::same_as<const std::atomic<std::uint64_t>&>;
};
template <class Word>
concept placed_word = std::constructible_from<Word, std::uint64_t, const ring_memory*> && dereferenced<Word>;
template <class Layout>
concept has_words = requires {
    typename Layout::template word<shared_word::head>;
};
template <class Layout>
concept places_words = has_words<Layout> && placed_word<typename Layout::template word<shared_word::head>> &&
    placed_word<typename Layout::template word<shared_word::tail>>;
template <class Layout>
concept begins = requires(const ring_memory& memory, std::uint64_t start) {
    { Layout::begin(memory, start) } -> std::same_as<typename Layout::positions>;
    { Layout::begin(memory, start).head } -> std::convertible_to<std::uint64_t>;
    { Layout::begin(memory, start).tail } -> std::convertible_to<std::uint64_t>;
};
template <class Layout>
concept counts_places = requires {
    typename std::integral_constant<std::size_t, Layout::places>;
};
template <class Layout>
concept tells_where_places_are = requires {
    typename std::integral_constant<std::size_t, Layout::places_at>;
};
template <class Layout>
concept begins_aux = requires(const ring_memory& memory, std::uint64_t start) {
    { Layout::begin_aux(memory, start, start) } -> std::same_as<typename Layout::positions>;
};

} // namespace detail

/// Where the words are that the sides of a ring share: `padded`, `perf_abi`, `between_processes`.
/// A model has
/// - `word<Which>`, for each `shared_word` a type that is made with its first value and a `const ring_memory*`, and whose
///   `*` is the `std::atomic<std::uint64_t>`;
/// - `positions`, with `head` and `tail`, and `positions begin(memory, start)`: what the memory must have and where a ring
///   in it begins; throws std::invalid_argument for memory that will not do.
///
/// | capability       | means                                                    | promises                             |
/// |------------------|----------------------------------------------------------|--------------------------------------|
/// | `has_page`       | perf's control page: head covers complete records only   |                                      |
/// | `many_processes` | producers of several processes, each with a place        | `places`, `places_at`                |
/// | `has_aux`        | there can be an AUX area beside the ring                 | `begin_aux(memory, start, capacity)` |
template <class Layout>
concept layout_policy = detail::says_what_it_is_for<Layout> && detail::places_words<Layout> &&
                        detail::begins<Layout> &&
                        (!Layout::many_processes ||
                         (detail::counts_places<Layout> && detail::tells_where_places_are<Layout>)) &&
                        (!Layout::has_aux || detail::begins_aux<Layout>);

namespace detail {

/// Fails with the reason why this is no `layout_policy`. @return whether there is one
template <class Layout>
constexpr bool explain_layout() {
    if constexpr (!requires { typename std::bool_constant<Layout::has_page>; })
        static_assert(never<Layout>, "Layout lacks `static constexpr bool has_page`");
    else if constexpr (!requires { typename std::bool_constant<Layout::many_processes>; })
        static_assert(never<Layout>, "Layout lacks `static constexpr bool many_processes`");
    else if constexpr (!requires { typename std::bool_constant<Layout::has_aux>; })
        static_assert(never<Layout>, "Layout lacks `static constexpr bool has_aux`");
    else if constexpr (!places_words<Layout>)
        static_assert(
            places_words<Layout>,
            "Layout lacks word<Which>, made with (std::uint64_t, const ring_memory*) and used by *");
    else if constexpr (!begins<Layout>)
        static_assert(begins<Layout>,
                      "Layout lacks positions (head and tail) or begin(memory, start), which returns it");
    else if constexpr (Layout::many_processes && !counts_places<Layout>)
        static_assert(never<Layout>,
                      "Layout says `many_processes`, but lacks `static constexpr std::size_t places`");
    else if constexpr (Layout::many_processes && !tells_where_places_are<Layout>)
        static_assert(never<Layout>,
                      "Layout says `many_processes`, but lacks `static constexpr std::size_t places_at`");
    else if constexpr (!layout_policy<Layout>)
        static_assert(begins_aux<Layout>,
                      "Layout says `has_aux`, but lacks begin_aux(memory, start, capacity)");
    else
        return false;
    return true;
}

} // namespace detail

} // namespace ringproof
