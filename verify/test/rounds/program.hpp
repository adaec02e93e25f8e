// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs whose threads read several words in a round, exchange what they have read, and begin anew: as users write
// queues, stacks and sequence locks, and in ways that no program should use.

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace ringproof::verify::rounds {

inline constexpr unsigned words = 3;
inline constexpr unsigned most_threads = 4;

/// What comes of a value that a round has read.
enum class fate : std::uint8_t {
    next,   ///< the next step
    anew,   ///< the round has no effect: the next one begins
    again,  ///< the same, but the next round goes on with the value that was read last
    leaves, ///< the loop, and notes what it has seen
    stores, ///< the same, and stores in a word that others may read
    fails   ///< an assertion
};

enum class step_kind : std::uint8_t {
    load,
    compare, ///< compare-exchange; where it succeeds, the loop ends
    fence,
    plain,    ///< reads plain memory that others may write
    own,      ///< writes plain memory of its own
    own_look, ///< reads that
    cell, ///< stores in an atomic of its own, that other threads may access: `written`, or what was read first
    wait  ///< a loop in the loop, that waits for another value
};

/// A step of a round.
struct step {
    step_kind what = step_kind::load;
    std::uint8_t word = 0;
    bool indexed = false;      ///< the word is chosen by the value that was read first
    bool relative = false;     ///< it decides by how far the value is ahead of the first one
    bool weak = false;         ///< compare
    bool expects_last = false; ///< compare: what was read last; otherwise what was read first
    bool links = false; ///< compare: what it expects, and what it sees instead, lies in memory of its own
    std::uint8_t written =
        0; ///< compare: 0: one more than is expected; n: n - 1. cell: 0: what was read first
    std::memory_order mo = std::memory_order_relaxed, fails = std::memory_order_relaxed;
    std::array<fate, 4> fates{}; ///< by the value modulo 4
};

enum class statement_kind : std::uint8_t {
    store, ///< of `value` in `word`
    add,   ///< of `value` to `word`
    put,   ///< of `value` in plain memory that rounds may read
    depends, ///< reads `word`; stores `value` in `to` if it is `if_value`, else `otherwise`, if that is not negative
    assume,      ///< reads `word`, and assumes that it is `value`
    tell_own,    ///< notes what rounds left in memory of the own thread, or of another one: `word` behind it
    tell_cell,   ///< notes what is in such an atomic: of the own thread, or `word` behind it
    put_cell,    ///< stores `value` there
    rounds,      ///< see `steps`
    locked_look, ///< takes a mutex, reads `word`, gives it back, until `word` is at least `value`
    tried_look,  ///< the same with a lock of the program's own, which it tries to take
    fence        ///< that releases, of the order `store`
};

struct statement {
    statement_kind what = statement_kind::store;
    unsigned word = 0, to = 0;
    int value = 0, if_value = 0, otherwise = 0;
    bool locked = false; ///< it holds a mutex meanwhile
    bool yields = false; ///< rounds
    int stored = -1;     ///< rounds: behind the exchange, in `to`: what was read first and so much
    std::memory_order load = std::memory_order_relaxed, store = std::memory_order_relaxed;
    std::vector<step> steps{}; ///< rounds
};

struct program {
    std::vector<std::vector<statement>> threads{};
    std::array<int, words> first{};
    unsigned size = 4; ///< bytes of a word
};

/// @param stores its rounds may store in atomics of their threads; otherwise those of each fourth program may
program generate(std::uint64_t seed, bool stores);
std::string to_string(const program& of);

} // namespace ringproof::verify::rounds
