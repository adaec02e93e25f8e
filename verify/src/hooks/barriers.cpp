// SPDX-License-Identifier: Apache-2.0
// Barriers and latches, of libc and of C++ (include/ringproof/verify/std/barrier and latch).
//
// A barrier has two words. The first has the round, and how many have come in it or are still to come; the second counts
// the rounds that are over. Which round a thread is of, its arrival says: where more threads use a barrier than it is for,
// others may have ended rounds before it came. A latch has one word, which counts down to 0.

#include "../program/early_heap.hpp"
#include "hook.hpp"

#include <cerrno>
#include <cstddef>
#include <pthread.h>

namespace rv = ringproof::verify;
using rv::action;
using rv::going;
using rv::order;
using rv::request;
using rv::value_t;
using namespace rv::hook;

namespace {

const char* const no_barrier = "a barrier that is not initialised, or no longer";
const char* const nobody_comes = "deadlock: a thread waits at a barrier to which no other will come";
const char* const never_zero = "deadlock: a thread waits for a latch that is never counted down to zero";

going end_round(value_t seen, value_t, value_t& next) {
    next = seen + 1;
    return going::change;
}
going round_over(value_t seen, value_t mine, value_t&) { return seen <= mine ? going::wait : going::leave; }

/// The request to arrive at a barrier for `size` threads. `frame`: of the hook, where the order may be left out in which
/// threads come; 0: it is explored.
request arrival(std::uintptr_t word, rv::transition rule, value_t operand, value_t size, bool virtual_word,
                std::uintptr_t frame, std::uintptr_t site) {
    request r = request_for(
        action::modify, {word, site, order::acq_rel, virtual_word, 8, "arrive at barrier"}, rule, operand);
    r.arrives = true;
    r.expected = size;
    r.arrives_in = frame;
    return r;
}

operation rounds(std::uintptr_t word, order mo, bool virtual_word, std::uintptr_t site, const char* what) {
    return {word, site, mo, virtual_word, 8, what};
}

} // namespace

// libc's: its words live in the graph alone, and its size stands where glibc has nothing of interest.
namespace {

unsigned& barrier_size(pthread_barrier_t* b) { return reinterpret_cast<unsigned*>(b)[6]; }

constexpr unsigned come_bits = 32; ///< how many have come; above it the round
constexpr value_t come_mask = (value_t{1} << come_bits) - 1;

going arrive(value_t seen, value_t size, value_t& next) {
    const value_t come = (seen & come_mask) + 1, round = seen >> come_bits;
    next = come == size ? (round + 1) << come_bits : seen + 1;
    return going::change;
}

} // namespace

RINGPROOF_HOOK int pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* attributes,
                                        unsigned count) noexcept {
    if (!running() && !rv::early_heap::open())
        return RINGPROOF_NEXT(pthread_barrier_init)(b, attributes, count);
    if (count == 0) return EINVAL;
    if (!running()) { // a static object's
        barrier_size(b) = count;
        return 0;
    }
    // What stacks and the heap hold before is anybody's guess.
    if (barrier_size(b) != 0 && !engine().memory().in_region(address_of(b)))
        misuse("a barrier is initialised again", RINGPROOF_SITE, b);
    engine().accesses().plain(address_of(b), sizeof *b, true, RINGPROOF_SITE);
    barrier_size(b) = count;
    return 0;
}
RINGPROOF_HOOK int pthread_barrier_destroy(pthread_barrier_t* b) noexcept {
    if (!running()) // libc's, or a static object's, which libc does not know
        return rv::early_heap::was_open() ? 0 : RINGPROOF_NEXT(pthread_barrier_destroy)(b);
    engine().accesses().plain(address_of(b) + 24, 4, true, RINGPROOF_SITE);
    if (barrier_size(b) == 0) misuse(no_barrier, RINGPROOF_SITE, b);
    barrier_size(b) = 0;
    return 0;
}
RINGPROOF_HOOK int pthread_barrier_wait(pthread_barrier_t* b) noexcept {
    if (!running()) return RINGPROOF_NEXT(pthread_barrier_wait)(b);
    const std::uintptr_t site = RINGPROOF_SITE, second = address_of(b) + 8;
    const value_t size = barrier_size(b);
    if (size == 0) misuse(no_barrier, site, b);
    const value_t before =
        engine().visible(arrival(address_of(b), arrive, size, size, true, RINGPROOF_PROGRAM_FRAME, site));
    if ((before & come_mask) + 1 == size) {
        change(rounds(second, order::acq_rel, true, site, "open barrier"), end_round);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    take(rounds(second, order::acquire, true, site, "wait at barrier"), round_over, before >> come_bits,
         nobody_comes);
    return 0;
}

// C++'s: from its lowest bits on, the first word has how many are still to come, how many belong to the barrier, and the round.
namespace {

constexpr unsigned count_bits = 20; ///< as std::barrier::max() says
constexpr value_t count_mask = (value_t{1} << count_bits) - 1;
constexpr value_t one_less = value_t{1} << count_bits; ///< belongs to it from the next round on
constexpr unsigned round_at = 2 * count_bits;

going arrive_some(value_t seen, value_t update, value_t& next) {
    next = seen - update;
    if ((next & count_mask) != 0) return going::change;
    const value_t size = next >> count_bits & count_mask;
    next = ((seen >> round_at) + 1) << round_at | size << count_bits | size;
    return going::change;
}

/// The latest value of a word that the program has made, and that may not have been accessed since.
value_t value_of(const std::uint64_t* word) {
    return engine().execution().find(address_of(word)) == rv::none ? *word : latest(address_of(word));
}

struct arrived {
    value_t round;
    bool last; ///< of the round
};
arrived arrive_at(std::uint64_t* words, value_t update, std::uintptr_t frame, std::uintptr_t site) {
    const value_t size = value_of(words) >> count_bits & count_mask;
    const value_t before =
        engine().visible(arrival(address_of(words), arrive_some, update, size, false, frame, site));
    const value_t left = before & count_mask, come = update & count_mask;
    if (left < come) misuse("more arrive at a barrier than belong to it", site, words);
    return {before >> round_at, left == come};
}
void open_barrier(std::uint64_t* words, std::uintptr_t site) {
    change(rounds(address_of(words + 1), order::acq_rel, false, site, "open barrier"), end_round);
}
void wait_at(std::uint64_t* words, value_t round, std::uintptr_t site) {
    take(rounds(address_of(words + 1), order::acquire, false, site, "wait at barrier"), round_over, round,
         nobody_comes);
}

} // namespace

/// @return twice the round, and one more for the last to come in it
RINGPROOF_HOOK std::uint64_t ringproof_barrier_arrive(std::uint64_t* words, std::ptrdiff_t update,
                                                      int drops) noexcept {
    if (!running()) return 1; // no other thread is there
    const arrived how =
        arrive_at(words, static_cast<value_t>(update) + (drops ? one_less : 0), 0, RINGPROOF_SITE);
    return static_cast<std::uint64_t>(2 * how.round + how.last);
}
RINGPROOF_HOOK void ringproof_barrier_open(std::uint64_t* words) noexcept {
    if (running()) open_barrier(words, RINGPROOF_SITE);
}
RINGPROOF_HOOK void ringproof_barrier_wait(std::uint64_t* words, std::uint64_t round) noexcept {
    if (running()) wait_at(words, round, RINGPROOF_SITE);
}
RINGPROOF_HOOK void ringproof_barrier_arrive_and_wait(std::uint64_t* words) noexcept {
    if (!running()) return;
    const arrived how = arrive_at(words, 1, RINGPROOF_PROGRAM_FRAME, RINGPROOF_SITE);
    if (how.last)
        open_barrier(words, RINGPROOF_SITE);
    else
        wait_at(words, how.round, RINGPROOF_SITE);
}

// Latches. A count orders nothing by what it reads, and who waits sees the last of them, so they have no order of their own.
namespace {

going count_down(value_t seen, value_t update, value_t& next) {
    next = (seen - update) & 0xffff'ffff;
    return going::change;
}
going is_zero(value_t seen, value_t, value_t&) { return seen == 0 ? going::leave : going::wait; }

} // namespace

RINGPROOF_HOOK void ringproof_latch_count_down(int* count, std::ptrdiff_t update) noexcept {
    if (!running()) {
        *count -= static_cast<int>(update);
        return;
    }
    const auto by = static_cast<value_t>(static_cast<std::uint32_t>(update));
    request r = request_for(action::modify,
                            {address_of(count), RINGPROOF_SITE, order::release, false, 4, "count down latch"},
                            count_down, by);
    r.commutes = true;
    if (engine().visible(r) < by) misuse("a latch is counted down below zero", RINGPROOF_SITE, count);
}
RINGPROOF_HOOK void ringproof_latch_wait(const int* count) noexcept {
    if (running())
        take({address_of(count), RINGPROOF_SITE, order::acquire, false, 4, "wait for latch"}, is_zero, 0,
             never_zero);
}
