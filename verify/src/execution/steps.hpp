// SPDX-License-Identifier: Apache-2.0
#pragma once
// How events that the program did not ask for are told in a step's co_index.

#include "../program/facts.hpp"

namespace ringproof::verify {

/// Which handler came in, and before which plain access.
inline constexpr std::uint32_t interrupt_step = 0x8000'0000;
/// An update, which has no place among others.
inline constexpr std::uint32_t update_step = 0x1000'0000;
/// Choices: what their co_index begins at.
inline constexpr std::uint32_t step_back_step = 0x1fff'fffd, allocator_step = 0x1fff'fffe,
                               skip_step = 0x2000'0000, reuse_step = 0x4000'0000, wake_step = 0x7fff'fffe;

std::uint32_t step_of(bool weak, const char* word);
own_choice choice_of(std::uint32_t step);

} // namespace ringproof::verify
