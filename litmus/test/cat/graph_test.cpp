// SPDX-License-Identifier: Apache-2.0
#include "../../src/cat/graph.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::cat;

TEST_CASE("equal nodes are one node, in either order where the order means nothing") {
    graph g;
    const node_id po = g.base("po", false), rf = g.make(op::reads_from, false);
    CHECK(g.base("po", false) == po);
    CHECK(g.base("po", true) != po);
    CHECK(g.make(op::unite, false, po, rf) == g.make(op::unite, false, rf, po));
    CHECK(g.make(op::intersect, false, po, rf) == g.make(op::intersect, false, rf, po));
    CHECK(g.make(op::sequence, false, po, rf) != g.make(op::sequence, false, rf, po));
    CHECK(g.make(op::subtract, false, po, rf) != g.make(op::subtract, false, rf, po));
    CHECK(g.make(op::unite, false, po, po) == po);
    CHECK(g.make(op::intersect, false, po, po) == po);
    CHECK(g.is_empty(g.make(op::subtract, false, po, po)));
    const node_id id = g.make(op::identity, false);
    CHECK(g.make(op::sequence, false, id, po) == po);
    CHECK(g.make(op::sequence, false, po, id) == po);
    CHECK(g.make(op::unite, false, po, id) != po);
}

TEST_CASE("an operation on the empty relation is empty, the other operand, or the identity") {
    graph g;
    const node_id none = g.make(op::empty, false), po = g.base("po", false);
    CHECK(g.make(op::unite, false, none, po) == po);
    CHECK(g.make(op::unite, false, po, none) == po);
    CHECK(g.make(op::subtract, false, po, none) == po);
    CHECK(g.is_empty(g.make(op::subtract, false, none, po)));
    for (const op o : {op::intersect, op::sequence, op::product}) {
        CHECK(g.is_empty(g.make(o, false, none, po)));
        CHECK(g.is_empty(g.make(o, false, po, none)));
    }
    for (const op o : {op::plus, op::inverse, op::domain, op::range, op::different_values, op::identity_on})
        CHECK(g.is_empty(g.make(o, false, none)));
    for (const op o : {op::star, op::optional}) CHECK(g.at(g.make(o, false, none)).what == op::identity);
    CHECK_FALSE(g.is_empty(g.make(op::complement, false, none)));
    CHECK(g.is_empty(g.constant({0, 0}, false)));
    CHECK(g.constant({1, 0}, false) == g.constant({1, 0}, false));
    CHECK(g.constant({1, 0}, false) != g.constant({2, 0}, false));
}

TEST_CASE("a node waits for what its parts wait for") {
    graph g;
    const node_id po = g.base("po", false), rf = g.make(op::reads_from, false);
    const node_id last = g.make(op::final_writes, true);
    CHECK(g.at(po).needs == stage::paths);
    CHECK(g.at(g.make(op::sequence, false, po, rf)).needs == stage::reads);
    CHECK(g.at(g.make(op::different_values, false, po)).needs == stage::reads);
    const node_id filter = g.make(op::identity_on, false, last);
    CHECK(g.at(g.make(op::sequence, false, rf, filter)).needs == stage::order);
}

TEST_CASE("a let rec computes anew what depends on its variables, and only that") {
    graph g;
    const node_id po = g.base("po", false), rf = g.make(op::reads_from, false);
    const node_id outside = g.make(op::sequence, false, po, rf);
    const node_id variable = g.open_recursion({false}).front();
    const node_id twice = g.make(op::sequence, false, variable, variable);
    const node_id body = g.make(op::unite, false, outside, twice);
    REQUIRE(g.close_recursion({variable}, {body}, "no fixed point"));
    const fixed_point& f = g.fixed_points.at(0);
    CHECK(f.recompute == std::vector<std::vector<node_id>>{{twice, body}});
    CHECK(f.outside == std::vector<node_id>{outside});
    // The variable has a value once its body can have one.
    CHECK(g.at(variable).needs == stage::reads);
    CHECK(g.at(po).needs == stage::paths);
}

TEST_CASE("a let rec over the variables of another that is still open is refused") {
    graph g;
    const node_id outer = g.open_recursion({false}).front(), inner = g.open_recursion({false}).front();
    const node_id inner_body = g.make(op::unite, false, g.make(op::sequence, false, inner, inner), outer);
    REQUIRE(g.close_recursion({inner}, {inner_body}, "inner"));
    CHECK_FALSE(g.close_recursion({outer}, {g.make(op::plus, false, inner)}, "outer"));
    CHECK(g.fixed_points.size() == 1);
}
