// SPDX-License-Identifier: Apache-2.0
// Where others look at tail, what has been read is given back at once.
#include <array>
#include <catch2/catch.hpp>

#include "ringproof/layout/between_processes.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/producer/robust.hpp"
#include "ringproof/record_ring.hpp"

using namespace ringproof;

namespace {

constexpr std::array<std::byte, 24> payload{}; // 32 bytes with its header

/// Bytes that come back when one record of many is read.
template <class Ring>
std::size_t given_back(Ring& ring) {
    for (int i = 0; i != 20; ++i) REQUIRE(ring.write(payload));
    const std::size_t before = ring.size_guess();
    REQUIRE(ring.consume([](const record&) {}, 1) == 1);
    return before - ring.size_guess();
}

} // namespace

TEST_CASE("each record read comes back at once in a layout that others share") {
    record_ring<single, acquire_release, refuse, perf_abi> page(mapped_memory::shared(4096));
    CHECK(given_back(page) == 32);
    record_ring<robust, acquire_release, refuse, between_processes> processes(mapped_memory::shared(4096));
    CHECK(given_back(processes) == 32);
}

TEST_CASE("records read come back in pieces where nobody else looks") {
    record_ring<single> ring(4096);
    CHECK(given_back(ring) == 0);
}
