// SPDX-License-Identifier: Apache-2.0
// What both producers promise alike; what differs stands in producer/.
#include "ringproof/record_ring.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace ringproof;

namespace {

std::span<const std::byte> raw(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string text(const record& one) {
    std::string result(one.size(), '\0');
    one.copy_to(std::as_writable_bytes(std::span(result)));
    return result;
}

template <class Ring>
std::vector<std::string> drain(Ring& ring) {
    std::vector<std::string> result;
    for (auto one : ring.read()) result.push_back(text(one));
    return result;
}

using strings = std::vector<std::string>;
constexpr std::uint64_t near_the_wrap = 0 - std::uint64_t{40};

} // namespace

#define FOR_BOTH_PRODUCERS(sentence) TEMPLATE_TEST_CASE(sentence, "", single, shared)

FOR_BOTH_PRODUCERS("records of every size arrive whole and in order, also across the 2^64 wrap") {
    record_ring<TestType> ring(64, near_the_wrap);
    std::string payload(56, '\0');
    std::iota(payload.begin(), payload.end(), 'A');
    for (std::size_t size = 0; size <= ring.max_payload(); ++size) {
        const std::string expected = payload.substr(0, size);
        REQUIRE(ring.write(raw(expected)));
        CHECK(drain(ring) == strings{expected});
        CHECK(ring.size_guess() == 0);
    }
    CHECK(ring.lost() == 0);
}

FOR_BOTH_PRODUCERS("a record that goes around the end is filled and read in two spans") {
    record_ring<TestType> ring(64, near_the_wrap); // 40 before the wrap: at offset 24 of the area
    REQUIRE(ring.write(raw("0123456789abcdef")));
    CHECK(drain(ring).size() == 1);
    auto room = ring.begin(24); // header at 48, payload at 56
    REQUIRE(room);
    CHECK(room.bytes().first.size() == 8);
    CHECK(room.bytes().second.size() == 16);
    CHECK(room.copy_from(raw("headhead")) == 8);
    CHECK(room.copy_from(raw("tailtailtailtailTOO LONG"), 8) == 16);
    CHECK(room.copy_from(raw("x"), 24) == 0);
    room.commit();
    for (auto one : ring.read()) {
        CHECK_FALSE(one.bytes().contiguous());
        CHECK(text(one) == "headheadtailtailtailtail");
    }
}

FOR_BOTH_PRODUCERS("type and misc travel with a record") {
    record_ring<TestType> ring(64);
    REQUIRE(ring.write(raw("x"), {1234, 0x8001}));
    for (auto one : ring.read()) {
        CHECK(one.type() == 1234);
        CHECK(one.misc() == 0x8001);
    }
    CHECK(ring.try_begin(1, {9, 1 << 9}).why() == refusal::reserved_misc);
    CHECK(ring.try_begin(1, {record_type::padding, 0}).why() == refusal::reserved_misc);
}

FOR_BOTH_PRODUCERS("all of the capacity can be used, then the new record is refused and the old ones stay") {
    record_ring<TestType> ring(64, near_the_wrap);
    for (const char* word : {"a", "b", "c", "d"}) REQUIRE(ring.write(raw(word)));
    CHECK(ring.size_guess() == 64);
    CHECK(ring.try_begin(0).why() == refusal::full);
    CHECK_FALSE(ring.try_write(raw("e")));
    CHECK(ring.lost() == 0);
    CHECK_FALSE(ring.write(raw("e")));
    CHECK_FALSE(ring.begin(0));
    CHECK(ring.lost() == 2);
    CHECK(drain(ring) == strings{"a", "b", "c", "d"});
    CHECK(ring.write(raw("f")));
    CHECK(drain(ring) == strings{"f"});
}

FOR_BOTH_PRODUCERS("a record that can never fit is refused as too large") {
    record_ring<TestType> ring(64);
    CHECK(ring.max_payload() == 56);
    CHECK(ring.begin(57).why() == refusal::too_large);
    CHECK(ring.try_begin(~std::size_t{0}).why() == refusal::too_large);
    CHECK(ring.lost() == 1);
    record_ring<TestType> large(std::size_t{1} << 17);
    CHECK(large.max_payload() == 65520);
    CHECK(large.begin(65521).why() == refusal::too_large);
    const std::string payload(65520, 'z');
    CHECK(large.write(raw(payload)));
    CHECK(drain(large) == strings{payload});
}

FOR_BOTH_PRODUCERS("a discarded reservation is never delivered and what follows it is") {
    record_ring<TestType> ring(64);
    for (int round = 0; round != 9; ++round) {
        REQUIRE(ring.write(raw("one")));
        auto room = ring.begin(9);
        REQUIRE(room);
        CHECK(room.copy_from(raw("never")) == 5);
        room.discard();
        CHECK_FALSE(room);
        REQUIRE(ring.write(raw("two")));
        CHECK(drain(ring) == strings{"one", "two"});
        CHECK(ring.size_guess() == 0);
    }
    CHECK(ring.lost() == 0);
}

FOR_BOTH_PRODUCERS("a ring of nothing but discarded reservations is empty") {
    record_ring<TestType> ring(64);
    for (int i = 0; i != 100; ++i) {
        auto room = ring.begin(20);
        REQUIRE(room);
        room.discard();
        CHECK(drain(ring).empty());
    }
}

FOR_BOTH_PRODUCERS("a reservation is published once: by its commit, or else by its end") {
    record_ring<TestType> ring(64);
    {
        auto room = ring.begin(1);
        REQUIRE(room);
        CHECK(drain(ring).empty());
        room.copy_from(raw("a"));
    }
    CHECK(drain(ring) == strings{"a"});
    auto room = ring.begin(1);
    room.copy_from(raw("b"));
    auto moved = std::move(room);
    CHECK_FALSE(room);
    room.commit();
    CHECK(drain(ring).empty());
    moved.commit();
    moved.commit();
    moved.discard();
    CHECK(moved.size() == 0);
    CHECK(moved.copy_from(raw("late")) == 0);
    CHECK(drain(ring) == strings{"b"});
}

FOR_BOTH_PRODUCERS("a refused reservation can be asked everything and does nothing") {
    record_ring<TestType> ring(64);
    auto none = ring.begin(1000);
    CHECK_FALSE(none);
    CHECK(none.size() == 0);
    CHECK(none.bytes().size() == 0);
    CHECK(none.copy_from(raw("x")) == 0);
    none.commit();
    none.discard();
    CHECK(drain(ring).empty());
}

FOR_BOTH_PRODUCERS("a record counts as read once it was handed out, also when the loop breaks or throws") {
    record_ring<TestType> ring(128);
    for (const char* word : {"a", "b", "c", "d"}) REQUIRE(ring.write(raw(word)));
    for (auto one : ring.read()) {
        CHECK(text(one) == "a");
        break;
    }
    CHECK_THROWS(ring.consume([](const record&) { throw 1; }));
    CHECK(ring.consume([](const record& one) { CHECK(text(one) == "c"); }, 1) == 1);
    CHECK(ring.consume([](const record&) { FAIL(); }, 0) == 0);
    { auto batch = ring.read(); } // looked, took nothing
    CHECK(drain(ring) == strings{"d"});
}

FOR_BOTH_PRODUCERS("a batch gives its space back when it ends, or earlier when asked") {
    record_ring<TestType> ring(64);
    const std::string whole(56, 'w');
    REQUIRE(ring.write(raw(whole)));
    {
        auto batch = ring.read();
        for (auto one : batch) {
            CHECK_FALSE(ring.try_write(raw("x")));
            CHECK(text(one) == whole);
        }
        CHECK_FALSE(ring.try_write(raw("x")));
        batch.release();
        CHECK(ring.try_write(raw("x")));
    }
    CHECK(drain(ring) == strings{"x"});
}

FOR_BOTH_PRODUCERS("a ring refuses what it can't have") {
    using ring = record_ring<TestType>;
    CHECK_THROWS_AS(ring(32), std::invalid_argument);
    CHECK_THROWS_AS(ring(100), std::invalid_argument);
    CHECK_THROWS_AS(ring(std::size_t{1} << 63), std::invalid_argument);
    CHECK_THROWS_AS(ring(64, 4), std::invalid_argument);
}

FOR_BOTH_PRODUCERS("a header destroyed after it was written ends the batch with what is wrong") {
    const auto [header, expected] =
        GENERATE(std::pair{record_header{9, 0, 20}, read_error::size_unaligned},
                 std::pair{record_header{9, 0, 0}, read_error::size_too_small},
                 std::pair{record_header{9, 7 << 9, 8}, read_error::size_too_small},
                 std::pair{record_header{9, 0, 0xfff8}, read_error::size_too_large},
                 std::pair{record_header{record_type::padding, 0, 4096}, read_error::size_too_large});
    record_ring<TestType> ring(64);
    REQUIRE(ring.write(raw("good")));
    auto room = ring.begin(8);
    const auto payload = room.bytes().first;
    room.commit();
    // The header lies right before the payload.
    std::memcpy(payload.data() - sizeof header, &header, sizeof header);
    {
        auto batch = ring.read();
        int seen = 0;
        for (auto one : batch) {
            CHECK(text(one) == "good");
            ++seen;
        }
        CHECK(seen == 1);
        CHECK(batch.error() == expected);
    }
    CHECK(ring.error() == expected);
    CHECK(drain(ring).empty()); // and it stays so, without an endless loop
    CHECK(ring.error() == expected);
}

FOR_BOTH_PRODUCERS("whatever the bytes of the data area are, a batch ends and stays inside") {
    std::mt19937_64 random(Catch::rngSeed());
    int errors = 0, records = 0;
    for (int i = 0; i != 3000; ++i) {
        record_ring<TestType> ring(256);
        auto room = ring.begin(ring.max_payload());
        auto* const area = room.bytes().first.data() - sizeof(record_header);
        room.commit();
        for (std::size_t at = 0; at != ring.capacity(); at += sizeof(record_header)) {
            const std::uint64_t bits = random();
            // Mostly sizes that could be true, so that the walk gets somewhere before it meets a wrong one.
            const auto size = static_cast<std::uint16_t>(bits % 16 == 0 ? bits >> 8 : bits % 6 * 8);
            const record_header header{static_cast<std::uint32_t>(bits >> 32) % 2 - 1,
                                       static_cast<std::uint16_t>(bits % 3 == 0 ? bits >> 16 : 0), size};
            std::memcpy(area + at, &header, sizeof header);
        }
        std::size_t bytes = 0;
        for (auto one : ring.read()) {
            bytes += text(one).size() + sizeof(record_header);
            ++records;
        }
        REQUIRE(bytes <= ring.capacity());
        errors += ring.error() != read_error::none;
    }
    CHECK(records > 0);
    CHECK(errors > 0);
}

TEMPLATE_TEST_CASE("what is read one by one is given back in pieces, and all of it at the end", "", single,
                   single_in_band, shared) {
    const std::size_t give_back = GENERATE(std::size_t{2048}, std::size_t{0});
    record_ring<TestType> ring(ring_memory::heap(1024), {near_the_wrap, 0, 0, give_back});
    const std::string payload(24, 'x'); // 32 bytes with its header; a sixteenth of the ring are two
    std::size_t written = 0;
    while (ring.try_write(raw(payload))) ++written;
    REQUIRE(written >= 31);
    const auto ignore = [](const record&) {};
    REQUIRE(ring.consume(ignore, 1) == 1);
    CHECK(ring.try_write(raw(payload)) == (give_back == 0));
    REQUIRE(ring.consume(ignore, 1) == 1);
    CHECK(ring.try_write(raw(payload)));
    {
        auto batch = ring.read();
        for (auto one : batch) {
            CHECK(text(one) == payload);
            batch.release(); // at once, whatever gathers
            break;
        }
    }
    CHECK(ring.try_write(raw(payload)));
    while (ring.consume(ignore, 1) != 0) {
    }
    CHECK(ring.size_guess() == 0);
    CHECK(ring.write(std::vector<std::byte>(ring.max_payload())));
}
