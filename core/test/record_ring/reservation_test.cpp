// SPDX-License-Identifier: Apache-2.0
// A reservation that another one is assigned to.
#include "ringproof/record_ring.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string_view>
#include <utility>
#include <vector>

using namespace ringproof;

namespace {

std::span<const std::byte> raw(std::string_view text) { return std::as_bytes(std::span(text)); }

template <class Ring>
std::vector<std::size_t> sizes(Ring& ring) {
    std::vector<std::size_t> result;
    for (auto one : ring.read()) result.push_back(one.size());
    return result;
}

} // namespace

TEMPLATE_TEST_CASE("a reservation that another is assigned to is published first", "", single, shared) {
    record_ring<TestType> ring(64);
    auto room = ring.begin(1);
    REQUIRE(room.copy_from(raw("a")) == 1);
    room = ring.try_begin(1000);
    CHECK_FALSE(room);
    CHECK(room.why() == refusal::too_large);
    CHECK(sizes(ring) == std::vector<std::size_t>{1});
    room = ring.begin(2);
    REQUIRE(room);
    CHECK(room.size() == 2);
    CHECK(room.why() == refusal::none);
    CHECK(sizes(ring).empty());
    room.commit();
    CHECK(sizes(ring) == std::vector<std::size_t>{2});
}

TEST_CASE("a reservation takes over what it is assigned, of whichever ring") {
    record_ring<shared> ring(128), other(64);
    auto first = ring.begin(1);
    auto second = other.begin(2, {1234, 1});
    first = std::move(second);
    CHECK(sizes(ring) == std::vector<std::size_t>{1});
    CHECK(sizes(other).empty());
    first.commit();
    second.commit();
    for (auto one : other.read()) {
        CHECK(one.type() == 1234);
        CHECK(one.misc() == 1);
        CHECK(one.size() == 2);
    }
    auto& itself = first = ring.begin(3);
    first = std::move(itself);
    CHECK(first.size() == 3);
    first.discard();
    CHECK(sizes(ring).empty());
}
