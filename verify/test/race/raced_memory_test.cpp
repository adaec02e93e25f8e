// SPDX-License-Identifier: Apache-2.0
#include "../../src/race/raced_memory.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace ringproof::verify;

namespace {

using pieces = std::array<raced_memory::piece, raced_memory::most_pieces>;

std::vector<std::uint32_t> sizes(const raced_memory& memory, std::uintptr_t address, std::size_t size) {
    pieces made;
    std::vector<std::uint32_t> all;
    for (unsigned i = 0, n = memory.pieces(address, size, made.data()); i < n; ++i)
        all.push_back(made[i].size);
    return all;
}

} // namespace

TEST_CASE("nothing is learnt unless the search is to go on behind races") {
    raced_memory memory;
    CHECK_FALSE(memory.learn(64, 4));
    CHECK_FALSE(memory.any());
}

TEST_CASE("the unit is the largest in which the access can be made, and only gets smaller") {
    raced_memory memory;
    memory.enable();
    CHECK(memory.learn(64, 8));
    CHECK_FALSE(memory.learn(64, 8));
    CHECK(memory.fits(64, 8));
    CHECK_FALSE(memory.fits(68, 4));
    memory.refine(68, 4);
    CHECK(memory.fits(68, 4));
    CHECK(memory.learn(66, 2));
    CHECK(memory.all().at(0).unit == 2);
    CHECK_FALSE(memory.learn(64, 8));
    CHECK(memory.all().at(0).unit == 2);
    memory.refine(128, 1); // not raced
    CHECK(memory.all().size() == 1);
}

TEST_CASE("an access over several words has pieces of each one's unit, and plain parts between") {
    raced_memory memory;
    memory.enable();
    memory.learn(64, 4);
    memory.learn(88, 8);
    CHECK(memory.touches(56, 9));
    CHECK_FALSE(memory.touches(56, 8));
    CHECK_FALSE(memory.touches(72, 16));
    CHECK(sizes(memory, 56, 40) == std::vector<std::uint32_t>{8, 4, 4, 16, 8});
    pieces made;
    memory.pieces(56, 40, made.data());
    CHECK_FALSE(made[0].raced);
    CHECK(made[1].raced);
    CHECK(made[1].address == 64);
    CHECK_FALSE(made[3].raced);
    CHECK(made[4].address == 88);
}

TEST_CASE("an access of too many pieces has none") {
    raced_memory memory;
    memory.enable();
    memory.learn(64, 1);
    memory.learn(1, 127);
    for (std::uintptr_t at = 0; at < 128; at += 8) memory.refine(at, 1);
    CHECK(sizes(memory, 0, 32).size() == 32);
    CHECK(sizes(memory, 0, 33).empty());
}

TEST_CASE("what another search has learnt is known") {
    raced_memory one, other;
    one.enable();
    one.learn(64, 2);
    one.learn(16, 16);
    other.know(one.all());
    REQUIRE(other.all().size() == 3);
    CHECK(other.all().at(0).address == 16);
    CHECK(other.all().at(2).unit == 2);
}
