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
     "Let the loop keep nothing that changes in each iteration."},
    {assumption::iteration_count, "iteration-count", standing::explored,
     "of a loop that counts the first two iterations are explored, and the one after which it gives up", ""},
    {assumption::clock, "clock", standing::open, "one sequence of times is explored",
     "Pass times in from outside the code under test."},
    {assumption::deadline, "deadline", standing::explored,
     "a timed wait looks at the clock; that it times out and that it does not are both explored", ""},
    {assumption::random, "random", standing::open, "one sequence of random numbers is explored",
     "Let __VERIFIER_nondet_uint() choose, which explores each number."},
    {assumption::assembly, "assembly", standing::open,
     "inline assembly, or an atomic operation that the compiler does not instrument, reads, writes or orders "
     "memory out of the checker's sight",
     "Where that does not matter, use --trust-assembly."},
    {assumption::uninstrumented, "uninstrumented", standing::open,
     "a library that was not compiled for the checker is linked; its accesses to memory are out of sight",
     "Compile that code together with the program."},
    {assumption::address_reuse, "address-reuse", standing::open,
     "the address of freed memory does not come again, although the program could tell",
     "Use --reuse-addresses."},
    {assumption::spurious_failure, "spurious-failure", standing::open,
     "a weak compare-exchange does not fail spuriously, although the program could tell",
     "Compile with g++ (clang does not tell which are weak), and use --spurious."},
    {assumption::spurious_wake, "spurious-wake", standing::open,
     "a wait does not end spuriously, although the program could tell", "Use --spurious."},
    {assumption::weak_failures, "weak-failures", standing::explored,
     "a weak compare-exchange fails spuriously as well", ""},
    {assumption::early_wakes, "early-wakes", standing::explored, "a wait ends spuriously as well", ""},
    {assumption::reused_addresses, "reused-addresses", standing::explored,
     "an allocation gets the address of freed memory as well", ""},
    {assumption::forgotten_address, "forgotten-address", standing::proved,
     "the address of freed memory does not come again, because no pointer to it is left that is read again",
     "Use --reuse-addresses where the program keeps an address by XOR, as a distance, or in pieces."},
    {assumption::last_freed, "last-freed-address", standing::explored,
     "of the address of freed memory that plain memory alone still has: explored with allocations that never "
     "get it, and with allocations that each get the block of their size that their thread freed last",
     "Use --reuse-addresses for all mixtures."},
    {assumption::restored_iteration, "restored-iteration", standing::proved,
     "an iteration that takes a lock, looks, and gives it back is left out, because no other thread can tell",
     ""},
    {assumption::arrival_order, "arrival-order", standing::proved,
     "of the orders in which threads come to a barrier, or to a counter that they wait for, one is explored, "
     "because no thread can tell",
     ""},
    {assumption::symmetry, "symmetry", standing::proved,
     "of executions in which threads with the same function and arguments change places one is explored, "
     "because "
     "nothing that they ask for tells them apart",
     "Use --no-reduction symmetry where the program compares or hashes addresses of its threads' own "
     "memory."},
    {assumption::update_order, "update-order", standing::proved,
     "of the orders in which threads update a word one is explored, because no thread looks at it in "
     "between, nor "
     "at what an update returns",
     ""},
    {assumption::race, "race", standing::open,
     "plain accesses that race are made as relaxed atomic ones, which is not what C++ says of them",
     "Make them atomic, or order them."},
    {assumption::liveness, "liveness", standing::open,
     "an execution in which a thread waits for ever is no error, and is not complete", ""},
    {assumption::mixed_size, "mixed-size", standing::explored,
     "atomic accesses of different sizes share bytes, which C++ gives no meaning: explored is all that the "
     "processors' models "
     "with mixed sizes allow",
     ""},
    {assumption::race_ignored, "race-ignored", standing::open,
     "what plain accesses that race with each other read decides nothing: each finds what memory holds when "
     "the search comes to it, and other values are not tried",
     "Use --races=continue, which tries them."},
    {assumption::kill_order, "kill-order", standing::explored,
     "a process is killed between any two of its accesses, in the order of its source: a compiler may move "
     "plain and relaxed accesses over that place, and memcpy() may be killed halfway",
     ""},
    {assumption::allocating_iteration, "allocating-iteration", standing::open,
     "an iteration of a loop is left out that left all as it was, but for the addresses of memory that it "
     "allocates "
     "and that only its thread knows: done where it is assumed",
     "Use --rounds N where the program compares, hashes or hides such addresses."},
    {assumption::fresh_values, "fresh-values", standing::open,
     "calls that fresh() gives other values are alike, as it promises: in clients of more than four calls, "
     "one order of them "
     "is explored",
     "Say values(…) where the structure looks at its values."},
    {assumption::assumed_read, "assumed-read", standing::proved,
     "a read of a value with which an assumption of the program fails (assume, __VERIFIER_assume) is not "
     "made, "
     "because nothing comes behind it",
     ""},
    {assumption::stale_iteration, "stale-iteration", standing::proved,
     "a branch is dropped in which an iteration of a loop has read a value that was replaced, and fails "
     "whatever it "
     "reads besides",
     ""},
    {assumption::own_store, "own-store", standing::proved,
     "a store in a loop has no effect: its thread stores the same value there again, and other threads "
     "access that memory only after a later release by this thread",
     ""},
    {assumption::multi_lock, "multi-lock", standing::proved,
     "std::lock() of several mutexes waits for one after the other, where the library tries and steps back, "
     "because no other thread can tell",
     ""},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < assumption_count; ++i)
        if (rows[i].kind != static_cast<assumption>(i)) return false;
    return true;
}
static_assert(std::size(rows) == assumption_count && in_order());

} // namespace

const assumption_row& row_of(assumption kind) { return rows[static_cast<std::size_t>(kind)]; }

std::string assumption_page() {
    std::string page = "| kind | stands | what is taken for granted | what to do |\n|---|---|---|---|\n";
    for (const assumption_row& row : rows) {
        const char* stands = row.stands == standing::proved     ? "proved"
                             : row.stands == standing::explored ? "explored"
                                                                : "open";
        for (const std::string_view part : {std::string_view("| `"), row.name, std::string_view("` | ")})
            page += part;
        page += stands;
        for (const std::string_view part :
             {std::string_view(" | "), row.taken, std::string_view(" | "), row.advice})
            page += part;
        page += " |\n";
    }
    return page;
}

} // namespace ringproof::verify
