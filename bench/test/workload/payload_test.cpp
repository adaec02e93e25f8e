// SPDX-License-Identifier: Apache-2.0
#include "../../src/workload/payload.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::bench;

namespace {

template <class Payload>
std::uint64_t added_up(std::uint64_t producer, std::uint64_t count) {
    std::uint64_t sum = 0;
    for (std::uint64_t n = 0; n < count; ++n) {
        Payload p{};
        stamp(p, make_tag(producer, n));
        sum += checksum(p);
    }
    return sum;
}

} // namespace

TEST_CASE("A tag gives back its producer and its number") {
    const auto tag = make_tag(3, 123456789);
    CHECK(producer_of(tag) == 3);
    CHECK(sequence_of(tag) == 123456789);
    record<64> r{};
    stamp(r, tag);
    CHECK(tag_of(r) == tag);
}

TEST_CASE("The expected checksum is the sum of all checksums") {
    for (const std::uint64_t count : {0u, 1u, 2u, 7u, 1000u})
        for (const std::uint64_t producer : {0u, 1u, 65535u}) {
            CHECK(expected_checksum<item>(producer, count) == added_up<item>(producer, count));
            CHECK(expected_checksum<record<64>>(producer, count) == added_up<record<64>>(producer, count));
        }
}

TEST_CASE("One changed word changes the checksum") {
    record<64> r{};
    stamp(r, 5);
    const auto whole = checksum(r);
    r.words[7] ^= 1;
    CHECK(checksum(r) != whole);
}
