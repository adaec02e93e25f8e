// SPDX-License-Identifier: Apache-2.0
#include "../../src/harness/probe.hpp"

#include "../../src/topology/machine.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::bench;

TEST_CASE("There is no round trip from a CPU to itself") { CHECK(probe_round_trip(0, 0) == 0); }

TEST_CASE("A round trip between two CPUs takes time, or the probe says that it could not be made") {
    const machine m = machine::detect();
    if (m.cpus.size() < 2) return;
    // Light makes 30 cm in a nanosecond: no hardware does a round trip in less than one.
    const double ns = probe_round_trip(m.cpus[0].index, m.cpus[1].index, 200);
    CHECK((ns == 0 || ns > 1));
}
