// SPDX-License-Identifier: Apache-2.0
#include "../../opinions/shim/words.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <set>

using ringproof::opinions::word_state;
using ringproof::opinions::words;

TEST_CASE("the same word is found by each of its bytes") {
    words all;
    word_state& made = all.of(0x1003);
    CHECK(made.at == 0x1000);
    CHECK(all.find(0x1007) == &made);
    CHECK(all.find(0x1008) == nullptr);
}

TEST_CASE("after clear() nothing is found, however words had come into each other's way") {
    words all;
    for (unsigned round = 0; round != 50; ++round) {
        for (std::uintptr_t i = 0; i != 3000; ++i) all.of(0x10000 + 8 * (i * i % 7919) + 0x1000 * round);
        all.clear();
        CHECK(all.begin() == all.end());
        for (std::uintptr_t at = 0x10000; at != 0x10000 + std::uintptr_t{8} * 7919; at += 8)
            REQUIRE(!all.find(at));
    }
}

TEST_CASE("blocks are different until they are given back") {
    words all;
    std::set<void*> blocks;
    for (unsigned i = 0; i != 100; ++i) blocks.insert(all.block());
    CHECK(blocks.size() == 100);
    all.clear();
    CHECK(blocks.count(all.block()) == 1);
}
