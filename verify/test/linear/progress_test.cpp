// SPDX-License-Identifier: Apache-2.0
// Promises of progress: which structures keep them, where threads are stopped, and what no reduction may hide.

#include "programs.hpp"

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/linear.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

namespace rv = ringproof::verify;

namespace {

rv::exploration_result explore(const char* name, rv::memory_model model, std::uint64_t most = 0) {
    rv::exploration_options options;
    options.model = model;
    options.limits.executions = most;
    options.limits.reduce.symmetry = options.limits.reduce.commuting_update = true;
    return rv::explore([name] { explore_client(name); }, options);
}

constexpr rv::memory_model all_models[] = {rv::memory_model::rc11, rv::memory_model::tso,
                                           rv::memory_model::sc, rv::memory_model::ra};

bool is_complete(const rv::exploration_result& r) {
    return r.error.kind == rv::failure_kind::nothing && !r.stopped && r.bounds.empty() && r.executions > 0;
}

unsigned stopped_threads(const rv::exploration_result& r) {
    return static_cast<unsigned>(std::count_if(r.history.begin(), r.history.end(), [](const auto& e) {
        return e.kind == rv::recorded_event::what::end && e.word == "stopped for ever";
    }));
}

} // namespace

TEST_CASE("calls of a lock-free structure return, whichever other threads are stopped") {
    for (const rv::memory_model model : all_models) {
        CHECK(is_complete(explore("stack, lock-free", model)));
        CHECK(is_complete(explore("stack, obstruction-free", model)));
        CHECK(is_complete(explore("counter, lock-free", model)));
    }
}

TEST_CASE("a thread that waits for a stopped one refutes, and the execution shows who was stopped") {
    for (const rv::memory_model model : all_models)
        for (const char* const name :
             {"locked queue, lock-free", "spinning queue, lock-free", "late lock, lock-free"}) {
            const rv::exploration_result r = explore(name, model);
            INFO(name << ": " << r.error.message);
            CHECK((r.error.kind == rv::failure_kind::deadlock || r.error.kind == rv::failure_kind::livelock));
            CHECK(stopped_threads(r) == 1);
            CHECK_THAT(r.error.message, Catch::StartsWith("not lock-free: "));
            CHECK_THAT(r.error.message, Catch::Contains("2 threads, 2 calls"));
        }
}

// The reductions know both kinds of loops for ones that change nothing, and would end these searches.
TEST_CASE("threads that hinder each other for ever are not taken for lock-free") {
    constexpr std::uint64_t most = 500;
    for (const char* const name : {"polite, lock-free", "thieves, lock-free"}) {
        const rv::exploration_result r = explore(name, rv::memory_model::sc, most);
        INFO(name << ": " << r.executions << " executions, " << r.error.message);
        CHECK_FALSE(is_complete(r));
    }
}

TEST_CASE("a thread that runs alone in the end does not wait for others, whatever they did before") {
    for (const rv::memory_model model : {rv::memory_model::rc11, rv::memory_model::sc})
        CHECK(is_complete(explore("thieves, obstruction-free", model)));
}

TEST_CASE("the steps of a call are counted, those of each failed try as well") {
    for (const rv::memory_model model : {rv::memory_model::rc11, rv::memory_model::tso, rv::memory_model::sc})
        for (const char* const name :
             {"two loads", "load and store", "two read-modify-writes", "fence between stores", "one try",
              "tries of two threads, one call", "tries of two threads, two calls",
              "tries of three threads, one call"}) {
            INFO(name);
            CHECK(is_complete(explore((std::string(name) + ", in all").c_str(), model)));
            const rv::exploration_result r = explore((std::string(name) + ", in one less").c_str(), model);
            INFO(r.error.message);
            CHECK(r.error.kind == rv::failure_kind::assertion);
            CHECK_THAT(r.error.message, Catch::StartsWith("not wait-free: a call takes more than "));
        }
}

TEST_CASE("a call whose steps cannot be counted is refused, and one that waits is not wait-free") {
    const auto refused = [](const char* name) { return explore(name, rv::memory_model::rc11).error; };
    CHECK(refused("a call that yields").kind == rv::failure_kind::unsupported);
    CHECK(refused("a call without a bound").kind == rv::failure_kind::unsupported);
    CHECK_THAT(refused("a call without a bound").message, Catch::Contains(".steps = N"));
    CHECK(refused("a call that waits for a lock").kind == rv::failure_kind::deadlock);
    // The bound is that test's alone.
    CHECK(is_complete(explore("stack, lock-free", rv::memory_model::rc11)));
}
