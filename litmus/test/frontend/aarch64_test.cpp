// SPDX-License-Identifier: Apache-2.0
#include "one_thread.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using list = std::vector<std::string>;

TEST_CASE("arithmetic of AArch64 leaves what the processor leaves") {
    const std::string two = "MOV W5,#5 ;\n MOV W9,#3 ;\n ";
    CHECK(leaves(arm(two + "ADD W8,W5,W9 ;")) == "0:X8=8; [x]=6;");
    CHECK(leaves(arm(two + "SUB W8,W5,W9 ;")) == "0:X8=2; [x]=6;");
    CHECK(leaves(arm(two + "EOR W8,W5,W9 ;")) == "0:X8=6; [x]=6;");
    CHECK(leaves(arm(two + "AND W8,W5,W9 ;")) == "0:X8=1; [x]=6;");
    CHECK(leaves(arm(two + "ORR W8,W5,W9 ;")) == "0:X8=7; [x]=6;");
    CHECK(leaves(arm(two + "CMP W5,W9 ;\n CSEL W8,W5,W9,EQ ;")) == "0:X8=3; [x]=6;");
    CHECK(leaves(arm(two + "CMP W5,W9 ;\n CSEL W8,W5,W9,NE ;")) == "0:X8=5; [x]=6;");
    CHECK(leaves(arm("MOV X8,#7 ;\n MOV WZR,#5 ;\n ADD W8,WZR,#1 ;")) == "0:X8=1; [x]=6;");
}

TEST_CASE("atomic instructions of AArch64 return the old value and store the new one") {
    const std::string three = "MOV W5,#3 ;\n ";
    CHECK(leaves(arm(three + "LDADD W5,W8,[X1] ;")) == "0:X8=6; [x]=9;");
    CHECK(leaves(arm(three + "SWP W5,W8,[X1] ;")) == "0:X8=6; [x]=3;");
    CHECK(leaves(arm(three + "LDCLR W5,W8,[X1] ;")) == "0:X8=6; [x]=4;");
    CHECK(leaves(arm(three + "LDSET W5,W8,[X1] ;")) == "0:X8=6; [x]=7;");
    CHECK(leaves(arm(three + "LDEOR W5,W8,[X1] ;")) == "0:X8=6; [x]=5;");
    CHECK(leaves(arm(three + "MOV W8,#6 ;\n CAS W8,W5,[X1] ;")) == "0:X8=6; [x]=3;");
    CHECK(leaves(arm(three + "MOV W8,#1 ;\n CAS W8,W5,[X1] ;")) == "0:X8=6; [x]=6;");
}

TEST_CASE("an access of AArch64 is labelled by its instruction, a barrier by its domain") {
    CHECK(events_of(arm("LDR W8,[X1] ;\n LDAR W8,[X1] ;\n LDAPR W8,[X1] ;\n STLR W8,[X3] ;")) ==
          list{"R", "R A", "R Q", "W L"});
    CHECK(events_of(arm("LDADDAL W5,W8,[X1] ;")).size() == 2);
    CHECK(events_of(arm("DMB SY ;")) != events_of(arm("DMB LD ;")));
    CHECK(events_of(arm("DMB LD ;")) != events_of(arm("DSB LD ;")));
}

TEST_CASE("branches of AArch64 go where the values send them") {
    const auto taken = [](const std::string& branch) {
        return leaves(arm("MOV W5,#0 ;\n " + branch + ",L ;\n MOV W8,#1 ;\n L: ;")) == "0:X8=0; [x]=6;";
    };
    CHECK(taken("CBZ W5"));
    CHECK_FALSE(taken("CBNZ W5"));
}

TEST_CASE("page tables and code as data are refused, not taken for locations") {
    const auto refused = [](const std::string& init, const std::string& code) {
        return load_error("AArch64 T\n{ " + init + " }\n P0 ;\n " + code + " ;\nexists (0:X0=0)");
    };
    CHECK_THAT(refused("0:X1=pte_x;", "LDR X0,[X1]"), Catch::Contains("page tables"));
    CHECK_THAT(refused("0:X1=NOP;", "STR W1,[X2]"), Catch::Contains("code as data"));
    CHECK_THAT(refused("", "L0: ADR X0,L0 ;\n LDR W1,[X0]"), Catch::Contains("instruction that is loaded"));
    CHECK_THAT(refused("", "L0: ADR X0,L0 ;\n STXR W2,W1,[X0]"),
               Catch::Contains("instruction that is loaded"));
}

TEST_CASE("a branch goes to a label, or so many bytes on") {
    CHECK(leaves(arm("B .+8 ;\n MOV W8,#1 ;\n ADD W8,W8,#2 ;")) == "0:X8=2; [x]=6;");
    CHECK(leaves(arm("MOV W5,#2 ;\n ADD W8,W8,#2 ;\n SUBS W5,W5,#1 ;\n CBNZ W5,.-8 ;")) == "0:X8=4; [x]=6;");
    CHECK_THAT(load_error(arm("B .+6 ;")), Catch::Contains("multiple of 4"));
    CHECK_THAT(load_error(arm("B .-8 ;")), Catch::Contains("outside of the thread"));
}
