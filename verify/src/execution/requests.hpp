// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../program/images.hpp"
#include "../program/rmw.hpp"
#include "../program/thread.hpp"

namespace ringproof::verify {

/// Whether a read that sees `seen` is the read part of a read-modify-write.
bool exclusive(const request& what, value_t seen);
/// Whether a lock, or what a try of one asks for, cannot be had by who sees `seen`.
bool is_taken(const request& what, value_t seen);

/// Whether a lock that sees `seen` has to wait.
bool must_wait(const request& what, value_t seen);

/// Whether it reads memory, and not a lock: what loops that wait do.
inline bool is_look(action act) {
    return act == action::load || act == action::modify || act == action::compare;
}

/// Whether an access that sees `seen` changes nothing: a load, a compare-exchange that fails, or a read-modify-write that
/// writes what it has read.
inline bool only_looks(const request& what, value_t seen) {
    switch (what.act) {
    case action::load:
        return true;
    case action::compare:
        return seen != what.expected;
    case action::modify:
        return !what.rule && apply(what.op, seen, what.operand, what.size) == seen;
    default:
        return false;
    }
}

/// "fetch_add" and the like.
const char* name_of(rmw_op op);

/// Places in the program, told apart by one of 64 bits: those of two bits are two. Of addresses only what is the same
/// wherever the program is loaded, as what a search finds to be a round depends on it.
inline std::uint64_t place_bit(std::uintptr_t site) {
    constexpr std::uintptr_t page = 4096;
    return std::uint64_t{1} << (std::uint64_t{site % page} * 0x9e37'79b9'7f4a'7c15u >> 58);
}

} // namespace ringproof::verify
