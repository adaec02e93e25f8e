// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs with waiting loops that take a lock and release it. Other threads try the lock, or read it, and do something else if
// it is held.

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace ringproof::verify::notices {

inline constexpr std::uint8_t locks =
    5; ///< two mutexes, a word that is exchanged, a read-write lock, and a count of it
inline constexpr std::uint8_t flags = 3;
inline constexpr unsigned most_threads = 4;

enum class step_kind : std::uint8_t {
    poll, ///< takes the lock `object`, looks whether something was put there, and gives it back, until there is
    poll_free, ///< the same, if the lock is free
    wait,      ///< until there is something, by a condition variable
    put,       ///< puts something there, with the lock held
    put_free,  ///< the same, if the lock is free, and notes whether it was
    try_lock,  ///< notes whether the lock was free
    section,   ///< takes the lock, and gives it back
    both,      ///< takes both mutexes, `object` first, as std::lock does
    both_or,   ///< the same, but notes a failed attempt, and leaves, where the first flag is set
    try_or,    ///< tries to take the lock until it does, or the first flag is set
    store,     ///< 1 in the flag `object`
    look,      ///< notes what is there
    add        ///< the same by a read-modify-write
};

struct step {
    step_kind what = step_kind::section;
    std::uint8_t object = 0;
    std::memory_order order = std::memory_order_seq_cst; ///< of a flag
};

struct program {
    std::vector<std::vector<step>> threads{};
};

program generate(std::uint64_t seed);
std::string to_string(const program& of);

/// Chooses what run_chosen() runs.
void choose(const program& subject);
void run_chosen();
/// What the threads have noted.
std::string noted_values();

} // namespace ringproof::verify::notices
