// SPDX-License-Identifier: Apache-2.0
#pragma once
// A thread of the program under test, as flat data: its state is saved and restored by copying this
// struct and the live part of its stack.

#include "../graph/event.hpp"
#include "../model/model.hpp"
#include "contexts.hpp"
#include "floating_point.hpp"
#include <ringproof/verify/explore.hpp>

#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <type_traits>

namespace ringproof::verify {

/// What a thread is about to do; everything else it does is invisible to other threads.
enum class action : std::uint8_t {
    nothing,
    load,
    store,
    modify,     ///< an unconditional read-modify-write
    compare,    ///< a compare-exchange
    write_part, ///< the write part of a read-modify-write whose read part is done
    update, ///< a `modify` whose order among others does not matter, see ../reduction/commuting_updates.cpp
    fence,
    plain_write, ///< a non-atomic write to an address that is also accessed atomically
    create,
    begin,
    join,
    end,
    lock,
    try_lock,
    unlock,
    choose, ///< a number below operand; with `object`: freed memory to use again, or none
    sleep,  ///< until a wake() of the address, if what the thread last read has changed by then
    wake,   ///< operand threads that sleep at the address
    point,  ///< nothing: a place where a handler may come in
    block,  ///< assume(false)
    fail    ///< an error, described in failure
};

enum class rmw_op : std::uint8_t { exchange, add, sub, bit_and, bit_or, bit_xor, bit_nand };

/// An operation on an object whose state is one value, `next` at first what is seen.
enum class going : std::uint8_t {
    change, ///< it takes place and leaves `next`
    leave,  ///< it takes place and changes nothing: a read
    wait    ///< it cannot take place yet; a try_lock fails
};
using transition = going (*)(value_t seen, value_t operand, value_t& next);

struct request {
    action act = action::nothing;
    order mo = order::relaxed;
    order mo_fail = order::relaxed;
    rmw_op op = rmw_op::exchange;
    std::uint8_t size = 0;
    bool more = false; ///< plain write: the same instruction writes another location too
    bool weak =
        false; ///< compare: it may fail although it sees what is expected; choose: to end a wait early
    bool arrives = false;  ///< modify: at a barrier, for `expected` threads
    bool commutes = false; ///< modify: whoever waits for the word sees what the last of them leaves
    bool counts = false;   ///< its rule adds to a count, or takes from it, which its thread does not learn
    std::uint8_t of_several = 0; ///< lock: which this is of those that std::lock() takes, from 1 on
    std::uint8_t part = 0;       ///< of an access of mixed sizes: which of its pieces this is
    std::uint8_t parts = 0;      ///< how many it has; 0: its bytes are accessed in one size
    bool of_rmw = false;         ///< load: a piece of what a read-modify-write reads
    bool may_fail = false;       ///< write_part: of a compare-exchange in pieces
    bool object = false;         ///< the value lives only in the graph, as a mutex's does
    thread_id other = 0; ///< create, join: the other thread; block: not 0 when another execution is the same
    transition rule = nullptr; ///< lock, try_lock: null is that of a mutex; modify: null is that of `op`
    const char* awaits =
        nullptr; ///< lock, sleep: what is said of a thread that does so for ever; "": it would not
    const char* word = nullptr; ///< what the library calls the operation, for people
    std::uintptr_t address = 0;
    value_t operand = 0;
    value_t expected = 0;
    std::uintptr_t site = 0;     ///< return address of the access in the program
    std::uintptr_t frame = 0;    ///< the hook's frame: see RINGPROOF_PROGRAM_FRAME
    std::uint64_t arguments = 0; ///< of the library function that asks, as a number: see hook::standing
    std::uintptr_t arrives_in =
        0; ///< modify: the hook's frame, when it arrives at a barrier or a counter; otherwise 0
    std::uintptr_t into = 0; ///< where the call leaves the value that it saw, other than in a register
};

/// The frame address of the hook it stands in. The program's callee-saved registers are stored in the five
/// words below, its frames above: together with the place of the call, all of the thread's state.
#define RINGPROOF_PROGRAM_FRAME                                                                              \
    (__builtin_unwind_init(), reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)))
inline constexpr std::uintptr_t saved_registers = 5 * sizeof(std::uintptr_t);

enum class thread_status : std::uint8_t {
    unborn, ///< known from another execution, not created yet in this one
    ready,
    awaiting, ///< before a read of which the latest value would only bring it back; a new write lets it look again
    declining, ///< likewise, where an assumption of the program fails with the latest value
    waiting,   ///< in a loop that can only go on when something it read changes
    sleeping,  ///< likewise, and then only when it is woken
    retrying,  ///< after a failed attempt, where it would be had it read the newer value at once
    locking,   ///< saw a mutex taken
    assumed,   ///< stopped by assume(false)
    finished
};

/// Whether a thread of this status stands before a read, and makes it once there is a new write.
constexpr bool looks_again(thread_status s) {
    return s == thread_status::awaiting || s == thread_status::declining;
}

/// Whether one of this status neither ends nor hangs: what it came to is none of the program's executions, or another's twin.
constexpr bool is_left_out(thread_status s) {
    return s == thread_status::assumed || s == thread_status::declining || s == thread_status::retrying;
}

/// Whether a thread is stopped for ever behind some write, see runtime::let_stop().
enum class stopping : std::uint8_t { off, not_this_one, possible };
/// What that choice is called, and the end of the thread by it: told by their addresses.
inline constexpr char stop_or_go[] = "stop or go on", stopped_for_ever[] = "stopped for ever";
inline constexpr char went_on[] = "go on"; ///< how a counterexample calls it where the thread was not stopped
/// What main says where std::lock() tries and steps back, see ../runtime/multi_locks.cpp: told by its address.
inline constexpr char locks_step_back[] = "std::lock() tries, and steps back";
/// What a process does that may be killed, see ../runtime/kills.cpp: told by their addresses.
inline constexpr char looks_for_kill[] = "not killed yet", dies_by_kill[] = "killed",
                      says_ended[] = "has ended";

/// An iteration without effect that was explored all the same, see ../reduction/left_out.cpp.
struct kept_iteration {
    std::uint64_t accesses = 0; ///< a digest of what it accessed
    std::uint32_t end = 0;      ///< the event before which it ended
};

struct thread_state {
    thread_status status = thread_status::unborn;
    bool pending = false; ///< `what` is to be performed; otherwise the thread is to be resumed
    bool dirty = true;    ///< has run since its last image
    bool detached = false;
    bool uses_last_block = false; ///< main: of the program's allocator, see runtime/reuse.cpp
    bool waits = false;           ///< is inside a wait of which another thread can wake it
    bool alone = false;           ///< all that other threads did is ordered before, and none is left
    bool has_contexts = false;    ///< it has had handlers: `contexts` is not as it was at first
    bool changed_shared =
        false; ///< of a process that may be killed: others can tell what it did since it last looked
    thread_id id = 0;
    thread_id parent = 0;
    static constexpr thread_id nobody = 0xffff;
    thread_id joined_by = nobody;
    // Of alike threads, see execution/symmetry.hpp.
    thread_id elder = nobody;    ///< the last thread like it that was created before it
    thread_id first_alike = 0;   ///< the first of those it is like; 0: there are none
    std::uint32_t joining = 0;   ///< bit t: it has joined some of those that t is the first of, but not all
    bool alike = false;          ///< so far its events are those of its elder
    std::uint32_t joined_at = 0; ///< after which event of that thread
    std::uint32_t elder_at = 0;  ///< the elder's event from which on its next one is looked for
    std::uintptr_t process = 0;  ///< the home of its process, see process.hpp; 0: the first process
    std::uint16_t children = 0;
    std::uint32_t next_index = 1;
    std::uint32_t pure_since = 1;     ///< events from this index on had no effect on others
    std::uint32_t yielded_at = 0;     ///< next_index at the last yield
    std::uint32_t waiting_from = 0;   ///< when waiting: index of the first read of the repeated round
    std::uint8_t noticed = 0;         ///< event::noticed of its next event
    std::uint32_t offered = 0;        ///< awaiting: events of the graph when it last looked
    std::uint32_t offered_places = 0; ///< awaiting: writes of the location then
    event_id created = none;          ///< its create event
    event_id ended = none;            ///< its end event
    std::uint32_t unsettled_from = 0; ///< plain writes from this index on wait for their values; 0: none
    request what;
    value_t result = 0;               ///< of the last request: the value read
    bool failed_spuriously = false;   ///< the last compare-exchange did
    std::uint32_t early_wake = 0;     ///< the choice by which its last wait ended early; 0: none
    bool woke_in_vain = false;        ///< retrying: because of that
    std::uintptr_t hook_frame = 0;    ///< of the library function that it is in, see RINGPROOF_PROGRAM_FRAME
    std::uint64_t hook_arguments = 0; ///< and a number for what it was called with
    boost::context::detail::fcontext_t context = nullptr;
    std::uintptr_t frame = 0;        ///< of the engine's function that left its stack for `context`
    void* (*start)(void*) = nullptr; ///< null for main
    void* argument = nullptr;
    void* returned = nullptr;
    void* at_exit = nullptr;         ///< destructors of its thread_local objects, the last first
    void* at_program_exit = nullptr; ///< what it registered for the end of the program, the last first
    void* keys = nullptr;            ///< its pthread_key values
    std::uint32_t gives_up =
        0; ///< iterations after which the loop whose head it stands at is left; 0: it goes on
    std::uint32_t counted_at = 0; ///< its next_index at the head of the loop that counts
    std::uintptr_t counting =
        0; ///< the head of the loop that it counts in; 0: it does not, or that does not matter
    bool goes_round = false;   ///< two of its events may have been made at one place
    std::uint64_t places = 0;  ///< a bit for each place at which it made events, see place_bit()
    std::int64_t clock = 0;    ///< virtual time, in nanoseconds since its begin
    std::int64_t began_at = 0; ///< its clock when it was created
    unsigned clock_reads = 0;
    std::uint32_t looked_at =
        0; ///< its next_index when it last looked at a clock, other than for a timed wait
    std::uint32_t deadline_at = 0; ///< the same of any look
    std::uintptr_t deadline =
        0; ///< where the library has computed that of its last timed wait; 0: the program has
    std::uint32_t random = 1;
    floating_point floats; ///< where it stands before a request
    unsigned idle_yields = 0;
    unsigned plain_accesses = 0;  ///< since its last request
    unsigned known_accesses = 0;  ///< those of memory that another thread may know
    void* handlers = nullptr;     ///< that may interrupt it, the latest first
    unsigned masked_level = 0;    ///< handlers up to this level are kept out
    unsigned places_passed = 0;   ///< plain accesses and the like since its last request
    std::uint32_t arrived_at = 0; ///< index of its arrival at a counter, until it goes on; 0: none
    std::uint32_t told_at = 0;    ///< its next_index when it made a plain access that this may order; 0: none
    std::uint16_t fire = 0;       ///< which handler comes in now, from 1
    std::uint8_t deadlines = 0;   ///< how many looks it has made since its last event
    bool asked = false;           ///< whether one comes in before the pending request is settled
    std::uint8_t kept_count = 0;
    std::array<kept_iteration, 16> kept; ///< the first `kept_count` of them
    stopping stops = stopping::off;
    std::uint16_t writes_left = 0; ///< stopping: behind so many more it stops in any case; 0: behind none
    /// Whether it has not run yet.
    bool start_pending() const { return pending && what.act == action::begin; }
    // The last members, of which images have only what is in use: clocks of known threads, and contexts where there
    // are handlers.
    // Of accesses in pieces, see execution/bundles.cpp.
    enum class midway : std::uint8_t { no, reading, writing };
    midway mid = midway::no;       ///< its last event is a piece, and more of that access follow
    bool unclosed = false;         ///< what it read last is a piece of a write that is not complete
    std::uint8_t image_groups = 0; ///< of lanes, in its image
    thread_clocks clocks;
    verify::contexts contexts;
};
static_assert(std::is_trivially_copyable_v<thread_state> && std::is_standard_layout_v<thread_state>);

} // namespace ringproof::verify
