// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs of few threads that wait for each other in all the ways that libc has: mutexes, read-write locks,
// semaphores, spin locks, condition variables, call_once and barriers, with atomic and plain accesses in between. Some
// of them hang, and some race.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify::locks {

enum class statement_kind : std::uint8_t {
    load,     ///< of the atomic word `object`
    store,    ///< of `value`
    add,      ///< fetch_add of `value`
    count,    ///< an increment of plain memory
    section,  ///< `body` with the mutex `object` held, which is kept if `value` is not 0
    attempt,  ///< the same, if it is free
    spin,     ///< with the spin lock held
    reading,  ///< with the read-write lock held for reading
    writing,  ///< for writing
    acquire,  ///< sem_wait
    post,     ///< sem_post
    once,     ///< call_once of an increment
    await,    ///< until the flag is set, with the first mutex and the condition variable
    announce, ///< sets the flag, and wakes one who waits
    meet,     ///< pthread_barrier_wait
    take,     ///< exchanges the atomic word `object` for 1 until it was another
    give,     ///< stores 0 in it; the taker may be another thread
    poll, ///< takes the mutex `object`, looks whether something was put there, and gives it back, until there is
    poll_spin,       ///< the same, with an exchange on a word of its own as the lock
    poll_tried,      ///< the same, if the mutex is free
    poll_swap,       ///< as poll_spin, with a compare-exchange; `value`: in a loop, or once
    poll_looked,     ///< the same, where it looked free; `value`: by an exchange
    poll_nested,     ///< as poll, with a recursive mutex that is taken twice
    put,             ///< puts something there, with the mutex held
    put_spin,        ///< the same for poll_spin
    put_nested,      ///< and for poll_nested
    peek,            ///< takes the mutex if it is free, and notes whether it was
    poll_word,       ///< as poll_spin, for a word that others may write over
    put_word,        ///< the same for put_spin, without a lock
    peek_word,       ///< notes what the lock of poll_word holds
    rob,             ///< stores `value` or 0 there, whoever has it
    both,            ///< takes both mutexes, `object` first, as or by std::lock; adds to each word
    await_timed,     ///< until a flag is set, in a loop that waits with a time-out, see timed.hpp
    set_timed,       ///< sets that flag; tells `value` who wait
    clear_timed,     ///< takes it back
    update,          ///< adds to a word with the order `value`, see updates.hpp
    update_down,     ///< takes from it
    update_bits,     ///< the same with an or
    update_counted,  ///< adds to it, and notes what was there
    look_at_updated, ///< notes what is there
    set_updated,     ///< stores there
    send,            ///< stores a message
    receive,         ///< notes whether it is there
    count_latch,     ///< counts a latch down, for all threads that do so
    wait_latch,      ///< waits for it
    try_latch,       ///< notes whether it is at zero
    fence,
    hold_shared, ///< with a share of a lock that is given back where it is taken, see undone.hpp; `value`: how it waits
    hold_alone, ///< with all of it
    watch_lock, ///< notes how much of it is left
    take_share, ///< takes a share of it for good
    poll_shared, ///< takes a share of the read-write lock, looks, and gives it back, until something is there; see shares.hpp
    put_shared,  ///< puts something there
    peek_shared, ///< tries the lock, and notes whether it was free
    poll_gate,   ///< the same with a semaphore in the place of the lock
    put_gate,
    peek_gate,
    widen_gate,   ///< posts that semaphore
    narrow_gate,  ///< takes one of it for good
    start,        ///< adds to the counter, and waits until all threads have but `object`, see counters.hpp
    start_behind, ///< adds to it, and waits for the flag
    come,         ///< adds to it
    come_counted, ///< the same, and notes which it was
    gather,       ///< waits until all have but `object`
    look,         ///< notes how many have
    open          ///< sets the flag
};

struct statement {
    statement_kind what = statement_kind::load;
    int object = 0, value = 0;
    std::vector<statement> body{};
};

struct program {
    std::vector<std::vector<statement>> threads{}; ///< what they run
    std::vector<std::size_t> runs{};               ///< for each thread, which of those it runs
    int semaphore = 0;                             ///< its value at first
    int meeting = 2;                               ///< how many meet at the barrier
    bool hangs_refute = true;                      ///< otherwise what does not hang is compared
};

enum class kind : std::uint8_t {
    mutexes,
    shared,
    semaphores,
    conditions,
    own,
    polls,
    barriers,
    tries,
    robbed,
    pairs,
    starts,
    timed,
    updates,
    undone,
    shares,
    tried_polls,
    looked_polls,
    together,
    all
};
inline constexpr std::array kind_names = std::to_array<std::string_view>(
    {"mutexes", "shared", "semaphores", "conditions", "own", "polls", "barriers", "tries", "robbed", "pairs",
     "starts", "timed", "updates", "undone", "shares", "tried_polls", "looked_polls", "together", "all"});
static_assert(kind_names.size() == static_cast<std::size_t>(kind::all) + 1);

program generate(kind what, std::uint64_t seed);
/// The same with two or three threads that run one code, next to each other or not, and maybe another one.
program with_alike(program made, std::uint64_t seed);
std::string to_string(const program& what);

} // namespace ringproof::verify::locks
