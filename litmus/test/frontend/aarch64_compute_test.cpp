// SPDX-License-Identifier: Apache-2.0
#include "one_thread.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("shifted and extended operands of AArch64 are shifted and extended") {
    const std::string minus = "MOV W5,#1 ;\n MOV W9,#-4 ;\n ";
    CHECK(leaves(arm(minus + "ADD W8,W5,W9,LSL #1 ;")) == "0:X8=4294967289; [x]=6;");
    CHECK(leaves(arm(minus + "ADD W8,W5,W9,ASR 1 ;")) == "0:X8=4294967295; [x]=6;");
    CHECK(leaves(arm(minus + "ADD W8,WZR,W9,LSR #28 ;")) == "0:X8=15; [x]=6;");
    CHECK(leaves(arm(minus + "ORR W8,WZR,W5,ROR #4 ;")) == "0:X8=268435456; [x]=6;");
    CHECK(leaves(arm(minus + "ADD X8,X5,W9,UXTB ;")) == "0:X8=253; [x]=6;");
    CHECK(leaves(arm(minus + "ADD X8,X5,W9,SXTW #2 ;")) == "0:X8=-15; [x]=6;");
    CHECK(leaves(arm(minus + "BIC W8,W5,W9 ;")) == "0:X8=1; [x]=6;");
    CHECK(leaves(arm(minus + "UBFM W8,W9,#4,#7 ;")) == "0:X8=15; [x]=6;");
    CHECK_THROWS(leaves(arm("ADD W8,W5,W9,LSL #32 ;")));
    CHECK_THROWS(leaves(arm("ADD W8,W5,W9,TWICE ;")));
}

TEST_CASE("each condition of AArch64 tests the flags that the architecture says") {
    // N, Z, C and V after CMP, CMN and TST, from the definition: 1 where CSET gives 1.
    struct row {
        const char *code, *holds;
    };
    const row rows[] = {{"MOV W5,#1 ;\n CMP W5,#2 ;\n ", "ne cc mi vc ls lt le"},
                        {"MOV W5,#2 ;\n CMP W5,#2 ;\n ", "eq cs pl vc ls ge le"},
                        {"MOV W5,#-1 ;\n CMP W5,#1 ;\n ", "ne cs mi vc hi lt le"},
                        {"MOV W5,#-1 ;\n CMN W5,#1 ;\n ", "eq cs pl vc ls ge le"},
                        {"MOV W5,#0x7fffffff ;\n CMN W5,#1 ;\n ", "ne cc mi vs ls ge gt"},
                        {"MOV W5,#0x80000000 ;\n CMP W5,#1 ;\n ", "ne cs pl vs hi lt le"},
                        {"MOV W5,#4 ;\n TST W5,#3 ;\n ", "eq cc pl vc ls ge le"}};
    for (const row& r : rows)
        for (const char* name :
             {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "lt", "ge", "gt", "le"}) {
            const bool holds =
                (std::string(" ") + r.holds + " ").find(std::string(" ") + name + " ") != std::string::npos;
            INFO(r.code << name);
            CHECK(leaves(arm(r.code + ("CSET W8," + std::string(name)) + " ;")) ==
                  (holds ? "0:X8=1; [x]=6;" : "0:X8=0; [x]=6;"));
        }
}

TEST_CASE("TBZ and TBNZ of AArch64 test one bit") {
    const auto leaves_8 = [](const std::string& code) { return leaves(arm("MOV W5,#4 ;\n " + code)); };
    CHECK(leaves_8("TBZ W5,#2,L ;\n MOV W8,#1 ;\n L: ;") == "0:X8=1; [x]=6;");
    CHECK(leaves_8("TBZ W5,#1,L ;\n MOV W8,#1 ;\n L: ;") == "0:X8=0; [x]=6;");
    CHECK(leaves_8("TBNZ W5,#2,L ;\n MOV W8,#1 ;\n L: ;") == "0:X8=0; [x]=6;");
}

TEST_CASE("an instruction on a W register of AArch64 clears the upper half of the X register") {
    // 1 if X5 is negative, as all 64 bits of it are looked at.
    const auto negative = [](const std::string& code) {
        return leaves(arm(code + "CMP X5,#0 ;\n CSET X8,LT ;"));
    };
    CHECK(negative("MOV W5,#-1 ;\n ") == "0:X8=0; [x]=6;");
    CHECK(negative("MOV X5,#-1 ;\n ") == "0:X8=1; [x]=6;");
    CHECK(negative("MOV X5,#-1 ;\n ADD W5,W5,#0 ;\n ") == "0:X8=0; [x]=6;");
    CHECK(negative("MOV W5,#-1 ;\n SXTW X5,W5 ;\n ") == "0:X8=1; [x]=6;");
    CHECK(negative("MOV W9,#-1 ;\n STR W9,[X1] ;\n LDR W5,[X1] ;\n ") == "0:X8=0; [x]=-1;");
    CHECK(negative("MOV W9,#-1 ;\n STR W9,[X1] ;\n LDRSW X5,[X1] ;\n ") == "0:X8=1; [x]=-1;");
    CHECK(leaves(arm("MOV W5,#-1 ;\n LSR X8,X5,#31 ;")) == "0:X8=1; [x]=6;");
    CHECK(leaves(arm("MOV W5,#-1 ;\n LSR X8,X5,#32 ;")) == "0:X8=0; [x]=6;");
    CHECK(leaves(arm("MOV W5,#-4 ;\n ASR W8,W5,#1 ;")) == "0:X8=4294967294; [x]=6;");
    CHECK(leaves(arm("MOV W5,#-4 ;\n CMP W5,#0 ;\n CSET W8,LT ;")) == "0:X8=1; [x]=6;");
}
