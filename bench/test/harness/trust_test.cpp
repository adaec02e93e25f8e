// SPDX-License-Identifier: Apache-2.0
#include "../../src/harness/trust.hpp"

#include <catch2/catch.hpp>
#include <sstream>

using namespace ringproof::bench;

TEST_CASE("Steal is the eighth column of the cpu line") {
    const cpu_ticks t = parse_cpu_ticks("cpu  100 1 50 1000 20 3 4 22 0 0");
    CHECK(t.steal == 22);
    CHECK(t.total == 1200);
}

TEST_CASE("A line that is not the cpu line gives zeros") {
    CHECK(parse_cpu_ticks("cpu0 1 2 3 4 5 6 7 8").total == 0);
    CHECK(parse_cpu_ticks("").total == 0);
}

TEST_CASE("A run in which nothing was stolen is not warned of") {
    cpu_ticks future;
    future.total = ~0ull;
    CHECK(warnings_after(future).empty());
}

TEST_CASE("A program for another processor than the one it finds itself on is being emulated") {
    std::istringstream x86("processor\t: 0\nvendor_id\t: AuthenticAMD\n");
    CHECK(is_emulated(x86, false));
    x86.clear();
    x86.seekg(0);
    CHECK_FALSE(is_emulated(x86, true));
    std::istringstream arm("processor\t: 0\nCPU implementer\t: 0x41\n");
    CHECK_FALSE(is_emulated(arm, false));
}
