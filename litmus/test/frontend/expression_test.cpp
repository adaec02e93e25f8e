// SPDX-License-Identifier: Apache-2.0
#include "../../src/frontend/expression.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using op = expressions::op;

TEST_CASE("equal expressions are one node") {
    expressions e;
    const expr v = e.fresh_variable(), w = e.fresh_variable();
    CHECK(v != w);
    CHECK(e.apply(op::add, v, w) == e.apply(op::add, v, w));
    CHECK(e.apply(op::add, v, w) != e.apply(op::sub, v, w));
}

TEST_CASE("a false dependency is a constant, and keeps an address an address") {
    expressions e;
    const expr v = e.fresh_variable();
    const expr x = e.constant({0, 3});
    CHECK(e.apply(op::bit_xor, v, v) == e.number(0));
    CHECK(e.apply(op::add, x, e.apply(op::bit_xor, v, v)) == x);
    CHECK(e.apply(op::bit_and, v, e.number(0)) == e.number(0));
}

TEST_CASE("what is computed from known values is what the machine computes") {
    expressions e;
    const expr v = e.fresh_variable();
    const value seven{7, -1};
    const auto known = [&](std::size_t) { return &seven; };
    const auto unknown = [](std::size_t) -> const value* { return nullptr; };
    value result;
    REQUIRE(e.evaluate(e.apply(op::sub, e.number(5), v), known, result));
    CHECK(result == value{-2, -1});
    REQUIRE(e.evaluate(e.apply(op::low32, e.apply(op::sub, e.number(5), v)), known, result));
    CHECK(result.number == 0xfffffffe);
    REQUIRE(e.evaluate(e.apply(op::choose, e.apply(op::less, v, e.number(8)), e.number(1), e.number(2)),
                       known, result));
    CHECK(result.number == 1);
    CHECK_FALSE(e.evaluate(e.apply(op::add, v, v), unknown, result));
}
