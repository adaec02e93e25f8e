// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random small programs, the same on every platform for the same profile and seed.

#include "program.hpp"

#include <string_view>
#include <vector>

namespace ringproof::verify::oracle {

/// What a generated program may contain. Sizes are chosen so that the enumerator needs milliseconds.
struct profile {
    std::string_view name;
    int threads_least = 2, threads_most = 3;
    int operations_most = 4;  ///< per thread (a statement already begun is finished)
    int operations_total = 9; ///< in the whole program, likewise
    int locations = 2;
    bool acquire_release = false; ///< orders other than relaxed
    bool seq_cst = false;
    bool fences = false;
    bool rmw = false;
    bool awaits = false;
    bool data = false; ///< plain data handed over through a flag; now and then with an order too weak
    bool mutex = false;
    int handler_times =
        0;                ///< not 0: one thread has a handler that runs so often at most, and maybe in itself
    bool control = false; ///< a statement skipped because of a value read before

    // What programs of users do beside the language: profiles of the group "users".
    std::string_view group = "language";
    bool counted = false; ///< waits that give up after some rounds, and a slow path
    bool sleeps = false;  ///< half of the programs sleep where others yield
    int bytes = 0; ///< percent of statements: pieces of plain memory of any size, handed over through a flag
    int own = 0;   ///< percent of the others: memory of each thread's own, and memory obtained anew
    std::uint64_t apart = 0; ///< added to seeds, so that profiles that differ little differ in programs
    bool widths = false;     ///< atomics of 1 to 16 bytes
    std::vector<storage> storages{}; ///< where memory may come from; empty: the stack
};

/// plain, orders, seq-cst, four-threads, rmw, awaits, data, mutex, control, everything, and with handlers:
/// interrupt, interrupt-awaits, interrupt-data, interrupts, interrupts-data. The group "users": counted,
/// counted-orders, bytes, widths, heap, mapped, thread-local, together, which is all of that.
const std::vector<profile>& profiles();

/// Throws std::out_of_range if there is no profile of this name.
const profile& profile_named(std::string_view name);

program generate(const profile& how, std::uint64_t seed);

} // namespace ringproof::verify::oracle
