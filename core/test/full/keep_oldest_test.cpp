// SPDX-License-Identifier: Apache-2.0
#include "ringproof/full/keep_oldest.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "ringproof/record_ring.hpp"

using namespace ringproof;

namespace {

template <class Producer>
using ring_type = record_ring<Producer, acquire_release, keep_oldest>;

constexpr std::byte eight[8]{};

/// What a reader sees: 0 for a record, n for LOST of n.
template <class Ring>
std::vector<std::uint64_t> drain(Ring& ring) {
    std::vector<std::uint64_t> result;
    // A batch may end with what was known when the one before it began.
    while (ring.consume([&](const record& one) {
        result.push_back(one.type() == record_type::lost ? one.template as<lost_record>()->count : 0);
    }) != 0) {
    }
    return result;
}
using seen = std::vector<std::uint64_t>;

} // namespace

#define FOR_ALL_PRODUCERS(sentence) TEMPLATE_TEST_CASE(sentence, "", single, nested, shared)

FOR_ALL_PRODUCERS(
    "after a loss the next record has a LOST record before it that says how many and which ring") {
    ring_type<TestType> ring(ring_memory::heap(128), {0 - std::uint64_t{64}, 4711, 0});
    std::size_t written = 0;
    while (ring.try_write(eight)) ++written;
    for (int i = 0; i != 3; ++i) CHECK_FALSE(ring.write(eight));
    CHECK(ring.unreported() == 3);
    CHECK(drain(ring) == seen(written, 0));
    CHECK(ring.write(eight));
    CHECK(ring.unreported() == 0);
    CHECK(ring.lost() == 3);
    bool first = true;
    for (auto one : ring.read()) {
        if (std::exchange(first, false)) {
            CHECK(one.type() == record_type::lost);
            CHECK(one.size() == 16);
            CHECK(one.template as<lost_record>()->id == 4711);
            CHECK(one.template as<lost_record>()->count == 3);
        } else {
            CHECK(one.type() == record_type::sample);
        }
    }
    CHECK(ring.write(eight));
    CHECK(drain(ring) == seen{0});
}

FOR_ALL_PRODUCERS("a record is refused for want of room for its LOST record, and counted with the others") {
    ring_type<TestType> ring(128);
    while (ring.try_write(eight)) {
    }
    std::uint64_t refused = 0;
    while (!ring.write(eight)) {
        ++refused;
        CHECK(ring.consume([](const record&) {}, 1) == 1); // 16 bytes: too few for 24 + 16
    }
    CHECK(refused > 1);
    const auto all = drain(ring);
    CHECK(all[all.size() - 2] == refused);
    CHECK(all.back() == 0);
}

FOR_ALL_PRODUCERS("pausing refuses with a reason, counts as losing, and is told after resuming") {
    ring_type<TestType> ring(128);
    ring.pause();
    CHECK(ring.begin(8).why() == refusal::paused);
    CHECK_FALSE(ring.write(eight));
    ring.resume();
    CHECK(ring.write(eight));
    CHECK(drain(ring) == seen{2, 0});
}

FOR_ALL_PRODUCERS("what was counted lost is in a LOST record also when its own record is discarded") {
    ring_type<TestType> ring(128);
    ring.pause();
    CHECK_FALSE(ring.write(eight));
    ring.resume();
    ring.begin(8).discard();
    CHECK(drain(ring) == seen{1});
    CHECK(ring.write(eight));
    CHECK(drain(ring) == seen{0});
}

FOR_ALL_PRODUCERS("the largest record also fits together with a LOST record") {
    ring_type<TestType> ring(128);
    const std::vector<std::byte> largest(ring.max_payload());
    CHECK_FALSE(ring.write(std::vector<std::byte>(largest.size() + 1)));
    CHECK(ring.write(largest));
    CHECK(drain(ring) == seen{1, 0});
}
