// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ringproof/verify/hidden_races.hpp>

#include <cstddef>
#include <cstdint>

namespace ringproof::verify {

/// Which threads ever accessed a granule, in any execution so far, while another one could; and what was accessed in
/// branches of the search that were dropped. Processes that search together share it. Granules may share an entry: then
/// it has the accesses of all of them.
class access_history {
  public:
    access_history() = default;
    ~access_history();
    access_history(const access_history&) = delete;
    access_history& operator=(const access_history&) = delete;

    /// Whether such an access is noted already: then note() would say nothing new.
    bool knows(std::uintptr_t granule, access_kind kind, std::uint8_t thread) const;
    /// Notes accesses by a thread, from 1. @return whether they may race with one in a branch that was dropped
    bool note(std::uintptr_t granule, access_kind kind, std::uint8_t thread);
    /// Whether accesses by `thread` may race with one that another made.
    bool may_race(std::uintptr_t granule, const granule_accesses& made, std::uint8_t thread);
    void note_dropped(std::uintptr_t granule, const accessing_threads& who);

    /// Maps its memory, before there are several processes. Without it nothing is noted, and everything may race.
    /// @throws std::runtime_error when the system refuses
    void map();

  private:
    struct entry {
        accessing_threads known, dropped;
    };
    static constexpr std::size_t entries = std::size_t{1} << 21;
    entry& of(std::uintptr_t granule) const;

    entry* all_ = nullptr;
};

} // namespace ringproof::verify
