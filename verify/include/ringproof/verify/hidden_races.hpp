// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a search notes of accesses that could race in executions which it leaves out. The argument is in
// src/reduction/left_out.cpp.

#include <cstdint>
#include <map>

namespace ringproof::verify {

enum class access_kind : std::uint8_t { plain_read, plain_write, atomic_read, atomic_write };

/// Accesses of a granule: for each kind a mask of its eight bytes.
struct granule_accesses {
    std::uint8_t bytes[4] = {};

    void add(access_kind kind, std::uint8_t mask) { bytes[static_cast<unsigned>(kind)] |= mask; }
    void add(const granule_accesses& more);
    /// Whether one of these and one of the others conflict, and are not both atomic.
    bool conflicts_with(const granule_accesses& others) const;
};

struct hidden_races {
    /// Of an access where this is the granule, it is not known which it is.
    static constexpr std::uintptr_t any_granule = 0;
    /// Granules in each of the maps below, beyond which more are any_granule.
    static constexpr std::size_t most_granules = 4096;

    /// Call sites are told apart by these alone: a hash of what is the same in each process that runs the program.
    static std::uint64_t bit_of(std::uintptr_t site) {
        constexpr std::uintptr_t within_page = 0xfff;
        return std::uint64_t{1} << ((site & within_page) * 0x9e37'79b9'7f4a'7c15u >> 58);
    }

    struct unordered_accesses {
        granule_accesses by;
        std::uint64_t sites =
            0; ///< bit_of() those of the events that their thread knew of, and was not ordered behind
    };

    std::map<std::uintptr_t, granule_accesses> left_out; ///< of iterations that were left out
    std::uint64_t left_at = 0;                           ///< bit_of() the places where these began
    std::map<std::uintptr_t, unordered_accesses>
        behind; ///< of threads that knew of events without being ordered behind

    bool dropped =
        false; ///< an access in a branch that was dropped may race with one that another thread made

    void note_left_out(std::uintptr_t granule, const granule_accesses& more);
    void note_behind(std::uintptr_t granule, const unordered_accesses& more);
    /// Adds what another part of the search has noted.
    void add(const hidden_races& part);
    /// Whether an access of an iteration that was left out may race with one of another thread behind the loop.
    bool possible() const;
};

} // namespace ringproof::verify
