// SPDX-License-Identifier: Apache-2.0
#include "relation.hpp"

#include <catch2/catch.hpp>

namespace ringproof::verify::oracle {
namespace {
relation chain() { // 0 -> 1 -> 2
    relation made(3);
    made.add(0, 1);
    made.add(1, 2);
    return made;
}
} // namespace

TEST_CASE("composition follows one edge of each relation") {
    const relation twice = chain() * chain();
    CHECK(twice.has(0, 2));
    CHECK_FALSE(twice.has(0, 1));
    CHECK_FALSE(twice.has(1, 2));
}

TEST_CASE("the closure follows any number of edges, and at least one") {
    const relation reach = chain().closure();
    CHECK(reach.has(0, 1));
    CHECK(reach.has(0, 2));
    CHECK_FALSE(reach.has(0, 0));
    CHECK(reach.irreflexive());
    CHECK_FALSE(reach.maybe().irreflexive());
}

TEST_CASE("a relation with a way back is cyclic, though irreflexive") {
    relation loop = chain();
    loop.add(2, 0);
    CHECK(loop.irreflexive());
    CHECK_FALSE(loop.acyclic());
    CHECK(chain().acyclic());
}

TEST_CASE("inverse, union, intersection and difference are those of sets of pairs") {
    const relation forth = chain();
    const relation back = forth.inverse();
    CHECK(back.has(1, 0));
    CHECK_FALSE(back.has(0, 1));
    CHECK((forth & back).empty());
    CHECK((forth | back).has(2, 1));
    CHECK(((forth | back) - back).has(0, 1));
    CHECK_FALSE(((forth | back) - back).has(1, 0));
}

TEST_CASE("the identity on a set restricts a relation's beginning or end") {
    const relation starts_at_1 = identity(only(1), 3) * chain();
    CHECK(starts_at_1.has(1, 2));
    CHECK_FALSE(starts_at_1.has(0, 1));
    const relation ends_at_1 = chain() * identity(only(1), 3);
    CHECK(ends_at_1.has(0, 1));
    CHECK_FALSE(ends_at_1.has(1, 2));
}

} // namespace ringproof::verify::oracle
