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
