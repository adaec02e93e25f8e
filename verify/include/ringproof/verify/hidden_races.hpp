// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a search notes of accesses that could race in executions which it leaves out. The argument is in
// src/reduction/left_out.cpp.

#include "verify.hpp"

#include <array>
#include <cstdint>
#include <map>

namespace ringproof::verify {

enum class access_kind : std::uint8_t { plain_read, plain_write, atomic_read, atomic_write };

inline constexpr std::array all_access_kinds{access_kind::plain_read, access_kind::plain_write,
                                             access_kind::atomic_read, access_kind::atomic_write};

/// Whether accesses of the same bytes by two threads race where nothing orders them: one is plain, and one writes.
constexpr bool conflict(access_kind a, access_kind b) {
    const auto plain = [](access_kind k) {
        return k == access_kind::plain_read || k == access_kind::plain_write;
    };
    const auto write = [](access_kind k) {
        return k == access_kind::plain_write || k == access_kind::atomic_write;
    };
    return (plain(a) || plain(b)) && (write(a) || write(b));
}

/// Accesses of a granule: for each kind a mask of its eight bytes.
struct granule_accesses {
    std::array<std::uint8_t, all_access_kinds.size()> bytes{};

    void add(access_kind kind, std::uint8_t mask) { bytes[static_cast<unsigned>(kind)] |= mask; }
    std::uint8_t of(access_kind kind) const { return bytes[static_cast<unsigned>(kind)]; }
    RINGPROOF_VERIFY_API void add(const granule_accesses& more);
    /// Whether one of these and one of the others conflict.
    RINGPROOF_VERIFY_API bool conflicts_with(const granule_accesses& others) const;
};

/// Who accessed a granule, by kind of access: nobody, one thread, or several.
struct accessing_threads {
    static constexpr std::uint8_t nobody = 0, several = 0xff;
    std::array<std::uint8_t, all_access_kinds.size()> by{};

    /// What makes `was` one of which `thread` is another, or the same.
    static constexpr std::uint8_t joined(std::uint8_t was, std::uint8_t thread) {
        return was == nobody || was == thread ? thread : thread == nobody ? was : several;
    }
    RINGPROOF_VERIFY_API void add(const accessing_threads& more);
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

    struct noted_accesses {
        granule_accesses by;
        std::array<std::uint64_t, all_access_kinds.size()>
            sites{}; ///< for each kind of access a set of bit_of()

        noted_accesses() = default;
        /// Accesses that were all made at the same places.
        RINGPROOF_VERIFY_API noted_accesses(const granule_accesses& made, std::uint64_t at);
        RINGPROOF_VERIFY_API void add(const noted_accesses& more);
        /// Whether one of these and one of the others conflict and have a place in common. `same_granule`: and are of the
        /// same bytes.
        RINGPROOF_VERIFY_API bool may_race_with(const noted_accesses& others, bool same_granule) const;
    };

    /// Of iterations that were left out, with the places where these began.
    std::map<std::uintptr_t, noted_accesses> left_out;
    /// Of threads that knew of events without being ordered behind them, with the places of those events.
    std::map<std::uintptr_t, noted_accesses> behind;
    std::map<std::uintptr_t, accessing_threads> in_dropped; ///< in branches that were dropped
    bool dropped = false; ///< one of these may race with an access that another thread made

    /// A number of this one alone: a copy, and what is assigned to, get a new one. So who remembers what was noted here knows
    /// whether it still is. Each library counts for itself: such are compared that one library has made or assigned to.
    class own_number {
      public:
        own_number() = default;
        own_number(const own_number&) : own_number() {}
        own_number& operator=(const own_number&) { return number_ = next(), *this; }
        operator std::uint64_t() const { return number_; }

      private:
        static std::uint64_t next() {
            static std::uint64_t last = 0;
            return ++last;
        }
        std::uint64_t number_ = next();
    };
    own_number number;

    RINGPROOF_VERIFY_API void note_left_out(std::uintptr_t granule, const noted_accesses& more);
    RINGPROOF_VERIFY_API void note_behind(std::uintptr_t granule, const noted_accesses& more);
    /// Any of them, and one beyond `most_granules`, may race.
    RINGPROOF_VERIFY_API void note_in_dropped(std::uintptr_t granule, const accessing_threads& more);
    /// Adds what another part of the search has noted.
    RINGPROOF_VERIFY_API void add(const hidden_races& part);
    /// Whether an access of an iteration that was left out may race with one of another thread behind the loop.
    RINGPROOF_VERIFY_API bool possible() const;
};

} // namespace ringproof::verify
