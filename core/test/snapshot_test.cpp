// SPDX-License-Identifier: Apache-2.0
// What a snapshot makes of bytes that are not as a recorder writes them, and of writers that are at work.
#include "ringproof/snapshot.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <utility>
#include <vector>

#include "ringproof/recorder.hpp"
#include "stepping_barriers.hpp"

using namespace ringproof;

namespace {

constexpr std::size_t record_bytes = 32;

/// Fills just so many bytes of a ring in this direction.
template <class Direction>
const std::vector<std::byte> payload(record_bytes - sizeof(record_header) - Direction::trailer_size);

/// The word at a position, behind the recorder's back.
template <class Ring>
void put_word(const Ring& ring, std::uint64_t position, std::uint64_t word) {
    std::memcpy(ring.memory().data() + (position & (ring.capacity() - 1)), &word, sizeof word);
}

/// Where the record is that was written as the nth, from 0 on.
template <class Direction>
std::uint64_t begin_of(std::uint64_t n) {
    return Direction::downwards ? 0 - (n + 1) * record_bytes : n * record_bytes;
}

/// Its header as `type` would have it.
template <class Direction>
std::uint64_t header_of(std::uint32_t type) {
    return detail::header_word({type, 0}, payload<Direction>.size(), Direction::trailer_size);
}

using list = std::vector<std::uint32_t>;

list types(const snapshot& seen) {
    list result;
    for (const auto& one : seen.records()) result.push_back(one.type());
    return result;
}

} // namespace

TEMPLATE_TEST_CASE("a snapshot has what is left when the writer overtakes it, and nothing after a whole lap",
                   "", backward, forward) {
    const std::size_t meanwhile = GENERATE(0u, 1u, 3u, 4u, 5u);
    recorder<single, TestType, stepping_barriers> ring(4 * record_bytes);
    for (int i = 0; i != 4; ++i) REQUIRE(ring.write(payload<TestType>));
    bool came = false;
    stepping_barriers::before_copy = [&] {
        if (std::exchange(came, true)) return;
        for (std::size_t i = 0; i != meanwhile; ++i) REQUIRE(ring.write(payload<TestType>));
    };
    const auto seen = ring.take();
    stepping_barriers::before_copy = nullptr;
    const std::size_t overwritten = std::min(meanwhile, std::size_t{4});
    CHECK(seen.records().size() == 4 - overwritten);
    CHECK(seen.missed_bytes() == overwritten * record_bytes);
    CHECK(seen.error() == (overwritten == 4 ? snapshot_error::overtaken : snapshot_error::none));
}

TEMPLATE_TEST_CASE("a snapshot that is taken again has no error of the time before", "", backward, forward) {
    recorder<single, TestType> ring(256);
    REQUIRE(ring.write(payload<TestType>));
    const std::uint64_t begin = begin_of<TestType>(0);
    // Of a size that is no multiple of 8, wherever this direction has it.
    put_word(ring, begin, std::uint64_t{33} << 48);
    put_word(ring, begin + record_bytes - 8, std::uint64_t{33} << 48);
    snapshot seen;
    ring.take_into(seen);
    REQUIRE(seen.error() != snapshot_error::none);
    ring.take_into(seen, seen.head()); // where there is nothing that could be damaged
    CHECK(seen.error() == snapshot_error::none);
    CHECK(seen.records().empty());
}

TEMPLATE_TEST_CASE("a snapshot passes over padding, to what is older", "", backward, forward) {
    recorder<single, TestType> ring(256);
    for (std::uint32_t type = 11; type != 14; ++type) REQUIRE(ring.write(payload<TestType>, {type, 0}));
    put_word(ring, begin_of<TestType>(1), header_of<TestType>(record_type::padding));
    const auto seen = ring.take();
    CHECK(seen.error() == snapshot_error::none);
    CHECK(seen.missed_bytes() == 0);
    CHECK(types(seen) == list{13, 11});
}

TEST_CASE("a forward record whose last word is only nearly a trailer has none") {
    recorder<single, forward> ring(256);
    REQUIRE(ring.write(payload<forward>));
    REQUIRE(ring.write(payload<forward>));
    const std::uint64_t last_word = begin_of<forward>(1) + record_bytes - 8;
    const std::uint64_t other_bytes = GENERATE(1u, 0xffff'ffffu);
    put_word(ring, last_word, forward::trailer(record_bytes) | other_bytes); // what a payload may end with
    CHECK(ring.take().error() == snapshot_error::no_trailer);
    CHECK(ring.take().records().empty());
    put_word(ring, last_word, forward::trailer(record_bytes));
    CHECK(ring.take().records().size() == 2);
}

TEST_CASE("where a header in a page is damaged, the rest of the page counts as missing, and as a gap") {
    recorder<shared> ring(1024);
    const std::size_t page = ring.page_size(); // a stamp and seven records of 8 bytes
    REQUIRE(page == 64);
    for (std::uint32_t i = 0; i != 17; ++i) REQUIRE(ring.write({}, {100 + i, 0}));
    REQUIRE(ring.take().records().size() == 17);
    REQUIRE(ring.take().missed_bytes() == 0);
    put_word(ring, page + 8 * 5, std::uint64_t{33} << 48); // the fifth of the second page
    const auto seen = ring.take();
    CHECK(seen.error() == snapshot_error::header_damaged);
    CHECK(seen.missed_bytes() == 3 * 8);
    CHECK(types(seen) == list{116, 115, 114, 110, 109, 108, 107, 106, 105, 104, 103, 102, 101, 100});
    REQUIRE(seen.gaps().size() == 1);
    CHECK(seen.gaps()[0] == 2); // between 114 and 110
}

TEST_CASE("behind an open record its page can't be read: a gap, as soon as there is a newer page") {
    recorder<shared, paged, stepping_barriers> ring(1024); // pages of a stamp and seven records of 8 bytes
    auto stopped = ring.writer(), other = ring.writer();
    for (std::uint32_t type : {100u, 101u}) REQUIRE(other.write({}, {type, 0}));
    int step = 0;
    std::vector<std::uint32_t> then;
    std::vector<std::size_t> gaps;
    stepping_barriers::before_access = [&] {
        if (step++ != 3) return; // head, mark, claim, and now its header
        const auto hold = std::exchange(stepping_barriers::before_access, nullptr);
        for (std::uint32_t type = 103; type != 107; ++type) REQUIRE(other.write({}, {type, 0}));
        CHECK(types(ring.take()) == list{101, 100});
        CHECK(ring.take().gaps().empty()); // that newer ones may follow goes without saying
        for (std::uint32_t type : {107u, 108u}) REQUIRE(other.write({}, {type, 0}));
        const auto seen = ring.take();
        then = types(seen);
        gaps.assign(seen.gaps().begin(), seen.gaps().end());
        stepping_barriers::before_access = hold;
    };
    REQUIRE(stopped.write({}, {102, 0}));
    stepping_barriers::before_access = nullptr;
    CHECK(then == list{108, 107, 101, 100});
    CHECK(gaps == std::vector<std::size_t>{1}); // between 107 and 101
    CHECK(types(ring.take()) == list{108, 107, 106, 105, 104, 103, 102, 101, 100});
    CHECK(ring.take().gaps().empty());
}
