// SPDX-License-Identifier: Apache-2.0
#include "ringproof/record_area.hpp"

#include <array>
#include <catch2/catch.hpp>

using ringproof::detail::record_area;

TEST_CASE("a new area is zero") {
    const record_area area(128);
    for (std::uint64_t at = 0; at != 128; at += 8) CHECK(area.word(at) == 0);
}

TEST_CASE("a run of bytes is in two pieces exactly when it goes around the end") {
    const record_area area(64);
    CHECK(area.bytes(8, 56).contiguous());
    const auto split = area.bytes(0 - std::uint64_t{8}, 24);
    CHECK(split.first.size() == 8);
    CHECK(split.second.size() == 16);
    CHECK(split.second.data() == area.bytes(0, 8).first.data());
    CHECK(area.bytes(24, 0).size() == 0);
}

TEST_CASE("no run is longer than the area") {
    const record_area area(64);
    CHECK(area.bytes(40, 1000).size() == 64);
    CHECK(area.bytes(40, 1000).second.size() == 40);
}

TEST_CASE("what is copied in goes around the end, and nothing beside it changes") {
    const record_area area(64);
    const std::array<std::uint64_t, 3> words{1, 2, 3};
    area.copy_in(48, std::as_bytes(std::span(words)));
    for (std::uint64_t at = 0; at != 64; at += 8)
        CHECK(area.word(at) == (at == 48 ? 1 : at == 56 ? 2 : at == 0 ? 3 : 0));
    area.copy_in(8, {});
    CHECK(area.word(8) == 0);
    area.copy_in(40, std::as_bytes(std::span(words)));
    CHECK(area.word(56) == 3);
}

TEST_CASE("lines are taken over by one word of each") {
    const record_area area(256);
    for (std::uint64_t at = 0; at != 256; at += 8) area.word(at) = 1;
    area.take_over(64, 128);
    for (std::uint64_t at = 0; at != 256; at += 8) CHECK(area.word(at) == (at == 64 || at == 128 ? 0 : 1));
    CHECK_FALSE(area.left_alone());
    CHECK(record_area(ringproof::ring_memory::heap(256), false).left_alone());
}

TEST_CASE("a line may be fetched wherever it is, and nothing changes") {
    const record_area area(64);
    for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{56}, 0 - std::uint64_t{8}}) area.fetch(at);
    for (std::uint64_t at = 0; at != 64; at += 8) CHECK(area.word(at) == 0);
}

TEST_CASE("clearing clears the run and nothing else, around the end as well") {
    const record_area area(64);
    for (std::uint64_t at = 0; at != 64; at += 8) area.word(at) = 1;
    area.clear(48, 32);
    for (std::uint64_t at = 0; at != 64; at += 8) CHECK(area.word(at) == (at < 16 || at >= 48 ? 0 : 1));
}
