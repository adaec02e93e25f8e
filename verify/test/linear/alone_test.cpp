// SPDX-License-Identifier: Apache-2.0
#include "../../src/linear/alone.hpp"

#include <catch2/catch.hpp>

namespace rl = ringproof::verify::linear;

namespace {

/// A counter whose only operation returns what it was; `step` is what static memory keeps of all objects.
int step = 1;

rl::test counter(bool differs = false) {
    rl::test t;
    t.operations.resize(1);
    t.operations[0].name = "next";
    t.alone = [differs](const rl::test&, rl::made_call* calls, std::size_t n) {
        std::int64_t value = 0;
        for (std::size_t i = 0; i < n; ++i) calls[i].given = {value += step, 0};
        step += differs;
    };
    return t;
}

const std::vector<rl::client_calls> two_and_one = {{{{}, {}}, {{}}}};

bool third_is(const rl::alone& a, std::int64_t value) {
    const rl::made_call calls[] = {{}, {}, {0, 0, 0, {value, 0}}};
    return a.allows(calls, 3);
}

} // namespace

TEST_CASE("what a structure returns alone is what it may return") {
    const rl::test t = counter();
    const rl::alone a(t, two_and_one);
    CHECK(third_is(a, 3));
    CHECK_FALSE(third_is(a, 2));
    const rl::made_call more[4] = {};
    CHECK_THROWS_AS(a.allows(more, 4), std::logic_error);
}

TEST_CASE("running alone leaves static memory as it was") {
    const rl::test t = counter(true);
    const rl::alone a(t, {{{{}}}});
    CHECK(step == 1);
}

TEST_CASE("a structure that does not return the same each time needs a specification") {
    const rl::test t = counter(true);
    // Two clients, so two runs that begin with the same call.
    std::vector<rl::client_calls> clients = {{{{}, {}}}, {{{}, {}, {}}}};
    CHECK_THROWS_WITH(rl::alone(t, clients), Catch::Contains("give a specification"));
}

TEST_CASE("a structure that throws alone is refused") {
    rl::test t = counter();
    t.alone = [](const rl::test&, rl::made_call*, std::size_t) { throw 1; };
    CHECK_THROWS_WITH(rl::alone(t, two_and_one), Catch::Contains("throws"));
}
