// SPDX-License-Identifier: Apache-2.0
#include "../../src/race/mixed_memory.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;

namespace {
using sizes = std::vector<unsigned>;

sizes pieces_of(const mixed_memory& m, std::uintptr_t address, std::size_t size) {
    mixed_memory::piece found[mixed_memory::granule];
    const unsigned count = m.pieces(address, size, found);
    sizes all;
    std::uintptr_t at = address;
    for (unsigned i = 0; i < count; ++i) {
        CHECK(found[i].address == at);
        at += found[i].size;
        all.push_back(found[i].size);
    }
    CHECK((count == 0 || at == address + size));
    return all;
}
} // namespace

TEST_CASE("an access is a row of the coarsest pieces that all accesses are rows of") {
    mixed_memory m;
    CHECK_FALSE(m.any());
    CHECK(m.learn(0x100, 8));
    CHECK(m.learn(0x104, 4));
    CHECK_FALSE(m.learn(0x104, 4));
    CHECK(pieces_of(m, 0x100, 8) == sizes{4, 4});
    CHECK(pieces_of(m, 0x104, 4) == sizes{4});
    CHECK(m.learn(0x100, 1)); // divides a piece
    CHECK(pieces_of(m, 0x100, 8) == sizes{1, 3, 4});
    CHECK(pieces_of(m, 0x100, 16).empty()); // not all of it is shared
    CHECK(m.learn(0x100, 16));
    CHECK(pieces_of(m, 0x100, 16) == sizes{1, 3, 4, 8});
}

TEST_CASE("what begins or ends within a piece has no pieces yet, nor what is beside") {
    mixed_memory m;
    m.learn(0x100, 8);
    m.learn(0x100, 4);
    CHECK(m.touches(0x106, 2));
    CHECK(pieces_of(m, 0x106, 2).empty());
    CHECK_FALSE(m.touches(0x108, 8));
    CHECK_FALSE(m.touches(0xf0, 16));
    CHECK(m.touches(0xff, 2)); // over the end of a granule
}

TEST_CASE("accesses that are not aligned to their size have no pieces") {
    CHECK(mixed_memory::can_divide(0x108, 8));
    CHECK_FALSE(mixed_memory::can_divide(0x104, 8));
    CHECK_FALSE(mixed_memory::can_divide(0x100, 3));
    CHECK_FALSE(mixed_memory::can_divide(0x100, 32));
}

TEST_CASE("what another search has learnt can be told") {
    mixed_memory m, other;
    m.learn(0x100, 8);
    m.learn(0x100, 1);
    m.learn(0x210, 4);
    m.learn(0x212, 2);
    std::vector<raced_granule> all{{0x300, 8}}; // a race, which is something else
    m.append_to(all);
    REQUIRE(all.size() == 5);
    other.know(all);
    CHECK(pieces_of(other, 0x100, 8) == sizes{1, 7});
    CHECK(pieces_of(other, 0x210, 4) == sizes{2, 2});
    CHECK_FALSE(other.touches(0x300, 8));
}
