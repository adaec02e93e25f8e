// SPDX-License-Identifier: Apache-2.0
#pragma once
// What LINEARIZABLE (linearizable.hpp) asks of the engine: which clients there are, what is known at a call, and whether some
// order of the calls explains what they returned. Includes no more than the instrumented program may share with the engine.

#include "verify.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ringproof::verify::linear {

inline constexpr unsigned max_threads = 8; ///< of a client
inline constexpr unsigned max_calls = 4;   ///< of one of its threads
inline constexpr unsigned max_waits = 4;   ///< synchronisations between its threads
inline constexpr unsigned max_in_all = 9;  ///< calls of a client for linear_options::in_all

/// What a call returned. A call without a result has succeeded: {1, 0}.
struct answer {
    std::int64_t first = 1;  ///< the value, or whether there was one, or whether it succeeded
    std::int64_t second = 0; ///< the value that came with it
    friend bool operator==(const answer&, const answer&) = default;
    friend auto operator<=>(const answer&, const answer&) = default;
};

/// A call that was made.
struct made_call {
    std::uint16_t operation = 0; ///< which of the test's
    std::uint16_t thread = 0;    ///< of the client
    std::int64_t argument = 0;
    answer given = {};
};

/// How a result is written for people.
enum class answer_form : std::uint8_t { nothing, value, success, optional };

/// Which calls have to come in which order.
enum class promise : std::uint8_t {
    linearizable,            ///< a call comes behind each call whose return happens before it
    sequentially_consistent, ///< only the calls of one thread are in order
    // Of these it does not matter what calls return, but that they do.
    lock_free, ///< while other threads are stopped for ever, wherever they are, the calls of the rest return
    obstruction_free, ///< so do those of a thread that runs alone
    wait_free         ///< lock_free, and each call takes at most linear_options::steps of its own
};
constexpr bool is_of_progress(promise p) { return p >= promise::lock_free; }

/// What may be said beside the structure. Bounds are of the clients.
struct linear_options {
    std::vector<memory_model> models = {memory_model::rc11};
    unsigned threads = 2;
    unsigned calls = 2; ///< of each thread
    /// Clients whose threads synchronise outside the structure: up to so many times a thread waits until
    /// a call of another one has returned.
    unsigned synchronisations = 1;
    /// In place of these three: every client of so many calls in all, however its threads make and order them. For
    /// structures whose calls do the same in each thread, and free no memory.
    unsigned in_all = 0;
    verdict expect = verdict::verified;
    linear::promise promise = linear::promise::linearizable;
    std::vector<std::string> assumes = {}; ///< as scenario_options::assumes
    /// obstruction_free: behind so many writes a thread that does not run alone in the end has been stopped.
    unsigned writes = 8;
    /// wait_free: a call makes at most so many accesses to what threads share: atomic objects, locks, fences. It has to be
    /// said; 0 is refused.
    unsigned steps = 0;
};

/// An operation of the structure.
struct operation {
    std::string name;
    std::vector<std::int64_t> arguments = {}; ///< each makes another kind of call; empty: it takes none
    bool fresh = false;                       ///< its argument is another one at each call: 1, 2, …
    bool one_thread = false;                  ///< only one thread of a client calls it
    bool with_previous = false;               ///< and that is the one that calls the operation before
    bool may_fail =
        false; ///< it may say "no" (answer::first is 0) while a call of another thread is under way
    answer_form form = answer_form::nothing;
    std::function<answer(void* object, std::int64_t argument)> invoke = {}; ///< instrumented
};

/// A structure, its operations, and what they are compared with.
struct test {
    std::string name;
    linear_options options;
    std::vector<operation> operations;
    /// Runs this client of the test: instrumented.
    std::function<void(const test&, unsigned number, unsigned client)> run = {};
    /// Makes an object, calls it, one call after the other, and notes what each returns.
    std::function<void(const test&, made_call* calls, std::size_t n)> alone = {};
    /// Whether the specification allows the last of these calls, and what it returned, when it allows those before. None:
    /// the structure itself, run alone, says what is right.
    std::function<bool(const made_call* calls, std::size_t n)> allows = {};
};

/// Of each of the engine's first eight threads the latest event that happens before: 16 bits each. In two registers, for
/// what the engine writes to memory of the program's own the search does not see.
struct known_events {
    std::uint64_t low = 0, high = 0;
    std::uint32_t of(unsigned thread) const {
        return static_cast<std::uint16_t>((thread < 4 ? low : high) >> thread % 4 * 16);
    }
};
/// Engine threads that known_events has room for; a structure may start some of its own.
inline constexpr unsigned max_engine_threads = 8;

/// What a thread of a client notes of one call, in memory of the program's own.
struct record {
    answer given;
    std::uint32_t returned = 0; ///< its event that marks the return
    known_events known;         ///< what happens before the call
};
struct history_of_thread {
    unsigned thread = 0; ///< its number in the engine
    record calls[max_calls];
};

/// A call of a client, and the waits around it, a bit each.
struct client_call {
    std::uint32_t operation = 0;
    std::uint16_t waits_for = 0; ///< before the call, until they are set
    std::uint16_t sets = 0;      ///< behind it
};

// For linear_options::in_all.

/// What a thread notes of one call.
struct noted_call {
    answer given;
    std::uint32_t begun = 0,
                  returned = 0; ///< its latest event before the call, and that which marks the return
};
struct calls_of_thread {
    unsigned thread = 0; ///< its number in the engine
    noted_call calls[max_in_all];
};
/// What was there before the threads of a client were created.
struct before_calls {
    unsigned threads = 0, children = 0, frees = 0;
};

/// Registers a test, which stays where it is, as registrar does a scenario. @return its number
RINGPROOF_VERIFY_API unsigned add(const test* t, void (*body)(), const char* file, int line);
RINGPROOF_VERIFY_API const test& find(unsigned number);
/// How many tests this program has; their numbers begin with 0.
RINGPROOF_VERIFY_API unsigned number_of_tests();
/// @throws std::invalid_argument where none has this name
RINGPROOF_VERIFY_API unsigned number_of(const std::string& name);
/// Any client of the test: each is explored, small ones first.
RINGPROOF_VERIFY_API unsigned any_client(unsigned test);
RINGPROOF_VERIFY_API unsigned threads(unsigned test, unsigned client);
RINGPROOF_VERIFY_API unsigned calls(unsigned test, unsigned client, unsigned thread);
RINGPROOF_VERIFY_API client_call call_at(unsigned test, unsigned client, unsigned thread, unsigned call);
RINGPROOF_VERIFY_API std::int64_t argument_at(unsigned test, unsigned client, unsigned thread, unsigned call);

/// Any of the client's threads: the one that is not stopped in this execution, for a promise of progress.
RINGPROOF_VERIFY_API unsigned any_survivor(unsigned test, unsigned client);
/// From here until end_calls() the running thread may stop for ever behind each of its writes.
RINGPROOF_VERIFY_API void begin_calls(unsigned test, bool survives);
RINGPROOF_VERIFY_API void end_calls();
/// The running thread makes the next call. Its steps are counted from here.
RINGPROOF_VERIFY_API void begin_call(unsigned test);
/// All calls have returned that had to.
RINGPROOF_VERIFY_API void note_returned();

// Of the thread that asks, in the execution so far.
RINGPROOF_VERIFY_API unsigned thread_number();
RINGPROOF_VERIFY_API std::uint32_t latest_event(); ///< its own
RINGPROOF_VERIFY_API known_events known_here();    ///< before what it does next

/// Refutes the execution when no order of the calls explains it.
RINGPROOF_VERIFY_API void check(unsigned test, unsigned client, const history_of_thread* threads);

RINGPROOF_VERIFY_API before_calls note_before_calls();
/// The first thread of the client that makes the same calls as this one does.
RINGPROOF_VERIFY_API unsigned first_alike(unsigned test, unsigned client, unsigned thread);
/// Which of the threads that main has created since the running one is.
RINGPROOF_VERIFY_API unsigned own_place(const before_calls& before);
/// The running thread has made its calls: nothing may be left that only it would find.
RINGPROOF_VERIFY_API void note_made_calls();
/// check() of a client in which each call has a thread of its own: for all clients that make the same calls.
RINGPROOF_VERIFY_API void check_in_all(unsigned test, unsigned client, const before_calls& before,
                                       const calls_of_thread* threads);

/// What check() last looked at, as bytes: the client, what its calls returned, which come before which. For judges.
RINGPROOF_VERIFY_API std::string latest_history(unsigned test);
/// Whether psc allows a client to add `before` to the execution that check_in_all() last looked at: of each call the calls before
/// it, closed. For judges, in exploration_options::on_complete.
RINGPROOF_VERIFY_API bool psc_allows_latest(const std::vector<std::uint32_t>& before);

} // namespace ringproof::verify::linear
