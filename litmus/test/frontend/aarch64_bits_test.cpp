// SPDX-License-Identifier: Apache-2.0
#include "one_thread.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("bits and bytes of AArch64's registers go where the processor moves them") {
    const std::string begin =
        "MOV W5,#0x4567 ;\n MOVK W5,#0x0123,LSL #16 ;\n MOV X6,#0x89ab ;\n MOVK X6,#0xfedc,LSL #48 ;\n ";
    const auto left = [&](const std::string& code) { return leaves(arm(begin + code)); };
    CHECK(left("REV W8,W5 ;") == "0:X8=1732584193; [x]=6;");           // 0x67452301
    CHECK(left("REV16 W8,W5 ;") == "0:X8=587294533; [x]=6;");          // 0x23016745
    CHECK(left("REV X8,X6 ;") == "0:X8=-6086333421414458114; [x]=6;"); // 0xab8900000000dcfe
    CHECK(left("REV32 X8,X6 ;") == "0:X8=242986357686272; [x]=6;");
    CHECK(left("REV64 X8,X6 ;") == left("REV X8,X6 ;"));
    CHECK(left("RBIT W8,W5 ;") == "0:X8=3869426816; [x]=6;");
    CHECK(left("EXTR W8,W5,W5,#16 ;") == "0:X8=1164378403; [x]=6;"); // 0x45670123
    CHECK(left("EXTR X8,X5,X6,#32 ;") == "0:X8=81985531182579712; [x]=6;");
    CHECK(left("EXTR W8,W5,W6,#0 ;") == "0:X8=35243; [x]=6;");
    CHECK(left("MOV W9,#-3 ;\n ABS W8,W9 ;") == "0:X8=3; [x]=6;");
    CHECK(left("MOV W9,#3 ;\n ABS W8,W9 ;") == "0:X8=3; [x]=6;");
    CHECK(left("MOV W9,#-2 ;\n SMADDL X8,W9,W5,X6 ;") == "0:X8=-82190693237653795; [x]=6;");
    CHECK(left("MOV W9,#-2 ;\n MOV X8,#1 ;\n UMSUBL X8,W9,W9,X8 ;") == "0:X8=17179869181; [x]=6;");
    CHECK(left("MOV W9,#-2 ;\n SMNEGL X8,W9,W9 ;") == "0:X8=-4; [x]=6;");
    CHECK_FALSE(load_error(arm("REV32 W8,W5 ;")).empty());
    CHECK_FALSE(load_error(arm("EXTR W8,W5,W6,#32 ;")).empty());
}
