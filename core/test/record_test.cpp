// SPDX-License-Identifier: Apache-2.0
#include "ringproof/record.hpp"

#include <catch2/catch.hpp>
#include <cstddef>

using namespace ringproof;

namespace {
record_header header_of(record_tag tag, std::size_t payload) {
    return std::bit_cast<record_header>(detail::header_word(tag, payload));
}
} // namespace

TEST_CASE("the header lies in memory as the kernel's struct perf_event_header does") {
    CHECK(offsetof(record_header, type) == 0);
    CHECK(offsetof(record_header, misc) == 4);
    CHECK(offsetof(record_header, size) == 6);
    CHECK(record_type::lost == 2);
    CHECK(record_type::sample == 9);
}

TEST_CASE("a record takes its header and its payload rounded up to 8 bytes") {
    CHECK(detail::record_size(0) == 8);
    CHECK(detail::record_size(1) == 16);
    CHECK(detail::record_size(8) == 16);
    CHECK(detail::record_size(9) == 24);
    CHECK(detail::record_size(65520) == detail::largest_record);
}

TEST_CASE("the exact payload size and the writer's own misc bits both come back from the header") {
    for (std::size_t payload = 0; payload != 20; ++payload) {
        const auto header = header_of({77, 0xf1ff}, payload);
        CHECK(header.type == 77);
        CHECK(header.size == detail::record_size(payload));
        CHECK(header.size - detail::header_size - detail::filling(header) == payload);
        CHECK(detail::check(header, header.size) == read_error::none);
        CHECK(record(header, {}).misc() == 0xf1ff);
    }
}

TEST_CASE("a committed header is never zero") { CHECK(detail::header_word({0, 0}, 0) != 0); }

TEST_CASE("a header that can't be true is called what it is") {
    CHECK(detail::check({9, 0, 12}, 64) == read_error::size_unaligned);
    CHECK(detail::check({9, 0, 0}, 64) == read_error::size_too_small);
    CHECK(detail::check({9, 1 << 9, 8}, 64) == read_error::size_too_small);
    CHECK(detail::check({9, 0, 72}, 64) == read_error::size_too_large);
    CHECK(detail::check({9, 0, 64}, 64) == read_error::none);
}

TEST_CASE("a record in two pieces is copied as one, and no more than fits") {
    const std::array<std::byte, 3> front{std::byte{1}, std::byte{2}, std::byte{3}};
    const std::array<std::byte, 2> back{std::byte{4}, std::byte{5}};
    const record split(header_of({}, 5), {front, back});
    CHECK(split.size() == 5);
    CHECK_FALSE(split.bytes().contiguous());
    std::array<std::byte, 8> out{};
    CHECK(split.copy_to(out) == 5);
    CHECK(out[4] == std::byte{5});
    CHECK(out[5] == std::byte{0});
    std::array<std::byte, 4> less{};
    CHECK(split.copy_to(less) == 4);
    CHECK(less[3] == std::byte{4});
    CHECK(split.copy_to({}) == 0);
}

TEST_CASE("a payload is a T only if it has the size of one") {
    const std::uint32_t value = 0x01020304;
    const record one(header_of({}, 4), {std::as_bytes(std::span(&value, 1)), {}});
    CHECK(one.as<std::uint32_t>() == value);
    CHECK(one.as<std::uint64_t>() == std::nullopt);
    CHECK(one.as<std::uint16_t>() == std::nullopt);
}
