// SPDX-License-Identifier: Apache-2.0
// Accesses of several sizes to the same bytes, one rule at a time; mixed/ has random programs.
#include "../../src/frontend/pieces.hpp"
#include "one_thread.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using Catch::Contains;

namespace {

std::string one_thread(const std::string& init, const std::string& code, const std::string& shown) {
    return "AArch64 T\n{ 0:X1=x; " + init + " }\n P0 ;\n " + code + "\nlocations [" + shown +
           "]\nexists (true)";
}

simulation under(const std::string& text, const char* name = "aarch64") {
    const loaded_test t = loaded(text);
    return simulate(t.text, t.what, model::load(name, {}), {});
}

std::string why_refused(const std::string& text, const char* name = "aarch64") {
    try {
        under(text, name);
    } catch (const std::runtime_error& e) {
        return e.what();
    }
    return "";
}

/// What an outcome of two threads is.
const char* outcome(const std::string& init, const std::vector<std::pair<std::string, std::string>>& rows,
                    const std::string& condition, const char* name = "aarch64") {
    std::string text =
        "AArch64 T\n{ int x; int y; 0:X1=x; 0:X2=y; 1:X1=x; 1:X2=y; " + init + " }\n P0 | P1 ;\n";
    for (const auto& [left, right] : rows) text += " " + left + " | " + right + " ;\n";
    const simulation s = under(text + "exists (" + condition + ")", name);
    return observation(s.positive, s.negative);
}

} // namespace

TEST_CASE("what is stored in pieces is loaded whole, and the other way round, little endian") {
    const auto leaves_of = [](const std::string& init, const std::string& code, const std::string& shown) {
        return leaves(one_thread(init, code, shown));
    };
    CHECK(leaves_of("int x=0x11223344;", "LDRB W8,[X1,#2] ;\n LDRH W9,[X1,#2] ;", "0:X8; 0:X9;") ==
          "0:X8=34; 0:X9=4386;");
    CHECK(leaves_of("int x=0x11223344;", "MOV W5,#0x177 ;\n STRB W5,[X1,#1] ;\n LDR W8,[X1] ;", "0:X8; x;") ==
          "0:X8=287471428; [x]=287471428;");
    CHECK(leaves_of("uint64_t x;", "MOV W5,#-1 ;\n STR W5,[X1,#4] ;\n LDR X8,[X1] ;", "0:X8; x;") ==
          "0:X8=-4294967296; [x]=-4294967296;");
    // Four bytes keep their sign, as they do where nothing is divided.
    CHECK(leaves_of("int x;", "MOV W5,#255 ;\n STRB W5,[X1,#3] ;\n LDRSW X8,[X1] ;", "0:X8; x;") ==
          "0:X8=-16777216; [x]=-16777216;");
    CHECK(leaves_of("uint8_t x[4]={1,2,3,4};", "LDR W8,[X1] ;\n STRH W8,[X1,#2] ;", "0:X8; x;") ==
          "0:X8=67305985; x[0]=1; x[1]=2; x[2]=1; x[3]=2;");
    CHECK(leaves_of("int x=0x10001;", "MOV W5,#7 ;\n LDADDH W5,W8,[X1] ;\n LDR W9,[X1] ;",
                    "0:X8; 0:X9; x;") == "0:X8=1; 0:X9=65544; [x]=65544;");
    // A location without a type has four bytes, of which a store of two leaves the others.
    CHECK(leaves_of("x=0x10001;", "MOV W5,#2 ;\n STRH W5,[X1] ;", "x;") == "[x]=65538;");
    CHECK(leaves_of("", "MOV X5,#0x100000002 ;\n STR X5,[X1] ;\n LDR W8,[X1,#4] ;", "0:X8; x;") ==
          "0:X8=1; [x]=4294967298;");
    // Pairs: two accesses.
    CHECK(leaves_of("int x[2]={1,2};", "LDP W8,W9,[X1] ;\n LDR X10,[X1] ;", "0:X8; 0:X9; 0:X10;") ==
          "0:X10=8589934593; 0:X8=1; 0:X9=2;");
}

TEST_CASE("an access of several pieces is one access") {
    // A load of four bytes does not see one half of a store of four.
    CHECK(outcome("1:X3=0x10001;", {{"MOV W3,#0x10001", "LDR W4,[X1]"}, {"STR W3,[X1]", "LDRH W5,[X1]"}},
                  "1:X4=1 \\/ 1:X4=0x10000") == std::string("Never"));
    CHECK(outcome("", {{"MOV W3,#1", "LDR W4,[X1]"}, {"STRH W3,[X1]", ""}, {"STRH W3,[X1,#2]", ""}},
                  "1:X4=0x10000") == std::string("Sometimes"));
    // Two stores of four bytes and one of two: all halves come in one order.
    CHECK(outcome(
              "",
              {{"MOV W3,#0x10001", "MOV W3,#0x20002"}, {"STR W3,[X1]", "STR W3,[X1]"}, {"", "STRH W3,[X2]"}},
              "x=0x10002 \\/ x=0x20001") == std::string("Never"));
    // The store of a half comes after the load before it, and so does all of the wider store's access.
    const std::vector<std::pair<std::string, std::string>> hazard{{"LDRH W4,[X1]", "MOV W3,#1"},
                                                                  {"LDR W5,[X1]", "STR W3,[X1]"}};
    CHECK(outcome("", hazard, "0:X4=1 /\\ 0:X5=0") == std::string("Never"));
    for (const char* name : {"aarch64", "sc"})
        CHECK(outcome("", {{"MOV W3,#1", "LDR W4,[X1]"}, {"STR W3,[X1]", "LDRB W5,[X1]"}},
                      "1:X4=1 /\\ 1:X5=0", name) == std::string("Never"));
}

TEST_CASE("a dependency on a load behind a divided access stays one on that load") {
    const auto stores_what = [](const char* first, const char* then) {
        return outcome("int z; 1:X3=z;",
                       {{"MOV W3,#1", "LDRH W9,[X3]"},
                        {"LDR W4,[X1]", "LDR W10,[X3]"},
                        {"DMB SY", "LDR W4,[X2]"},
                        {"STR W3,[X2]", first},
                        {"", then},
                        {"", "STR W5,[X1]"}},
                       "0:X4=1 /\\ 1:X4=1");
    };
    CHECK(stores_what("EOR W5,W4,W4", "ADD W5,W5,#1") == std::string("Never"));
    CHECK(stores_what("MOV W5,#0", "ADD W5,W5,#1") == std::string("Sometimes"));
}

TEST_CASE("a store-exclusive of another size than its load never succeeds") {
    const std::string text =
        one_thread("int x;", "MOV W3,#1 ;\n LDXRH W5,[X1] ;\n STXR W8,W3,[X1] ;", "0:X8; x;");
    CHECK(leaves(text) == "0:X8=1; [x]=0;");
    const std::string same = one_thread(
        "int x;", "MOV W3,#1 ;\n LDXRH W5,[X1] ;\n STXRH W8,W3,[X1] ;\n LDR W9,[X1] ;", "0:X8; 0:X9;");
    CHECK(under(same).states.size() == 2);
}

TEST_CASE("what is not simulated in pieces is refused by a sentence") {
    CHECK_THAT(why_refused(one_thread("int x;", "LDR X8,[X1] ;", "0:X8;")),
               Contains("outside of its 4 bytes"));
    CHECK_THAT(why_refused(one_thread("int x;", "LDRH W8,[X1,#1] ;", "0:X8;")), Contains("is not aligned"));
    CHECK_THAT(why_refused(one_thread("uint64_t x=y;", "LDRH W8,[X1] ;", "0:X8;")),
               Contains("holds an address"));
    CHECK_THAT(why_refused(one_thread("uint64_t x; 0:X3=y;", "STR X3,[X1] ;\n LDRH W8,[X1] ;", "0:X8;")),
               Contains("a store of an address"));
    for (const char* place : {"1", "4", "-2"})
        CHECK_THAT(
            why_refused(one_thread("int x=7; 0:X3=y; int y=" + std::string(place) + ";",
                                   "LDRH W8,[X1] ;\n LDR W4,[X3] ;\n LDRH W5,[X1,W4,SXTW] ;", "0:X5;")),
            Contains("computes an address that is not aligned or outside"));
    // Two accesses at one address, of which the wider does not fit.
    CHECK_THAT(why_refused(one_thread("int x=7; 0:X3=y; int y=2;",
                                      "LDR W4,[X3] ;\n ADD X4,X1,W4,SXTW ;\n LDRH W5,[X4] ;\n LDR W6,[X4] ;",
                                      "0:X5;")),
               Contains("computes an address that is not aligned or outside"));
    CHECK_THAT(why_refused(one_thread(
                   "uint64_t x[8];",
                   [] {
                       std::string all;
                       for (int k = 0; k < 9; ++k)
                           all += "LDRB W8,[X1,#" + std::to_string(k % 8) + "] ;\n LDR X9,[X1] ;\n ";
                       return all;
                   }(),
                   "0:X8;")),
               Contains("more than 64 events"));
    CHECK_THAT(why_refused(one_thread("int x;", "LDRH W8,[X1] ;", "0:X8;"), "rc11"),
               Contains("no rule for such"));
}

TEST_CASE("an address that is computed from what is loaded may be that of any piece") {
    const auto leaves_of = [](const std::string& init, const std::string& code, const std::string& shown) {
        return leaves(one_thread("0:X3=y; " + init, code, shown));
    };
    const std::string load = "LDR W4,[X3] ;\n ";
    CHECK(leaves_of("int x=0x11223344; int y=2;", load + "LDRH W5,[X1,W4,SXTW] ;\n LDR W6,[X1] ;",
                    "0:X5; 0:X6;") == "0:X5=4386; 0:X6=287454020;");
    // No other access says that there are two sizes.
    CHECK(leaves_of("int x=0x11223344; int y=3;", load + "LDRB W5,[X1,W4,SXTW] ;", "0:X5;") == "0:X5=17;");
    // Both halves of a read-modify-write go there, and so does another access at the same address.
    CHECK(leaves_of("int x=0x11223344; int y=1;",
                    load + "ADD X4,X1,W4,SXTW ;\n MOV W5,#1 ;\n LDADDB W5,W6,[X4] ;\n LDRB W7,[X4] ;",
                    "0:X6; 0:X7; x;") == "0:X6=51; 0:X7=52; [x]=287454276;");
    // A pointer, to one of two sizes, which holds an address and so is accessed whole.
    CHECK(leaves_of("int x=0x11223344; uint64_t y=x;", "LDRH W8,[X1] ;\n LDR X4,[X3] ;\n LDR W5,[X4] ;",
                    "0:X5; 0:X8;") == "0:X5=287454020; 0:X8=13124;");
    CHECK(leaves_of("int x=0x11223344; uint64_t y=x;", "LDR W9,[X1] ;\n LDR X4,[X3] ;\n LDRH W5,[X4,#2] ;",
                    "0:X5;") == "0:X5=4386;");
    // A place that no execution has is no reason to refuse: the half is 0 or 2, and a pointer to nowhere is none.
    CHECK(
        outcome("",
                {{"MOV W3,#2", "LDR W4,[X2]"}, {"STR W3,[X2]", "LDRH W5,[X1,W4,SXTW]"}, {"", "LDR W6,[X1]"}},
                "1:X4=2 /\\ 1:X5=0") == std::string("Sometimes"));
    CHECK(under("AArch64 T\n{ int x; 0:X1=x; 0:X3=y; uint64_t y=0; }\n P0 ;\n LDR W8,[X1] ;\n LDRH W9,[X1] "
                ";\n LDR X4,[X3] "
                ";\n LDR W5,[X4] ;\nexists (0:X5=0)")
              .states.empty());
}

TEST_CASE("a computed address orders what is accessed there behind the load that it is computed from") {
    const std::string init = "0:X0=1; 0:X4=0x101;";
    const auto reads_old = [&](const char* index) {
        return outcome(
            init,
            {{"STR W4,[X1]", "LDR W4,[X2]"}, {"DMB SY", index}, {"STR W0,[X2]", "LDRB W5,[X1,W4,SXTW]"}},
            "1:X4=1 /\\ 1:X5=0");
    };
    CHECK(reads_old("NOP") == std::string("Never"));
    CHECK(outcome(init,
                  {{"STR W4,[X1]", "LDR W4,[X2]"}, {"DMB SY", "NOP"}, {"STR W0,[X2]", "LDRB W5,[X1,#1]"}},
                  "1:X4=1 /\\ 1:X5=0") == std::string("Sometimes"));
}

TEST_CASE(
    "of the pieces of one access and of its instruction, those of the same bytes are in program order") {
    const loaded_test t = loaded(one_thread("int x;", "SWPH W3,W4,[X1] ;\n SWP W5,W6,[X1] ;", "x;"));
    const program p = in_pieces(t.what);
    const path& one = p.threads.at(0).at(0);
    REQUIRE(one.events.size() == 6); // SWPH has one piece, SWP two
    CHECK(p.locations == std::vector<std::string>{"x", "x+2"});
    const std::vector<int> accesses{1, 2, 3, 3, 4, 4};
    for (std::size_t i = 0; i < 6; ++i) CHECK(one.events[i].access == accesses[i]);
    CHECK(one.events[3].unsequenced == 0b000100);
    CHECK(one.events[4].unsequenced == 0b001000);
    CHECK(one.events[5].unsequenced == 0b010100);
    CHECK(one.events[4].rmw_read == 2);
    CHECK(one.events[5].rmw_read == 3);
}

TEST_CASE("a filter that only a value in pieces passes does not hide that there are several sizes") {
    const std::string text =
        "AArch64 T\n{ int x=0x10000; 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n MOV W3,#1 | LDR W4,[X1] ;\n"
        " STRH W3,[X1] | ;\nfilter (1:X4=0x10001)\nexists (true)";
    CHECK(under(text).positive == 1);
}
