// SPDX-License-Identifier: Apache-2.0
#include "parse/aarch64.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus::aarch64;

TEST_CASE("AArch64: both halves of a register have one name, in small or capital letters") {
    for (const char* text : {"x7", "X7", "w7", "W7"}) {
        const auto r = find_register(text);
        REQUIRE(r);
        CHECK(r->number == 7);
        CHECK(r->name() == "x7");
        CHECK(r->wide == (text[0] == 'x' || text[0] == 'X'));
        CHECK_FALSE(r->zero());
    }
    CHECK(find_register("w30")->name() == "x30");
}

TEST_CASE("AArch64: the register that is always 0 has a name and no number") {
    for (const char* text : {"xzr", "WZR"}) {
        const auto r = find_register(text);
        REQUIRE(r);
        CHECK(r->zero());
        CHECK(r->name() == "xzr");
    }
    CHECK(find_register("XZR")->wide);
    CHECK_FALSE(find_register("wzr")->wide);
}

TEST_CASE("AArch64: what no assembler would take is no register") {
    for (const char* text :
         {"", "x", "x31", "x07", "x00", "x#7", "x-1", "x1a", "w300", "v0", "spx", "zr", "xzr "})
        CHECK_FALSE(find_register(text));
}
