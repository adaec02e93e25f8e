// SPDX-License-Identifier: Apache-2.0
#include "one_thread.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("bytes, half words, pairs and elements of arrays are accessed where they are") {
    const auto test_of = [](const std::string& init, const std::string& code, const std::string& shown) {
        return leaves("AArch64 T\n{ 0:X1=t; " + init + " }\n P0 ;\n " + code + "\nlocations [" + shown +
                      "]\nexists (true)");
    };
    CHECK(test_of("uint8_t t=255;", "LDRSB W8,[X1] ;\n LDRB W9,[X1] ;", "0:X8; 0:X9;") ==
          "0:X8=4294967295; 0:X9=255;");
    CHECK(test_of("uint16_t t;", "MOV W5,#0x12345 ;\n STRH W5,[X1] ;", "t;") == "[t]=9029;");
    CHECK(test_of("int t[2]={1,2};", "LDR W8,[X1,#4] ;\n STR W8,[X1] ;", "0:X8; t;") ==
          "0:X8=2; t[0]=2; t[1]=2;");
    CHECK(test_of("int64_t t[2]={1,2};", "LDP X8,X9,[X1],#8 ;\n STR XZR,[X1] ;", "0:X8; 0:X9; t;") ==
          "0:X8=1; 0:X9=2; t[0]=1; t[1]=0;");
    CHECK(test_of("int64_t t[2]={1,2};", "MOV SP,X1 ;\n LDR X8,[SP,#8]! ;\n LDR X9,[SP] ;", "0:X8; 0:X9;") ==
          "0:X8=2; 0:X9=2;");
    CHECK(test_of("int t[2]={1,2};", "LDR X8,[X1] ;", "0:X8;") == "0:X8=8589934593;");
    CHECK(test_of("uint64_t t=0x305;", "LDRB W8,[X1] ;", "0:X8;") == "0:X8=5;");
}

TEST_CASE("LDSMAX and its kin store the larger or the smaller") {
    const auto left = [](const std::string& code) {
        return leaves("AArch64 T\n{ int x=-5; uint8_t y=200; 0:X1=x; 0:X3=y; }\n P0 ;\n MOV W5,#3 ;\n " +
                      code + "\nlocations [0:X8; x; y;]\nexists (true)");
    };
    CHECK(left("LDSMAX W5,W8,[X1] ;") == "0:X8=4294967291; [x]=3; [y]=200;");
    CHECK(left("LDSMINAL W5,W8,[X1] ;") == "0:X8=4294967291; [x]=-5; [y]=200;");
    CHECK(left("LDUMAXA W5,W8,[X1] ;") == "0:X8=4294967291; [x]=-5; [y]=200;");
    CHECK(left("LDUMINL W5,W8,[X1] ;") == "0:X8=4294967291; [x]=3; [y]=200;");
    CHECK(left("LDSMAXB W5,W8,[X3] ;") == "0:X8=200; [x]=-5; [y]=3;");
    CHECK(left("STUMAXB W5,[X3] ;") == "0:X8=0; [x]=-5; [y]=200;");
}

TEST_CASE("CASP stores both registers if both compare equal, and none else") {
    const auto left = [](const std::string& code) {
        return leaves(
            "AArch64 T\n{ int x[2]={1,2}; 0:X1=x; }\n P0 ;\n MOV W4,#3 ;\n MOV W5,#4 ;\n MOV W8,#1 ;\n " +
            code + "\nlocations [0:X8; 0:X9; x;]\nexists (true)");
    };
    CHECK(left("MOV W9,#2 ;\n CASP W8,W9,W4,W5,[X1] ;") == "0:X8=1; 0:X9=2; x[0]=3; x[1]=4;");
    CHECK(left("MOV W9,#5 ;\n CASPAL W8,W9,W4,W5,[X1] ;") == "0:X8=1; 0:X9=2; x[0]=1; x[1]=2;");
    CHECK(left("MOV W9,#2 ;\n MOV W8,#7 ;\n CASPL W8,W9,W4,W5,[X1] ;") == "0:X8=1; 0:X9=2; x[0]=1; x[1]=2;");
    CHECK_FALSE(load_error(arm("CASP W8,W9,W4,[X1] ;")).empty());
}
