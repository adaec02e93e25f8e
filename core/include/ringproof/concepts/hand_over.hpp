// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <type_traits>

#include "ringproof/concepts/refused.hpp"

namespace ringproof {

namespace detail {

template <class HandOver>
concept says_how_it_hands_over = requires {
    typename std::bool_constant<HandOver::commits_in_band>;
    typename std::bool_constant<HandOver::batches>;
};
template <class HandOver>
concept says_how_many_gather = requires {
    typename std::integral_constant<std::size_t, HandOver::most>;
};

} // namespace detail

/// How a single producer hands over what it has written: `each`, `in_band`, `batched<N>`.
///
/// | capability        | means                                                            | promises |
/// |-------------------|------------------------------------------------------------------|----------|
/// | `commits_in_band` | by a word of the record or slot itself; no head travels          |          |
/// | `batches`         | when so many bytes or items have gathered, or at `flush()`       | `most`   |
template <class HandOver>
concept hand_over_policy = detail::says_how_it_hands_over<HandOver> &&
    (!HandOver::batches || detail::says_how_many_gather<HandOver>);

namespace detail {

/// Fails with the reason why this is no `hand_over_policy`. @return whether there is one
template <class HandOver>
constexpr bool explain_hand_over() {
    if constexpr (!requires { typename std::bool_constant<HandOver::commits_in_band>; })
        static_assert(never<HandOver>, "HandOver lacks `static constexpr bool commits_in_band`");
    else if constexpr (!requires { typename std::bool_constant<HandOver::batches>; })
        static_assert(never<HandOver>, "HandOver lacks `static constexpr bool batches`");
    else if constexpr (!hand_over_policy<HandOver>)
        static_assert(never<HandOver>,
                      "HandOver says `batches`, but lacks `static constexpr std::size_t most`");
    else
        return false;
    return true;
}

} // namespace detail

} // namespace ringproof
