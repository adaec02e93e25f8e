// SPDX-License-Identifier: Apache-2.0
// Of each structure of verify/scenarios/linear that is wrong: the client that refutes it first, which is a smallest one, as
// clients are explored by their threads, calls and waits. Why there is none below is said beside it.

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/linear.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

namespace rv = ringproof::verify;
namespace rl = ringproof::verify::linear;

namespace {

struct wrong_structure {
    const char* name;
    unsigned threads, calls;
    const char* shown; ///< a part of the history or, of progress, of what is wrong
};

// A single thread finds nothing in most of them: they were written for one.
const wrong_structure wrong[] = {
    // Two push, and one of them looks behind the other's unfinished push.
    {"core: mpsc_queue of two slots, taken for linearizable", 2, 3, "pop() = nothing"},
    {"core: record_ring, shared: taken for linearizable", 2, 3, "read() = nothing"},
    {"Vyukov's queue, taken for linearizable", 2, 3, "pop() = nothing"},
    // Store buffering of positions: "nothing" needs a push that the popper has seen no trace of, "full" one more than fits.
    {"core: spsc_queue of two slots, taken for linearizable", 2, 5, "push(5) = false"},
    {"core: record_ring, single: taken for linearizable", 2, 5, "write(5) = false"},
    // One item, and two pops that both get it.
    {"Michael and Scott's queue, mutant: a pop overwrites the head", 2, 3, "pop() = "},
    {"Herlihy and Wing's queue, mutant: taken after a look", 2, 3, "pop() = "},
    {"Treiber's stack, mutant: a pop overwrites the head", 2, 3, "pop() = "},
    {"stack_in_c_mutant_a_pop_reads_and_writes_apart", 2, 3, "pop() = "},
    // One item, two pops, of which the second one takes what is behind it.
    {"queue with a lock, mutant: looks before it locks", 2, 3, "pop() = 0"},
    // Two pushes get one of two cells, and a third one finds room.
    {"Vyukov's queue, mutant: a cell is not claimed", 2, 3, "push(3) = true"},
    // Two items and a pop show the end that it takes from; with both in one thread that is in order.
    {"queue with a lock, taken for a stack", 2, 3, "pop() = "},
    {"queue of two queues, taken for one", 2, 3, "pop() = "},
    {"numbers, mutant: read and written apart", 2, 2, "next() = 0"},
    {"numbers, mutant: by twos", 1, 2, "next() = 3"},
    {"core: recorder, mutant: the oldest record", 1, 3, "newest() = 1"},
    // The larger value is overwritten by the smaller one, and read.
    {"maximum, mutant: stored without looking again", 2, 3, "get() = 1"},
    // Store buffering.
    {"two flags, mutant: released and acquired", 2, 4, "right() = false"},
    {"two flags, released and acquired, taken for sequentially consistent", 2, 4, "right() = false"},
    {"pair behind a sequence lock, mutant: the reader does not look again", 2, 2, "read() = 1"},
    {"set of bits, mutant: looked at before it is written", 2, 2, "insert(1) = true"},
    // One thread adds to the part that has been read, and then another to the part that has not.
    {"sum, mutant: of two parts", 3, 3, "get() = "},
    // One adds, and the other one, which has heard of that, has not.
    {"number that each thread remembers, taken for linearizable", 2, 2, "get() = 0"},
    // Both say 1 behind their own.
    {"number that each thread remembers, mutant: of its own calls alone", 2, 4, "get() = 1"},
    // Two producers in order, and a pop that looks at the second one's part first.
    {"queue of parts, each thread's own, taken for one queue", 2, 3, "pop() = "},
    // One producer's items in both parts: another push keeps it from the first, and a pop.
    {"queue of parts, mutant: pushed to where no other thread is", 2, 4, "pop() = "},
    // The owner and a thief both get the second of two items, when the first one is gone.
    {"work-stealing deque, mutant: its owner's fence is missing", 2, 5, "take() = 4"},
    {"work-stealing deque, mutant: the thieves' fence is missing", 2, 5, "steal() = 4"},
    // A take puts the end back to where it was, and tells no thief of what was pushed there.
    {"work-stealing deque, mutant: a store releases, and no fence", 2, 4, "steal() = 0"},
    // Two items, the younger one first; three, of which the oldest two are passed.
    {"queue of segments of two cells, taken for first in, first out", 2, 3, "pop() = "},
    {"queue of segments of three cells, taken for one of two", 2, 4, "pop() = "},
    // The same where each call has a thread of its own, unless one thread makes them all.
    {"core: spsc_queue of two slots, in all: taken for linearizable", 2, 5, "push(3) = false"},
    {"core: mpsc_queue of two slots, in all: taken for linearizable", 3, 3, "pop() = nothing"},
    {"Michael and Scott's queue, in all, mutant: a pop overwrites the head", 3, 3, "pop() = "},
    {"Treiber's stack, in all, mutant: a pop overwrites the head", 3, 3, "pop() = "},
    {"two flags, in all, mutant: released and acquired", 4, 4, "right() = false"},
    // Waiting takes two. The other one is stopped in its first call.
    {"stack with a spin lock, taken for lock-free", 2, 2, "livelock"},
    {"stack with a spin lock, taken for obstruction-free", 2, 2, "livelock"},
    {"queue with a mutex, taken for lock-free", 2, 2, "deadlock"},
    {"Michael and Scott's queue, mutant: waits where it has to help", 2, 2, "livelock"},
    {"Vyukov's queue, a pop for each push: taken for lock-free", 2, 2, "livelock"},
    {"owned number, mutant: waits for the owner", 2, 2, "livelock"},
    // One call more than alone.
    {"number, added to until it works: taken for wait-free", 2, 2, "more than 2 steps"},
    {"number behind a flag, taken for wait-free", 2, 2, "more than 6 steps"},
    {"core: mpsc_queue, taken for wait-free, five steps a call", 2, 2, "more than 5 steps"},
    {"core: record_ring, shared, taken for wait-free, seven steps a call", 2, 3, "more than 7 steps"},
};

rv::exploration_result explore(unsigned number) {
    const rl::test& t = rl::find(number);
    rv::exploration_options options;
    options.model = t.options.models.front();
    return rv::explore([&t, number] { t.run(t, number, rl::any_client(number)); }, options);
}

std::string client_of(unsigned threads, unsigned calls) {
    return std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ") + std::to_string(calls) +
           (calls == 1 ? " call" : " calls");
}

} // namespace

TEST_CASE("each wrong structure is refuted by a smallest client") {
    for (const wrong_structure& one : wrong) {
        const rv::exploration_result r = explore(rl::number_of(one.name));
        INFO(one.name << ": " << r.error.message);
        CHECK(r.error.kind != rv::failure_kind::nothing);
        CHECK_THAT(r.error.message, Catch::Contains(client_of(one.threads, one.calls)));
        CHECK_THAT(r.error.message, Catch::Contains(one.shown));
    }
}

TEST_CASE("there are twenty wrong structures and twenty right ones, and the table has all wrong ones") {
    // Its client is not named: a race ends the execution before the calls have returned.
    const std::string by_a_race[] = {"Treiber's stack, mutant: a push overwrites the head",
                                     "core: record_ring, single, mutant: D relaxed"};
    unsigned right = 0;
    for (unsigned n = 0; n < rl::number_of_tests(); ++n) {
        const rl::test& t = rl::find(n);
        INFO(t.name);
        const bool in_table = std::any_of(std::begin(wrong), std::end(wrong),
                                          [&](const wrong_structure& w) { return w.name == t.name; });
        right += t.options.expect == rv::verdict::verified;
        if (std::find(std::begin(by_a_race), std::end(by_a_race), t.name) == std::end(by_a_race))
            CHECK(in_table == (t.options.expect == rv::verdict::refuted));
    }
    CHECK(right >= 20);
    CHECK(std::size(wrong) >= 20);
}
