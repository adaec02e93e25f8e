// SPDX-License-Identifier: Apache-2.0
#include "one_thread.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using list = std::vector<std::string>;

namespace {

std::string arm(const std::string& code) {
    return "AArch64 T\n{ 0:X1=x; 0:X3=y; x=6; }\n P0 ;\n " + code + "\nlocations [0:X8; x;]\nexists (true)";
}

} // namespace

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

TEST_CASE("shifted and extended operands of AArch64 are shifted and extended") {
    const std::string minus = "MOV W5,#1 ;\n MOV W9,#-4 ;\n ";
    CHECK(leaves(arm(minus + "ADD W8,W5,W9,LSL #1 ;")) == "0:X8=-7; [x]=6;");
    CHECK(leaves(arm(minus + "ADD W8,W5,W9,ASR 1 ;")) == "0:X8=-1; [x]=6;");
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

TEST_CASE("bytes, half words, pairs and elements of arrays are accessed where they are") {
    const auto test_of = [](const std::string& init, const std::string& code, const std::string& shown) {
        return leaves("AArch64 T\n{ 0:X1=t; " + init + " }\n P0 ;\n " + code + "\nlocations [" + shown +
                      "]\nexists (true)");
    };
    CHECK(test_of("uint8_t t=255;", "LDRSB W8,[X1] ;\n LDRB W9,[X1] ;", "0:X8; 0:X9;") ==
          "0:X8=-1; 0:X9=255;");
    CHECK(test_of("uint16_t t;", "MOV W5,#0x12345 ;\n STRH W5,[X1] ;", "t;") == "[t]=9029;");
    CHECK(test_of("int t[2]={1,2};", "LDR W8,[X1,#4] ;\n STR W8,[X1] ;", "0:X8; t;") ==
          "0:X8=2; t[0]=2; t[1]=2;");
    CHECK(test_of("int64_t t[2]={1,2};", "LDP X8,X9,[X1],#8 ;\n STR XZR,[X1] ;", "0:X8; 0:X9; t;") ==
          "0:X8=1; 0:X9=2; t[0]=1; t[1]=0;");
    CHECK(test_of("int64_t t[2]={1,2};", "MOV SP,X1 ;\n LDR X8,[SP,#8]! ;\n LDR X9,[SP] ;", "0:X8; 0:X9;") ==
          "0:X8=2; 0:X9=2;");
    // Accesses of several sizes to one location would be simulated wrongly.
    CHECK_THROWS(test_of("int t[2]={1,2};", "LDR X8,[X1] ;", "0:X8;"));
    CHECK_THROWS(test_of("uint64_t t;", "LDRB W8,[X1] ;", "0:X8;"));
}
