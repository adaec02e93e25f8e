// SPDX-License-Identifier: Apache-2.0
#include <ringproof/verify/assumption.hpp>

namespace ringproof::verify {
namespace {

constexpr assumption_row rows[] = {
    {assumption::idle_iteration, "idle-iteration", standing::proved,
     "an iteration of a loop that left registers, stack and memory as they were is left out", ""},
    {assumption::retried_iteration, "retried-iteration", standing::proved,
     "a failed attempt is left out, because an execution without it comes to the same state", ""},
    {assumption::undone_attempt, "undone-attempt", standing::proved,
     "an attempt that takes back what it added is left out, because no other thread can tell", ""},
    {assumption::yield, "yield", standing::open,
     "an iteration is left out because its thread yielded, although the thread's state changed",
     "Bound the loop with --rounds N, or remove what it counts."},
    {assumption::iteration_count, "iteration-count", standing::explored,
     "a loop gives up after some iterations without effect; the first ones and the exit are explored", ""},
    {assumption::clock, "clock", standing::open, "one sequence of times is explored",
     "Pass times in from outside the code under test."},
    {assumption::random, "random", standing::open, "one sequence of random numbers is explored",
     "Use ringproof::verify::choose() to explore every number."},
    {assumption::assembly, "assembly", standing::open,
     "inline assembly reads, writes or orders memory out of the checker's sight",
     "Where that does not matter, use --trust-assembly."},
    {assumption::uninstrumented, "uninstrumented", standing::open,
     "code that was not compiled for the checker makes accesses out of its sight",
     "Compile that code together with the program."},
    {assumption::address_reuse, "address-reuse", standing::open,
     "the address of freed memory does not come again, although the program could tell",
     "Use --reuse-addresses."},
    {assumption::spurious_failure, "spurious-failure", standing::open,
     "a weak compare-exchange does not fail spuriously, although the program could tell", "Use --spurious."},
    {assumption::spurious_wake, "spurious-wake", standing::open,
     "a wait does not end spuriously, although the program could tell", "Use --spurious."},
    {assumption::input, "input", standing::open, "what the program reads from outside is always the same",
     "Make the input a part of the program."},
    {assumption::library_state, "library-state", standing::open,
     "what a library keeps between calls is not put back between executions",
     "Compile the library together with the program."},
    {assumption::full_table, "full-table", standing::open, "a table of the checker was full",
     "Make the program smaller."},
    {assumption::weak_failures, "weak-failures", standing::explored,
     "a weak compare-exchange fails spuriously as well", ""},
    {assumption::early_wakes, "early-wakes", standing::explored, "a wait ends spuriously as well", ""},
    {assumption::reused_addresses, "reused-addresses", standing::explored,
     "an allocation gets the address of freed memory as well", ""},
    {assumption::forgotten_address, "forgotten-address", standing::proved,
     "the address of freed memory does not come again, because no pointer to it is left", ""},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < assumption_count; ++i)
        if (rows[i].kind != static_cast<assumption>(i)) return false;
    return true;
}
static_assert(std::size(rows) == assumption_count && in_order());

} // namespace

const assumption_row& row_of(assumption kind) { return rows[static_cast<std::size_t>(kind)]; }

} // namespace ringproof::verify
