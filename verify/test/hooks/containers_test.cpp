// SPDX-License-Identifier: Apache-2.0
#include "../command/checked.hpp"

using namespace ringproof::verify::test;
using Catch::Matchers::Contains;

TEST_CASE("links of containers that libstdc++ changes are seen") {
    for (const char* const kind : {"-DTREE", "-DLIST"}) {
        CAPTURE(kind);
        const program_run run = check("containers.cpp", {kind});
        CHECK(run.code == 1);
        CHECK_THAT(run.out, Contains("data race"));
        holds("containers.cpp", {kind, "-DORDERED"});
    }
}
