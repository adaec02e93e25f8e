// SPDX-License-Identifier: Apache-2.0
// Programs with seq_cst alone, all of whose executions have an order of all events. For each relation that the order has
// to agree with, an outcome that it alone forbids; the outcomes beside it are allowed.
#include <ringproof/verify/explore.hpp>

#include <atomic>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <thread>

using namespace ringproof::verify;

namespace {

std::atomic<int> x, y;
int seen[2];

using outcomes = std::set<std::string>;

template <class First, class Second>
void both(First first, Second second) {
    x.store(0), y.store(0), seen[0] = seen[1] = 0;
    std::thread one(first), other(second);
    one.join(), other.join();
}

outcomes of(void (*program)()) {
    exploration_options options;
    options.state = [] {
        return std::to_string(seen[0]) + std::to_string(seen[1]) + ' ' + std::to_string(x.load()) +
               std::to_string(y.load());
    };
    const exploration_result r = explore(program, options);
    REQUIRE(r.error.message == "");
    outcomes all;
    for (const auto& [state, times] : r.states) all.insert(state);
    return all;
}

} // namespace

TEST_CASE("an order of all events agrees with fr: of two who store and look at the other's, one sees it") {
    const auto program = [] {
        both([] { x.store(1), seen[0] = y.load(); }, [] { y.store(1), seen[1] = x.load(); });
    };
    CHECK(of(program) == outcomes{"01 11", "10 11", "11 11"});
}

TEST_CASE("an order of all events agrees with co: two who store both ways do not both come first") {
    const auto program = [] { both([] { x.store(1), y.store(2); }, [] { y.store(1), x.store(2); }); };
    CHECK(of(program) == outcomes{"00 12", "00 21", "00 22"});
}

TEST_CASE("an order of all events agrees with rf: who sees the second store sees the first") {
    const auto program = [] {
        both([] { x.store(1), y.store(1); }, [] { seen[0] = y.load(), seen[1] = x.load(); });
    };
    CHECK(of(program) == outcomes{"00 11", "01 11", "11 11"});
}
