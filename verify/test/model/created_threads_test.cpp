// SPDX-License-Identifier: Apache-2.0
// Threads are ordered behind their creation, and their joining behind them, in every model.
#include <ringproof/verify/explore.hpp>

#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <thread>

using namespace ringproof::verify;

namespace {

std::atomic<int> x, y;
int seen, last;

/// What `write`, a thread that was created behind a write of x, writes to y is overwritten by a thread that does not see
/// that write: nothing but the creation stands between the two.
template <class Write>
void overwrites(Write write) {
    x.store(0), y.store(0);
    std::thread other([] {
        y.store(2);
        seen = x.load();
    });
    x.store(1);
    write();
    other.join();
    last = y.load();
}

bool may_be(void (*program)(), memory_model model, const std::string& values) {
    exploration_options options;
    options.model = model;
    options.state = [] { return std::to_string(seen) + std::to_string(last); };
    const exploration_result r = explore(program, options);
    REQUIRE(r.error.message == "");
    REQUIRE(r.states.size() > 1);
    return r.states.count(values) != 0;
}

} // namespace

TEST_CASE("what a created thread does comes behind what its creator did before") {
    const memory_model model = GENERATE(memory_model::sc, memory_model::tso, memory_model::rc11);
    const auto program = [] { overwrites([] { std::thread([] { y.store(1); }).join(); }); };
    CHECK_FALSE(may_be(program, model, "02"));
    CHECK(may_be(program, model, "12"));
    CHECK(may_be(program, model, "01"));
}

TEST_CASE("what comes behind a join is behind what the joined thread did") {
    const memory_model model = GENERATE(memory_model::sc, memory_model::tso, memory_model::rc11);
    const auto program = [] {
        x.store(0), y.store(0);
        std::thread other([] {
            y.store(2);
            seen = x.load();
        });
        std::thread([] { x.store(1); }).join();
        y.store(1);
        other.join();
        last = y.load();
    };
    CHECK_FALSE(may_be(program, model, "02"));
    CHECK(may_be(program, model, "01"));
}
