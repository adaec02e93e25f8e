// SPDX-License-Identifier: Apache-2.0
#include "../../src/program/memory_use.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

using namespace ringproof::verify;

TEST_CASE("memory that a process touches is in use, and there is some left") {
    constexpr std::size_t much = 64u << 20;
    const std::uint64_t before = memory_in_use();
    REQUIRE(before > 0);
    std::vector<char> touched(much);
    std::memset(touched.data(), 1, much);
    CHECK(memory_in_use() >= before + much / 2 + static_cast<std::uint64_t>(touched[much - 1] - 1));
    CHECK(memory_available() > 0);
}
