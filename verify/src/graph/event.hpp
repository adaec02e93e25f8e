// SPDX-License-Identifier: Apache-2.0
#pragma once
// An event of an execution graph, in the notation of the literature: po (program order), rf
// (reads-from), co (coherence order), porf = (po ∪ rf)+, hb (happens-before).

#include "clock.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ringproof::verify {

/// Position of an event in its graph. Stable as long as the event is in the graph.
using event_id = std::uint32_t;
using location_id = std::uint32_t;
inline constexpr std::uint32_t none = 0xffff'ffff;
/// Thread of a location's initial write, which is in no program order.
inline constexpr thread_id init_thread = 0xffff;

/// A value of up to 16 bytes, zero-extended.
__extension__ using value_t = unsigned __int128;

enum class event_kind : std::uint8_t {
    init,     ///< the value a location had before its first visible access
    read,     ///< atomic load, or the read part of a read-modify-write
    write,    ///< atomic store, or the write part of a read-modify-write
    fence,    ///<
    create,   ///< pthread_create; begin of the child follows
    begin,    ///< a thread's first event
    join,     ///< pthread_join
    end,      ///< a thread's last event
    choice,   ///< of a number below a bound, by nobody
    wake,     ///< of sleeping threads; orders nothing
    interrupt ///< a handler may come in: which one, from 1, or none
};

/// As in <atomic>, by strength; `plain` is a non-atomic access of an atomic location.
enum class order : std::uint8_t { plain, relaxed, acquire, release, acq_rel, seq_cst };

constexpr std::string_view order_name(order o) {
    switch (o) {
    case order::plain:
        return "plain";
    case order::relaxed:
        return "relaxed";
    case order::acquire:
        return "acquire";
    case order::release:
        return "release";
    case order::acq_rel:
        return "acq_rel";
    case order::seq_cst:
        return "seq_cst";
    }
    return "";
}

constexpr bool is_acquire(order o) { return o == order::acquire || o >= order::acq_rel; }
constexpr bool is_release(order o) { return o >= order::release; }

struct event {
    event_kind kind = event_kind::init;
    order mo = order::relaxed;
    bool rmw = false;    ///< part of a successful read-modify-write
    bool maximal = true; ///< a read that was added reading the co-latest write
    bool lock = false;   ///< an operation on a mutex; its value lives only in the graph
    bool locked : 1 =
        false; ///< of a read-modify-write, or of a failed compare-exchange: a locked instruction on x86
    bool counts : 1 = false; ///< a step of a count, see request::counts
    bool again : 1 = false;  ///< a store without effect, see ../reduction/own_stores.cpp
    /// Of an access that is made in pieces, see execution/bundles.cpp: which of its pieces this is, and how many follow.
    std::uint8_t part : 4 = 0, more : 4 = 0;
    bool waits : 1 = false;      ///< a read within a wait of which another thread can wake it
    bool open : 1 = false;       ///< the last of several pieces, which are not one access: not yet, or torn
    bool takes_over : 1 = false; ///< init: the location's bytes were part of others before
    bool spurious : 1 = false;   ///< of a weak compare-exchange that fails although it saw what it expected
    bool weak : 1 = false; ///< of a weak compare-exchange, however it ends; of a piece: see stays_unwritten
    bool arrival : 1 = false; ///< of an arrival at a barrier
    bool update : 1 = false;  ///< a read-modify-write that has no order among others of its kind
    bool blocked : 1 =
        false; ///< a read of a lock that was taken: its thread waits, and reads again; no model's
    /// Of the first event of a thread behind an iteration that left nothing, but that others had noticed: how many events
    /// that had, or behind_vain_wake. Who noticed is in its porf, see reduction/restored_iterations.cpp.
    std::uint8_t noticed : 4 = 0;
    std::uint8_t size = 0;  ///< bytes accessed
    std::uint8_t depth = 0; ///< 0: the thread's own code; otherwise that of a handler, see contexts
    thread_id thread = init_thread;
    std::uint32_t index = 0; ///< place in its thread's program order, from 1
    location_id location = none;
    event_id rf = none;        ///< read: where the value comes from
    event_id peer = none;      ///< begin: the create event; join: the end event
    std::uint32_t stamp = 0;   ///< insertion order; a revisited read keeps its old stamp
    std::uint32_t node = none; ///< read: the exploration node whose saved state precedes it
    union {
        std::uint32_t co_index = 0; ///< write: its place in co when it was added
        event_id earlier_read;      ///< read: its thread's read of the same location before it, or none
    };
    event_id first_reader = none;        ///< write: list of the reads that read from it
    event_id next_reader = none;         ///< read: next in that list
    event_id older = none, newer = none; ///< neighbours by stamp
    std::uintptr_t site = 0; ///< return address of the access in the program; init: the location's address
    value_t value = 0;
    const char* word = nullptr; ///< what the library calls it: "post semaphore"; null: nothing special
    std::uintptr_t frame = 0;   ///< the frame of the hook that reported it
    clocks_together<3> clocks;  ///< the last member: of the rest of it there is no more than the known groups

    /// Everything porf-before, itself included.
    auto porf() const { return clocks.clock<0>(); }
    auto porf() { return clocks.clock<0>(); }
    /// Everything hb-before, itself included.
    auto hb() const { return clocks.clock<1>(); }
    auto hb() { return clocks.clock<1>(); }
    /// Of a write: what an acquiring reader synchronises with.
    auto release() const { return clocks.clock<2>(); }
    auto release() { return clocks.clock<2>(); }

    static constexpr std::uint8_t behind_vain_wake = 15;

    event() {} // the model sets the clocks of the known groups
    bool is_read() const { return kind == event_kind::read; }
    bool is_write() const { return kind == event_kind::write || kind == event_kind::init; }
    /// Whether it is one of several pieces of an access.
    bool is_part() const { return part + more != 0; }
    bool is_access() const { return is_read() || is_write(); }
    /// Whether it is an access of memory whose value may have an address in it, with a tag above or below.
    bool may_hold_address() const { return is_access() && !lock && (mo == order::plain || value >> 32 != 0); }
};
/// The bytes of an event before its clocks: every step of a search touches some, so there are no gaps.
inline constexpr std::size_t event_head = 96;
static_assert(sizeof(event) == event_head + sizeof(clocks_together<3>));

} // namespace ringproof::verify
