// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringproof::detail {

/// False for every type, but known only when the template is used: for a static_assert that says why something is
/// refused.
///
/// Each `explain_…` function goes through what a concept asks for and fails at the first that is missing, with a sentence
/// that names the template parameter and what it lacks. So there is one error, and what stands first in it is the reason.
/// Whoever adds a member to a concept adds its sentence beside it; core/test/refused takes each away in turn.
template <class...>
inline constexpr bool never = false;

} // namespace ringproof::detail
