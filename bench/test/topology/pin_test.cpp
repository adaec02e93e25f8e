// SPDX-License-Identifier: Apache-2.0
#include "../../src/topology/pin.hpp"

#include "../../src/topology/machine.hpp"

#include <catch2/catch.hpp>
#include <sched.h>
#include <thread>

using namespace ringproof::bench;

TEST_CASE("A pinned thread runs on its CPU") {
    for (const cpu& c : machine::detect().cpus) {
        bool pinned = false;
        int where = -1;
        std::thread([&] {
            pinned = pin_this_thread(c.index);
            where = sched_getcpu();
        }).join();
        CHECK(pinned);
        CHECK(where == c.index);
    }
}

TEST_CASE("A CPU that does not exist cannot be pinned to") {
    CHECK_FALSE(pin_this_thread(-1));
    CHECK_FALSE(pin_this_thread(1 << 20));
}

TEST_CASE("Normal urgency is always granted") { CHECK(set_urgency(urgency::normal) == urgency::normal); }
