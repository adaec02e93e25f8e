// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <catch2/catch.hpp>
#include <ringproof/verify/check.hpp>

using ringproof::verify::look_at_first_execution;

TEST_CASE("the first execution of a body is looked at where it ends, and leaves nothing behind") {
    int seen = 0;
    const auto state = [&] { return std::to_string(seen); };
    CHECK(look_at_first_execution([&] { seen = ringproof::verify::choose(3) == 0 ? 7 : 8; }, state) == "7");
    CHECK(seen == 0);
}

TEST_CASE("a first execution that is refuted shows nothing") {
    const auto refuted = [] { ringproof::verify::refute("no"); };
    CHECK(look_at_first_execution(refuted, [] { return std::string("seen"); }).empty());
    const auto refused = [] { ringproof::verify::refuse("no"); };
    CHECK(look_at_first_execution(refused, [] { return std::string("seen"); }).empty());
}
