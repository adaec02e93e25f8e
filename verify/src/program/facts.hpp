// SPDX-License-Identifier: Apache-2.0
#pragma once
// What all rooms of the engine know of one search: its limits, what it has found so far, and what it is doing.

#include "program.hpp"

#include <ringproof/verify/explore.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <string>

namespace ringproof::verify {

/// Choices that the program did not ask for, but are made in it.
enum class own_choice : std::uint8_t { not_one, step_back, allocator, wake, reuse };

struct event;

/// A plain access that a thread makes in a trial.
struct tried_access {
    std::uintptr_t address;
    std::size_t size;
    bool write;
    bool operator==(const tried_access&) const = default;
};

struct search_facts {
    exploration_limits limits;
    exploration_result result;
    bool tracing = false;     ///< a replay, which notes what happens for a counterexample
    bool speculating = false; ///< what a thread would do is looked at, and then taken back
    bool trying = false;      ///< what a thread would do is tried out, with values that nothing orders
    std::vector<tried_access>* tried =
        nullptr;                  ///< takes the plain accesses of a trial; not each of the own stack
    const event* as_of = nullptr; ///< it does again what it did behind this event, and knows of no later one
    std::map<std::uintptr_t, bool> holds; ///< tried out: which mutexes the thread has taken, or let go of
    bool interrupts = false;              ///< some thread has had a handler
    bool restart = false;    ///< something was learnt that the search has to know from its beginning
    bool knows_more = false; ///< something was learnt that does not make the search begin anew, but may later
    std::uint32_t unlike = 0;  ///< bit t: threads that t is the first of were taken for alike, and are not
    std::uint32_t watched = 0; ///< bit t: what t accesses may show that threads are not alike
    /// What is said of an execution in which a thread waits for ever, before what it waits for; none: nothing.
    std::function<std::string()> about_hang = {};
    /// Processes that fork() made look whether they are killed, and say that they have ended: see ../runtime/kills.cpp.
    bool processes_may_die = false;
    bool waits_end_early = false;                     ///< some wait may end although nobody wakes its thread
    own_choice expected_choice = own_choice::not_one; ///< replay: the next event is such a choice
    unsigned expected_place = 0; ///< replay: the plain access before which a handler may come in
    std::chrono::steady_clock::time_point begun;
    static std::atomic<bool> interrupted; ///< set by a signal handler

    /// The threads of which `first` is the first are not alike: the search is to begin anew. May be called from anywhere.
    void are_unlike(thread_id first) {
        unlike |= 1u << first;
        restart = true;
    }
    /// Seconds since the search began.
    double elapsed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    }

    /// Enters into the ledger that something was taken for granted at `site`; may be called from anywhere.
    void take_for_granted(assumption what, std::uintptr_t site) {
        const program::engine_runs guard; // the ledger is the engine's memory
        ++result.assumptions[{what, site}];
    }
    /// Whether anything of this kind has been taken for granted.
    bool relies_on(assumption what) const {
        const auto first = result.assumptions.lower_bound({what, 0});
        return first != result.assumptions.end() && first->first.first == what;
    }
};

/// Thrown, on the engine's stack, when something was learnt that the search has to know from its beginning:
/// a place where a handler may come in was passed over; an attempt took back what it had added.
struct anew {};
/// Thrown, on the engine's stack, when an error is found. Nothing else is thrown there.
struct refuted {
    failure why;
};

} // namespace ringproof::verify
