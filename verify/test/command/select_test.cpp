// SPDX-License-Identifier: Apache-2.0
#include "../../src/command/select.hpp"

#include <catch2/catch.hpp>

using ringproof::verify::selected;

TEST_CASE("without a filter every scenario is selected") { CHECK(selected("anything", {})); }

TEST_CASE("a filter is a part of the name, whatever the case of its letters") {
    CHECK(selected("spsc: records arrive", {"RECORDS"}));
    CHECK_FALSE(selected("spsc: records arrive", {"items"}));
    CHECK(selected("spsc: records arrive", {"items", "spsc"}));
}

TEST_CASE("a filter with wildcards matches the whole name") {
    CHECK(selected("spsc: records arrive", {"spsc*arrive"}));
    CHECK_FALSE(selected("spsc: records arrive", {"spsc*arriv"}));
    CHECK(selected("spsc", {"s?s?"}));
    CHECK(selected("aaab", {"*a*b"}));
    CHECK_FALSE(selected("aaa", {"*b*"}));
}

TEST_CASE("= selects exactly one name") {
    CHECK(selected("ring [2] slots?", {"=ring [2] slots?"}));
    CHECK_FALSE(selected("ring, mutant", {"=ring"}));
    CHECK_FALSE(selected("Ring", {"=ring"}));
}

TEST_CASE("~ leaves out, whatever else selects") {
    CHECK_FALSE(selected("ring, mutant", {"ring", "~mutant"}));
    CHECK_FALSE(selected("ring, mutant", {"~mutant"}));
    CHECK(selected("ring", {"~mutant"}));
}
