// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "ringproof/concepts/refused.hpp"

namespace ringproof {

namespace detail {

template <class Identity>
concept tells_own = requires {
    { Identity::own() } -> std::same_as<std::uint64_t>;
};
template <class Identity>
concept tells_dead = requires(std::uint64_t who) {
    { Identity::dead(who) } -> std::same_as<bool>;
};
template <class Identity>
concept says_whether_it_knows_forks = requires {
    typename std::bool_constant<Identity::knows_forks>;
};
template <class Identity>
concept tells_is_own = requires(std::uint64_t who) {
    { Identity::is_own(who) } -> std::same_as<bool>;
};

} // namespace detail

/// Who a producer of a `robust` ring is, and the proof that it is dead: `detail::process_identity`.
/// A model has `own()`, never 0, and `dead(identity)`, which may only be true where it is certain.
///
/// | capability    | means                                                | promises            |
/// |---------------|------------------------------------------------------|---------------------|
/// | `knows_forks` | a forked child is told from the parent it copies     | `is_own(identity)`  |
template <class Identity>
concept identity_policy = detail::tells_own<Identity> && detail::tells_dead<Identity> &&
    detail::says_whether_it_knows_forks<Identity> &&
    (!Identity::knows_forks || detail::tells_is_own<Identity>);

namespace detail {

/// Fails with the reason why this is no `identity_policy`. @return whether there is one
template <class Identity>
constexpr bool explain_identity() {
    if constexpr (!tells_own<Identity>)
        static_assert(tells_own<Identity>, "Identity lacks own(), a std::uint64_t");
    else if constexpr (!tells_dead<Identity>)
        static_assert(tells_dead<Identity>, "Identity lacks dead(identity), a bool");
    else if constexpr (!says_whether_it_knows_forks<Identity>)
        static_assert(says_whether_it_knows_forks<Identity>,
                      "Identity lacks `static constexpr bool knows_forks`");
    else if constexpr (!identity_policy<Identity>)
        static_assert(tells_is_own<Identity>, "Identity says `knows_forks`, but lacks is_own(identity)");
    else
        return false;
    return true;
}

} // namespace detail

} // namespace ringproof
