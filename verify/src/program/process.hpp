// SPDX-License-Identifier: Apache-2.0
#pragma once
// A process that fork() made: threads with memory of their own at the addresses of the first process's. That memory is
// the executable's data, the heaps as far as they were used, and the stack of the thread that forked. Mapped memory is
// shared by all processes.
//
// The process's copy lies at its home, in mapped memory of the program, so that saved states have it; that of the stack is
// the stack of the process's first thread. The engine knows the home alone, see views.hpp. Only while a thread of the
// process runs do the copies stand at the addresses that the program uses (program::run_in_process()).

#include "memory.hpp"
#include "thread.hpp"

#include <cstddef>
#include <cstdint>

namespace ringproof::verify {

/// What is known of such a process: at the beginning of its home.
struct process {
    struct range {
        std::uintptr_t begin, end; ///< as the program knows it
        std::uintptr_t home;
        bool contains(std::uintptr_t a) const { return a >= begin && a < end; }
    };
    static constexpr std::size_t most_ranges = 128;

    thread_id first;   ///< its first thread
    thread_id creator; ///< the thread that forked, whose stack addresses it has
    /// Values of the graph, not of memory: whether it has been killed, and whether it has ended.
    value_t killed, ended;
    /// In `killed`: the signal, and whether it may as well never come.
    static constexpr value_t any_signal = 0x7f, may_never_come = 0x80;
    std::size_t count;
    range ranges[most_ranges]; ///< the first one is the stack

    static process& at(std::uintptr_t home) { return *reinterpret_cast<process*>(home); }
    const range* find(std::uintptr_t address) const {
        for (std::size_t i = 0; i < count; ++i)
            if (ranges[i].contains(address)) return &ranges[i];
        return nullptr;
    }
    std::uintptr_t home_of(std::uintptr_t address) const {
        const range* const r = find(address);
        return r ? r->home + (address - r->begin) : address;
    }
    /// The address at which the program has what lies at `home`.
    std::uintptr_t address_of(std::uintptr_t home) const {
        for (std::size_t i = 0; i < count; ++i)
            if (home - ranges[i].home < ranges[i].end - ranges[i].begin)
                return ranges[i].begin + (home - ranges[i].home);
        return home;
    }
    /// The end of the part that begins at `address` and lies in one range, or in none.
    std::uintptr_t end_of_part(std::uintptr_t address, std::uintptr_t end) const {
        for (std::size_t i = 0; i < count; ++i) {
            if (ranges[i].contains(address)) return end < ranges[i].end ? end : ranges[i].end;
            if (ranges[i].begin > address && ranges[i].begin < end) end = ranges[i].begin;
        }
        return end;
    }
    /// Whether the process alone has what lies at `home`.
    bool owns(std::uintptr_t home) const { return address_of(home) != home; }
    /// How far above the addresses of its stack its home lies.
    std::uintptr_t stack_shift() const { return ranges[0].home - ranges[0].begin; }

    /// The bytes of a home for a copy of what the program has now, without its stack. 0: it has too many ranges
    static std::size_t size_for(const program_memory& memory);
};

} // namespace ringproof::verify
