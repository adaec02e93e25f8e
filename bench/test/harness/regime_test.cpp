// SPDX-License-Identifier: Apache-2.0
#include "../../src/harness/regime.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::bench;

TEST_CASE("Around 90 ns is near, around 430 ns is far") {
    CHECK(probe_pair{82, 95}.classify() == regime::near);
    CHECK(probe_pair{420, 450}.classify() == regime::far);
}

TEST_CASE("Probes of two regimes disagree, drift within one does not") {
    CHECK_FALSE(probe_pair{90, 430}.agree());
    CHECK_FALSE(probe_pair{430, 90}.agree());
    CHECK(probe_pair{82, 113}.agree());
    CHECK(probe_pair{100, 160}.agree());
    CHECK_FALSE(probe_pair{100, 161}.agree());
}

TEST_CASE("Without a probe there is no regime and nothing to disagree") {
    CHECK(probe_pair{}.classify() == regime::none);
    CHECK(probe_pair{90, 0}.classify() == regime::none);
    CHECK(probe_pair{}.agree());
    CHECK(to_string(regime::none) == "none");
}
