// SPDX-License-Identifier: Apache-2.0
#include "ringproof/recorder.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <random>
#include <thread>
#include <vector>

#include "interrupted_barriers.hpp"
#include "ringproof/mapped_memory.hpp"

using namespace ringproof;

namespace {

constexpr std::uint64_t near_the_wrap = 0 - std::uint64_t{72};

template <class Producer, class Direction>
struct with {
    using direction = Direction;
    using ring = recorder<Producer, Direction>;
    using interrupted = recorder<Producer, Direction, interrupted_barriers>;
};

/// `number` and then bytes that follow from it, 8 to 39 in all.
struct body {
    explicit body(std::uint64_t number) : size_(8 + number * 7 % 32) {
        for (std::size_t i = 0; i != bytes_.size(); ++i) bytes_[i] = static_cast<std::byte>(number * 31 + i);
        std::memcpy(bytes_.data(), &number, sizeof number);
    }
    [[nodiscard]] std::span<const std::byte> bytes() const { return std::span(bytes_).first(size_); }

  private:
    std::array<std::byte, 40> bytes_{};
    std::size_t size_;
};

/// The number of a whole record; anything else is ~0.
std::uint64_t number_of(const record& one) {
    std::uint64_t number = 0;
    const auto bytes = one.bytes().first;
    if (bytes.size() < 8) return ~std::uint64_t{0};
    std::memcpy(&number, bytes.data(), 8);
    const body expected(number);
    const auto is = expected.bytes();
    return std::equal(bytes.begin(), bytes.end(), is.begin(), is.end()) ? number : ~std::uint64_t{0};
}

std::vector<std::uint64_t> numbers(const snapshot& seen) {
    std::vector<std::uint64_t> result;
    for (const auto& one : seen.records()) result.push_back(number_of(one));
    return result;
}

} // namespace

#define FOR_ALL_RECORDERS(sentence)                                                                          \
    TEMPLATE_TEST_CASE(sentence, "", (with<single, backward>), (with<single, forward>),                      \
                       (with<nested, backward>), (with<nested, forward>))

FOR_ALL_RECORDERS("a snapshot has the newest records, newest first, as many as are whole") {
    const std::uint64_t start = GENERATE(std::uint64_t{0}, near_the_wrap);
    typename TestType::ring ring(256, start);
    CHECK(ring.take().records().empty());
    std::vector<std::size_t> sizes;
    for (std::uint64_t number = 0; number != 200; ++number) {
        const body one(number);
        REQUIRE(ring.write(one.bytes()));
        sizes.push_back((8 + one.bytes().size() + 7) / 8 * 8 + TestType::direction::trailer_size);
        // What must be there: as long as the sizes add up to no more than the capacity.
        std::vector<std::uint64_t> expected;
        std::size_t sum = 0;
        for (std::uint64_t back = number + 1; back-- != 0 && (sum += sizes[back]) <= 256;)
            expected.push_back(back);
        const auto seen = ring.take();
        REQUIRE(numbers(seen) == expected);
        REQUIRE(seen.error() == snapshot_error::none);
        REQUIRE((seen.missed_bytes() == 0) == (expected.size() == number + 1));
    }
}

FOR_ALL_RECORDERS("a snapshot since another has each record once, and says what was overwritten in between") {
    typename TestType::ring ring(512, near_the_wrap);
    std::uint64_t next = 0, since = near_the_wrap, delivered = 0;
    for (int round = 0; round != 100; ++round) {
        const int count = round % 7;
        for (int i = 0; i != count; ++i) REQUIRE(ring.write(body(next++).bytes()));
        const auto seen = ring.take_since(since);
        REQUIRE(seen.records().size() == static_cast<std::size_t>(count));
        REQUIRE(seen.missed_bytes() == 0);
        std::uint64_t expected = next;
        for (auto number : numbers(seen)) REQUIRE(number == --expected);
        since = seen.head();
        delivered += seen.records().size();
    }
    CHECK(delivered == next);
    for (int i = 0; i != 100; ++i) REQUIRE(ring.write(body(next++).bytes()));
    CHECK(ring.take_since(since).missed_bytes() > 0);
}

FOR_ALL_RECORDERS("a snapshot is taken again into the same memory, and has only what is there now") {
    typename TestType::ring ring(512, near_the_wrap), smaller(64, near_the_wrap);
    snapshot seen;
    CHECK(seen.records().empty());
    const auto place = [&] {
        return reinterpret_cast<std::uintptr_t>(seen.records()[0].bytes().first.data());
    };
    std::uintptr_t first = 0;
    for (std::uint64_t number = 0; number != 100; ++number) {
        REQUIRE(ring.write(body(number).bytes()));
        ring.take_into(seen);
        const auto fresh = ring.take();
        REQUIRE(numbers(seen) == numbers(fresh));
        REQUIRE(seen.head() == fresh.head());
        REQUIRE(seen.missed_bytes() == fresh.missed_bytes());
        if (number == 0) first = place();
        REQUIRE(std::max(first, place()) - std::min(first, place()) < 512);
        ring.take_into(seen, seen.head());
        REQUIRE(seen.records().empty());
        REQUIRE(seen.missed_bytes() == 0);
    }
    REQUIRE(smaller.write(body(32).bytes()));
    smaller.take_into(seen);
    CHECK(numbers(seen) == std::vector<std::uint64_t>{32});
}

FOR_ALL_RECORDERS("pausing refuses and is told by a LOST record, beside the next record") {
    typename TestType::ring ring(ring_memory::heap(256), {0, 77, 0});
    REQUIRE(ring.write(body(1).bytes()));
    ring.pause();
    CHECK_FALSE(ring.write(body(2).bytes()));
    CHECK_FALSE(ring.write(body(3).bytes()));
    ring.resume();
    REQUIRE(ring.write(body(4).bytes()));
    const auto seen = ring.take();
    REQUIRE(seen.records().size() == 3);
    // As in perf: the LOST record is below its record, which is read later downwards and earlier upwards.
    const auto& lost = seen.records()[TestType::direction::downwards ? 0 : 1];
    CHECK(lost.type() == record_type::lost);
    CHECK(lost.template as<lost_record>()->count == 2);
    CHECK(lost.template as<lost_record>()->id == 77);
    CHECK(number_of(seen.records()[TestType::direction::downwards ? 1 : 0]) == 4);
    CHECK(number_of(seen.records()[2]) == 1);
    CHECK(ring.lost() == 2);
}

FOR_ALL_RECORDERS("a record never overwrites itself") {
    typename TestType::ring ring(64);
    CHECK_FALSE(ring.write(std::vector<std::byte>(ring.max_payload() + 1)));
    CHECK(ring.write(std::vector<std::byte>(ring.max_payload())));
    CHECK(ring.take().records()[0].size() + ring.take().records()[1].size() == ring.max_payload() + 16);
}

FOR_ALL_RECORDERS("a live snapshot has only whole records in order, whatever the writer does meanwhile") {
    typename TestType::ring ring(1024, near_the_wrap);
    std::atomic<bool> enough{false};
    std::thread writer([&] {
        for (std::uint64_t number = 0; !enough; ++number) {
            ring.write(body(number).bytes());
            if (number % 64 == 0) std::this_thread::yield();
        }
    });
    std::uint64_t wrong = 0, records = 0, newest = 0;
    for (int i = 0; i < 2000 || newest < 20000 || records < 2000; ++i) {
        const auto seen = ring.take();
        std::uint64_t before = 0;
        for (const auto& one : seen.records()) {
            const std::uint64_t number = number_of(one);
            if (number == ~std::uint64_t{0} || (before != 0 && number + 1 != before)) ++wrong;
            if (before == 0 && number < newest) ++wrong;
            if (before == 0) newest = number;
            before = number;
            ++records;
        }
        if (seen.error() != snapshot_error::none && seen.error() != snapshot_error::overtaken) ++wrong;
    }
    enough = true;
    writer.join();
    CHECK(wrong == 0);
    CHECK(ring.take().records().size() > 10);
}

FOR_ALL_RECORDERS("a snapshot that is taken before any access of a writer has only whole records") {
    typename TestType::interrupted ring(128, near_the_wrap);
    std::size_t taken = 0, newest = 0;
    interrupted_barriers::before_access = [&] {
        const auto hold = std::exchange(interrupted_barriers::before_access, nullptr);
        std::uint64_t newer = ~std::uint64_t{0};
        for (auto number : numbers(ring.take())) {
            REQUIRE(number < 30);
            REQUIRE((newer == ~std::uint64_t{0} || number + 1 == newer));
            if (newer == ~std::uint64_t{0}) newest = number;
            newer = number;
            ++taken;
        }
        interrupted_barriers::before_access = hold;
    };
    for (std::uint64_t i = 0; i != 30; ++i) REQUIRE(ring.write(body(i).bytes()));
    interrupted_barriers::before_access = nullptr;
    CHECK(taken > 100);
    CHECK(newest >= 28);
}

TEMPLATE_TEST_CASE("a snapshot while writers interrupt each other has only whole records", "", backward,
                   forward) {
    using ring_type = recorder<nested, TestType, interrupted_barriers>;
    // At each access of the outer writer a second one comes in, and a snapshot is taken there too.
    for (int chosen = 0;; ++chosen) {
        ring_type ring(128, near_the_wrap);
        for (std::uint64_t i = 1; i != 9; ++i) REQUIRE(ring.write(body(i).bytes()));
        int step = 0;
        bool came = false;
        interrupted_barriers::before_access = [&] {
            if (step++ != chosen) return;
            const auto hold = std::exchange(interrupted_barriers::before_access, nullptr);
            for (auto number : numbers(ring.take())) REQUIRE(number <= 9);
            REQUIRE(ring.write(body(100).bytes()));
            for (auto number : numbers(ring.take())) REQUIRE((number <= 9 || number == 100));
            interrupted_barriers::before_access = hold;
            came = true;
        };
        REQUIRE(ring.write(body(9).bytes()));
        interrupted_barriers::before_access = nullptr;
        const auto last = numbers(ring.take());
        for (auto number : last) REQUIRE((number <= 9 || number == 100));
        REQUIRE((last.at(0) == 9 || last.at(0) == 100));
        if (!came) break;
        REQUIRE((last.at(1) == 9 || last.at(1) == 100)); // both are there, whichever reserved first
    }
}

TEST_CASE("records without a trailer in a forward ring are an error, not a walk") {
    auto memory = mapped_memory::shared(4096);
    const ring_memory other = mapped_memory::attach(memory.descriptor());
    recorder<single, forward, acquire_release, perf_abi> ring(std::move(memory));
    REQUIRE(ring.write(body(1).bytes()));
    const snapshot_reader<forward> reader(mapped_memory::attach(other.descriptor()));
    CHECK(numbers(reader.take()) == std::vector<std::uint64_t>{1});
    std::uint64_t head = 0;
    std::memcpy(&head, other.control() + perf_abi::head_at, 8);
    const std::uint64_t junk = 0x1234'5678'0000'0001;
    std::memcpy(other.data() + head - 8, &junk, 8);
    CHECK(reader.take().error() == snapshot_error::no_trailer);
    CHECK(reader.take().records().empty());
}

TEMPLATE_TEST_CASE("whatever is in the page and the data, a snapshot ends and stays inside", "", backward,
                   forward) {
    std::mt19937_64 random(Catch::rngSeed());
    auto memory = mapped_memory::shared(4096);
    const ring_memory evil = mapped_memory::attach(memory.descriptor());
    recorder<single, TestType, acquire_release, perf_abi> ring(std::move(memory));
    std::size_t records = 0, errors = 0;
    for (int i = 0; i != 300; ++i) {
        for (std::size_t at = 0; at != 4096; at += 8) {
            const std::uint64_t bits = random();
            const auto size = static_cast<std::uint16_t>(bits % 16 == 0 ? bits >> 8 : bits % 6 * 8);
            const record_header header{static_cast<std::uint32_t>(bits >> 32) % 2, 0, size};
            const std::uint64_t word = TestType::trailer_size != 0 && bits % 3 != 0
                                           ? TestType::trailer(size)
                                           : std::bit_cast<std::uint64_t>(header);
            std::memcpy(evil.data() + at, &word, 8);
        }
        const std::uint64_t head = random() >> random() % 64;
        std::memcpy(evil.control() + perf_abi::head_at, &head, 8);
        const snapshot_reader<TestType> reader(mapped_memory::attach(evil.descriptor()));
        const auto seen = reader.take(random());
        std::size_t bytes = 0;
        for (const auto& one : seen.records()) bytes += one.size() + 8;
        REQUIRE(bytes <= 4096);
        records += seen.records().size();
        errors += seen.error() != snapshot_error::none;
    }
    CHECK(errors > 0);
    if (TestType::downwards) CHECK(records > 0);
}

TEST_CASE("a recorder refuses memory that already contains a ring") {
    const auto memory = mapped_memory::shared(4096);
    CHECK_THROWS_WITH((recorder<>(mapped_memory::attach(memory.descriptor()))),
                      Catch::Contains("already contains a ring"));
    CHECK_THROWS_AS(recorder<>(64, 4), std::invalid_argument);
    CHECK_THROWS_AS(snapshot_reader<backward>(mapped_memory::shared(4096)), std::invalid_argument);
}
