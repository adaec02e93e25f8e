// SPDX-License-Identifier: Apache-2.0
#include "parse/text.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("letters of ASCII change their case, and no other byte does") {
    CHECK(lower("LdAxr_W0,[X1]#09") == "ldaxr_w0,[x1]#09");
    CHECK(upper("LdAxr_W0,[x1]#09") == "LDAXR_W0,[X1]#09");
    CHECK(lower("@[`{") == "@[`{"); // the neighbours of the letters
    CHECK(upper("@[`{") == "@[`{");
    CHECK(lower("\xc3\x84") == "\xc3\x84");
    CHECK(lower("").empty());
}
