// SPDX-License-Identifier: Apache-2.0
// Losses and refusals more than once, lap after lap.
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "../counting_barriers.hpp"
#include "ringproof/full/keep_oldest.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/record_ring.hpp"

using namespace ringproof;

namespace {

constexpr std::array<std::byte, 8> body{}; // 16 bytes with its header
constexpr std::uint64_t near_the_wrap = 0 - std::uint64_t{40};

/// Reads all. @return what each LOST record told
template <class Ring>
std::vector<std::uint64_t> told(Ring& ring) {
    std::vector<std::uint64_t> counts;
    for (auto one : ring.read())
        if (const auto lost = one.template as<lost_record>(); lost && one.type() == record_type::lost)
            counts.push_back(lost->count);
    return counts;
}

} // namespace

TEMPLATE_TEST_CASE("each loss is told once", "", single, single_in_band, nested, shared) {
    record_ring<TestType, acquire_release, keep_oldest> ring(128, near_the_wrap);
    for (std::uint64_t lost = 1; lost != 5; ++lost) {
        std::size_t written = 0;
        while (ring.try_write(body)) REQUIRE(++written <= 8);
        for (std::uint64_t i = 0; i != lost; ++i) CHECK_FALSE(ring.write(body));
        CHECK(ring.unreported() == lost);
        CHECK(told(ring).empty());
        REQUIRE(ring.write(body));
        CHECK(ring.unreported() == 0);
        CHECK(told(ring) == std::vector<std::uint64_t>{lost});
    }
    CHECK(ring.lost() == 1 + 2 + 3 + 4);
}

TEMPLATE_TEST_CASE("a full ring refuses in every lap", "", single, single_in_band, nested, shared) {
    record_ring<TestType> ring(64, near_the_wrap);
    for (int lap = 0; lap != 20; ++lap) {
        std::size_t written = 0;
        while (ring.try_write(body)) REQUIRE(++written <= 4);
        CHECK(written == (TestType::keeps_free == 0 ? 4 : 3));
        CHECK(ring.try_begin(0).why() == (TestType::keeps_free == 0 ? refusal::full : refusal::none));
        std::size_t read = 0;
        for (auto one : ring.read()) read += one.size() == sizeof body;
        CHECK(read == written);
        ring.consume([](const record&) {});
    }
}

TEST_CASE("a reservation given up costs nothing, also after losses were told") {
    record_ring<single, counting_barriers, keep_oldest> ring(128);
    while (ring.write(body)) {
    }
    CHECK(told(ring).empty());
    REQUIRE(ring.write(body));
    CHECK(told(ring) == std::vector<std::uint64_t>{1});
    counting_barriers::take();
    ring.begin(8).discard();
    CHECK(counting_barriers::take() == counting_barriers::tally{});
}

TEST_CASE("who goes on writing somebody else's full ring has no room") {
    ring_memory memory = mapped_memory::shared(4096), again = mapped_memory::attach(memory.descriptor()),
                reads = mapped_memory::attach(memory.descriptor());
    using ring_type = record_ring<single, acquire_release, refuse, perf_abi>;
    {
        ring_type first(std::move(memory));
        while (first.try_write(body)) {
        }
    }
    ring_type second(std::move(again)), reader(std::move(reads));
    CHECK_FALSE(second.try_write(body));
    CHECK(reader.consume([](const record&) {}) == 256);
    CHECK(second.try_write(body));
}
