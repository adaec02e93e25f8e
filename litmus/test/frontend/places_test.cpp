// SPDX-License-Identifier: Apache-2.0
// Where computed addresses may go; pieces_test.cpp and mixed/ have what becomes of it.
#include "../../src/frontend/places.hpp"
#include "one_thread.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("each place of a computed address has a path of its own, and so has that it is none of them") {
    const loaded_test t = loaded("AArch64 T\n{ int x; int y; 0:X1=x; 0:X3=y; }\n P0 ;\n LDR W4,[X3] ;\n"
                                 " LDRH W5,[X1,W4,SXTW] ;\nexists (0:X5=0)");
    program p = t.what;
    const std::int32_t x = p.find("x");
    try_places(p, {{x, 4, false}, {p.find("y"), 4, false}});
    const std::vector<path>& paths = p.threads.at(0);
    REQUIRE(paths.size() == 3); // x, x+2, and elsewhere: nothing says that it is y
    for (const path& one : paths)
        for (const event& e : one.events) CHECK(p.values->is_constant(e.address));
    CHECK(p.values->constant_of(paths[0].events[1].address) == value{0, x});
    CHECK(p.values->constant_of(paths[1].events[1].address) == value{2, x});
    CHECK(paths[1].assumed.size() == 1);
    CHECK(paths[2].events[1].misplaced);
    CHECK(p.values->constant_of(paths[2].events[1].address) == p.address(p.find(nowhere_name)));
    CHECK(paths[2].assumed.size() == 3); // it is an address, and neither of the two
}
