// SPDX-License-Identifier: Apache-2.0
#include "sharing.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::silicon::a64;
using answer = sharing::answer;

TEST_CASE("what one thread alone accesses is its own") {
    sharing s;
    CHECK(s.access(1, 0x100, 8, true, false) == answer::own);
    CHECK(s.access(1, 0x100, 8, false, false) == answer::own);
    CHECK(s.access(2, 0x108, 8, true, false) == answer::own);
}

TEST_CASE("what many threads read and none writes is no access either") {
    sharing s;
    for (const std::size_t thread : {0u, 1u, 2u})
        CHECK(s.access(thread, 0x100, 8, false, false) == answer::own);
    CHECK(s.access(1, 0x104, 4, true, false) == answer::learnt); // until somebody does
    CHECK(s.access(1, 0x104, 4, true, false) == answer::shared);
    CHECK(s.access(0, 0x100, 8, false, false) == answer::learnt); // one access: all of it
    CHECK(s.access(0, 0x100, 8, false, false) == answer::shared);
    CHECK(s.access(2, 0x100, 4, false, false) == answer::shared);
}

TEST_CASE("a second thread makes it shared") {
    sharing s;
    CHECK(s.access(0, 0x100, 4, true, false) == answer::own);
    CHECK(s.access(1, 0x100, 4, false, false) == answer::learnt);
    CHECK(s.access(0, 0x100, 4, true, false) == answer::shared);
}

TEST_CASE("atomics are of shared memory at once") {
    sharing s;
    CHECK(s.access(0, 0x100, 4, false, true) == answer::learnt);
    CHECK(s.access(0, 0x100, 4, false, false) == answer::shared);
}

TEST_CASE("accesses that overlap are cut into pieces, which is told once") {
    sharing s;
    CHECK(s.pieces_of(0x100, 8).size() == 1);
    CHECK(s.pieces_of(0x104, 4).empty()); // what was one access is two
    const auto low = s.pieces_of(0x100, 8);
    REQUIRE(low.size() == 2);
    CHECK(low[0].address == 0x100);
    CHECK(low[0].bytes == 4);
    CHECK(low[1].address == 0x104);
    CHECK(low[1].bytes == 4);
    CHECK(s.bytes_at(0x104) == 4);
    CHECK(s.bytes_at(0x105) == 0);
    CHECK(s.pieces_of(0x102, 4).empty());
    CHECK(s.pieces_of(0x100, 8).size() == 4);
    // What lies between known pieces is a piece, too.
    CHECK(s.pieces_of(0x110, 2).size() == 1);
    CHECK(s.pieces_of(0x10c, 8).size() == 3);
}
