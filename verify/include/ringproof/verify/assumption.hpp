// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ledger of assumptions: what a search took for granted, with the place in the program where it did.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace ringproof::verify {

/// A kind of entry. Each has one row in assumption_table(); add new kinds at the end of both.
enum class assumption : std::uint8_t {
    idle_iteration,     ///< an iteration that changed nothing is left out
    retried_iteration,  ///< a failed attempt is left out; an execution without it does the same
    undone_attempt,     ///< an attempt that takes back what it added is left out
    yield,              ///< an iteration is left out because the thread yielded, though its state changed
    iteration_count,    ///< a loop gives up after a number of iterations, of which two are explored
    clock,              ///< one sequence of times is explored
    deadline,           ///< a timed wait looks at the clock
    random,             ///< one sequence of random numbers is explored
    assembly,           ///< inline assembly that the checker does not see
    uninstrumented,     ///< code that was not compiled for the checker
    address_reuse,      ///< the address of freed memory does not come again
    spurious_failure,   ///< a weak compare-exchange does not fail spuriously
    spurious_wake,      ///< a wait does not end spuriously
    weak_failures,      ///< weak compare-exchanges that fail spuriously are explored
    early_wakes,        ///< waits that end spuriously are explored
    reused_addresses,   ///< allocations that get freed memory again are explored
    forgotten_address,  ///< an address does not come again, as no pointer to it is left that is read again
    last_freed,         ///< plain memory alone has a pointer to freed memory: two allocators were explored
    restored_iteration, ///< an iteration that takes a lock, looks, and gives it back is left out
    arrival_order,      ///< of the orders in which threads come to a barrier one is explored
    symmetry,           ///< of executions in which alike threads change places one is explored
    update_order,       ///< of the orders of read-modify-writes whose results are not used one is explored
    race,               ///< plain accesses that race are relaxed atomic ones
    liveness,           ///< threads that wait for ever are no error
    mixed_size,         ///< atomic accesses of different sizes share bytes
    race_ignored,       ///< plain accesses that race with each other are made as they come
    kill_order,         ///< a process is killed between accesses in the order of its source
    /// An iteration that changed nothing but the addresses of what it allocates is left out.
    allocating_iteration,
    fresh_values,    ///< calls that fresh() gives other values are alike, as the author promises by fresh()
    assumed_read,    ///< a read with which an assumption of the program fails is not made
    stale_iteration, ///< a branch is dropped in which an iteration fails for a value that is replaced
    own_store,       ///< a store only writes again what its thread has for itself
    multi_lock       ///< std::lock() waits for one mutex after the other
};
inline constexpr std::size_t assumption_count = 33;

/// What an entry means for the verdict.
enum class standing : std::uint8_t {
    proved,   ///< harmless: shown in this search, where it was used
    explored, ///< the executions without the assumption are part of the search
    open      ///< neither: the verdict is inconclusive, unless the user assumes it
};

struct assumption_row {
    assumption kind;
    std::string_view name; ///< for --assume and JSON
    standing stands;
    std::string_view taken;  ///< what is taken for granted, a clause
    std::string_view advice; ///< what a user can do about it, a sentence; empty where nothing is to be done
};

/// The row of a kind.
const assumption_row& row_of(assumption kind);

/// All kinds as a table in Markdown; docs/assumptions.md is made of it.
std::string assumption_page();

/// How often each kind was relied on at each call site; site 0 is nowhere in particular.
using assumption_ledger = std::map<std::pair<assumption, std::uintptr_t>, std::uint64_t>;

} // namespace ringproof::verify
