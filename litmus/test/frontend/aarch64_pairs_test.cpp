// SPDX-License-Identifier: Apache-2.0
#include "../../src/cat/interpreter.hpp"
#include "one_thread.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

namespace {

simulation under_aarch64(const std::string& text) {
    const loaded_test t = loaded(text);
    return simulate(t.text, t.what, model::load("aarch64", {}), {});
}

/// How many executions have the outcome, and how many have not.
std::pair<std::uint64_t, std::uint64_t> counts(const std::string& text) {
    const simulation s = under_aarch64(text);
    return {s.positive, s.negative};
}

using counted = std::pair<std::uint64_t, std::uint64_t>;

const std::string two_words = "{ int64_t x[2]; 0:X2=x; 1:X2=x; int64_t 1:X0; int64_t 1:X1; }\n";

} // namespace

TEST_CASE("STILP stores the first register first, and pushes it last") {
    const auto seen = [](const std::string& store, const std::string& first, const std::string& second) {
        return counts("AArch64 T\n" + two_words + " P0 | P1 ;\n ADD X3,X2,#16 | LDR X1,[X2" + first +
                      "] ;\n MOV X0,#1 | DMB LD ;\n MOV X1,#2 | LDR X0,[X2" + second + "] ;\n " + store +
                      " | ;\nexists (not (1:X1=0) /\\ 1:X0=0)");
    };
    CHECK(seen("STILP X0,X1,[X2]", ",#8", "") == counted{0, 3});
    CHECK(seen("STILP X0,X1,[X2]", "", ",#8") == counted{1, 3});
    CHECK(seen("STILP X0,X1,[X3,#-16]!", "", ",#8") == counted{0, 3});
    CHECK(seen("STILP X0,X1,[X3,#-16]!", ",#8", "") == counted{1, 3});
    CHECK(seen("STP X0,X1,[X2]", ",#8", "") == counted{1, 3});
}

TEST_CASE("LDIAPP loads the first register first, and what comes after it later") {
    const auto seen = [](const std::string& load) {
        return counts("AArch64 T\n" + two_words + " P0 | P1 ;\n MOV X0,#1 | " + load +
                      " ;\n STR X0,[X2,#8] | ;\n STLR X0,[X2] | ;\nexists (1:X0=1 /\\ 1:X1=0)");
    };
    CHECK(seen("LDIAPP X0,X1,[X2]") == counted{0, 3});
    CHECK(seen("LDIAPP X0,X1,[X2],#16") == counted{0, 3});
    CHECK(seen("LDP X0,X1,[X2]") == counted{1, 3});
    const std::string later = "AArch64 T\n{ int64_t x[2]; int64_t y; 0:X2=x; 1:X2=x; 0:X3=y; 1:X3=y; }\n"
                              " P0 | P1 ;\n MOV X0,#1 | LDIAPP X0,X1,[X2] ;\n STR X0,[X3] | LDR X4,[X3] ;\n"
                              " DMB ST | ;\n STR X0,[X2,#8] | ;\nexists (1:X1=1 /\\ 1:X4=0)";
    CHECK(under_aarch64(later).positive == 0);
}

TEST_CASE("two LDXP and STXP on the same bytes are one after the other") {
    const std::string head = "AArch64 T\n{ uint64_t t[2]; 0:X2=t; 1:X2=t; uint64_t 0:X3; uint64_t 0:X4; "
                             "uint64_t 1:X3; uint64_t 1:X4; }\n P0 | P1 ;\n MOV X0,#1 | MOV X0,#3 ;\n"
                             " MOV X1,#2 | MOV X1,#4 ;\n LDXP X3,X4,[X2] | LDXP X3,X4,[X2] ;\n"
                             " STXP W9,X0,X1,[X2] | STXP W9,X0,X1,[X2] ;\n";
    const std::string order = "forall ((0:X9=0 /\\ 1:X9=0) => ((1:X3=0 /\\ 1:X4=0 /\\ 0:X3=3 /\\ 0:X4=4 /\\ "
                              "t[0]=1 /\\ t[1]=2) \\/ (1:X3=1 /\\ 1:X4=2 /\\ 0:X3=0 /\\ 0:X4=0 /\\ t[0]=3 "
                              "/\\ t[1]=4)))";
    CHECK(counts(head + order) == counted{7, 0});
    CHECK(under_aarch64(head + order).states.size() == 7);
    // A load of both sees one store of both, or none.
    CHECK(counts("AArch64 T\n{ uint64_t t[2]; 0:X2=t; 1:X2=t; }\n P0 | P1 ;\n MOV X0,#1 | LDXP X3,X4,[X2] ;\n"
                 " LDXP X5,X6,[X2] | ;\n STXP W9,X0,X0,[X2] | ;\nexists (0:X9=0 /\\ 1:X3=1 /\\ 1:X4=0)")
              .first == 0);
}

TEST_CASE("LDAXP orders what follows, STLXP what comes before") {
    const auto passes = [](const std::string& load, const std::string& store) {
        return counts(
                   "AArch64 T\n{ uint64_t x; uint64_t y[2]; 0:X0=x; 0:X6=y; 1:X0=x; 1:X6=y; uint64_t 1:X1; "
                   "uint64_t 1:X3; }\n P0 | P1 ;\n MOV X1,#1 | " +
                   load + " X1,X2,[X6] ;\n STR X1,[X0] | LDR X3,[X0] ;\n LDXP X4,X5,[X6] | ;\n " + store +
                   " W9,X1,X1,[X6] | ;\nexists (0:X9=0 /\\ 1:X1=1 /\\ 1:X3=0)")
            .first;
    };
    CHECK(passes("LDAXP", "STLXP") == 0);
    CHECK(passes("LDXP", "STLXP") != 0);
    CHECK(passes("LDAXP", "STXP") != 0);
}

TEST_CASE("exclusive pairs and single accesses do not mix") {
    CHECK_THAT(load_error(arm("LDXP X5,X6,[X1] ;\n STXR W8,X5,[X1] ;")), Catch::Contains("of a pair"));
    CHECK_THAT(load_error(arm("LDXR X5,[X1] ;\n STXP W8,X5,X5,[X1] ;")), Catch::Contains("of one register"));
    CHECK(leaves("AArch64 T\n{ int t[4]; 0:X1=t; }\n P0 ;\n LDXP W5,W6,[X1] ;\n STXP W8,X5,X6,[X1] ;\n"
                 "forall (0:X8=1)") == "0:X8=1;");
    const loaded_test t = loaded("AArch64 T\n{ uint64_t t[2]; 0:X1=t; }\n P0 ;\n LDXP X5,X6,[X1] ;\n"
                                 " STRH W7,[X1] ;\nexists (0:X5=0)");
    CHECK_THROWS_WITH(simulate(t.text, t.what, model::load("aarch64", {}), {}),
                      Catch::Contains("LDXP or STXP"));
}
