// SPDX-License-Identifier: Apache-2.0
#pragma once
// Signals that the program sends to itself, and that its threads wait for: signalfd(2), sigwait(3). They are of the 31
// standard ones, and no handler runs: whoever sends one that a thread does not block is refused. The process has one
// word: which signals are pending, and which some thread does not block.

#include "descriptors.hpp"

#include <csignal>

namespace ringproof::verify::descriptors {

inline constexpr std::uint32_t all_signals = 0x7fff'ffff; ///< bit n - 1 is signal n
/// Of the word of the process: those that some thread does not block.
inline constexpr unsigned first_open = 32;

std::uint32_t from(const sigset_t& set);
sigset_t to_set(std::uint32_t signals);

/// The process's word, which main() makes before it starts a thread; null when there is none.
const end* of_process(std::uintptr_t site);
/// The signals that the running thread blocks.
std::uint32_t blocked();
void block(std::uint32_t signals, std::uintptr_t site);
/// Whether any thread of the process has ever said which signals it blocks.
inline bool any_mask = false;
/// The next thread of the running one begins with its mask. @return the routine and argument to start it with
struct start {
    void* (*routine)(void*);
    void* argument;
};
start inherit(start first);
/// The lowest of `signals` that is in the set; 0 for none.
int lowest(std::uint32_t signals);
/// Rules of the word: takes the lowest pending one of a set, or waits for it.
going take_one(value_t seen, value_t set, value_t& next);
going take_one_or_wait(value_t seen, value_t set, value_t& next);

} // namespace ringproof::verify::descriptors
