// SPDX-License-Identifier: Apache-2.0
#include "ringproof/producer/one_cpu.hpp"

#include <catch2/catch.hpp>

#include "ringproof/full/keep_oldest.hpp"
#include "ringproof/record_ring.hpp"

using namespace ringproof;

TEMPLATE_TEST_CASE("a thread that is elsewhere writes nothing, and loses nothing yet", "", refuse,
                   keep_oldest) {
    if (restartable::missing() != nullptr) {
        WARN("no restartable sequences here: " << restartable::missing());
        return;
    }
    constexpr std::uint64_t no_cpu = 1'000'000;
    record_ring<one_cpu, acquire_release, TestType> ring(ring_memory::heap(64), {0, no_cpu, 0});
    for (int i = 0; i != 10; ++i) {
        CHECK(ring.begin(8).why() == refusal::elsewhere);
        CHECK(ring.try_begin(8).why() == refusal::elsewhere);
    }
    CHECK(ring.lost() == 0);
    CHECK(ring.size_guess() == 0);
    CHECK(ring.begin(1000).why() == refusal::too_large); // here and anywhere
    CHECK(ring.lost() == 1);
}
