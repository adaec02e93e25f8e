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

TEST_CASE("calls return to where they came from, in the code of any thread") {
    CHECK(leaves(arm("BL F ;\n BL F ;\n B E ;\n F: ADD W8,W8,#1 ;\n RET ;\n E: ;")) == "0:X8=2; [x]=6;");
    CHECK(leaves(arm("ADR X5,F ;\n BLR X5 ;\n BLR X5 ;\n B E ;\n F: ADD W8,W8,#1 ;\n RET X30 ;\n E: ;")) ==
          "0:X8=2; [x]=6;");
    // Of two threads, each calls the other's function, three times.
    CHECK(
        leaves("AArch64 T\n{ 0:X8=P1:G; 1:X1=P0:F; }\n P0 | P1 ;\n BLR X8 | BLR X1 ;\n BLR X8 | BLR X1 ;\n"
               " BLR X8 | BLR X1 ;\n B Z | B O ;\n F: | G: ;\n ADD W9,W9,#1 | SUB W9,W9,#1 ;\n RET | RET ;\n"
               " Z: | O: ;\nforall (0:X9=-3 /\\ 1:X9=3)") == "0:X9=4294967293; 1:X9=3;");
    CHECK_THAT(load_error(arm("BR X5 ;")), Catch::Contains("not the address of a label"));
    CHECK_THAT(load_error(arm("BLR W5 ;")), Catch::Contains("64 bits"));
}

TEST_CASE("the address of an instruction is a value") {
    CHECK(leaves("AArch64 T\n{ 0:X1=P0:M; }\n P0 ;\n L: M: ADR X0,L ;\n CMP X0,X1 ;\n CSET W2,EQ ;\n"
                 "forall (0:X0=label:\"0:L\" /\\ 0:X2=1)") == "0:X0=label:\"P0:L\"; 0:X2=1;");
    CHECK(leaves("AArch64 T\n{ }\n P0 ;\n BL .+4 ;\n L: ;\nlocations [0:X30;]") == "0:X30=label:\"P0:L\";");
    CHECK_THAT(load_error("AArch64 T\n{ 0:X1=P0:L; }\n P0 ;\n NOP ;\nexists (true)"),
               Catch::Contains("there is no label:\"P0:L\""));
    CHECK_THAT(load_error("RISCV T\n{ 0:x1=P0:L; }\n P0 ;\n L: nop ;\nexists (true)"),
               Catch::Contains("AArch64 tests only"));
}

TEST_CASE("a jump to an address that was loaded is a control dependency") {
    const auto passes = [](const std::string& follows) {
        const loaded_test t = loaded("AArch64 T\n{ ins_t *y; 0:X2=x; 0:X4=y; 0:X3=P1:F; 1:X2=x; 1:X4=y; }\n"
                                     " P0 | P1 ;\n LDR W1,[X2] | ADR X5,E ;\n STLR X3,[X4] | STR X5,[X4] ;\n"
                                     " | LDR X3,[X4] ;\n | MOV W0,#1 ;\n | " +
                                     follows + " ;\n | F: ;\n | STR W0,[X2] ;\n | E: ;\nexists (0:X1=1)");
        const simulation s = simulate(t.text, t.what, model::load("aarch64", {}), {});
        return s.positive;
    };
    CHECK(passes("BR X3") == 0);
    CHECK(passes("B F") != 0);
}

TEST_CASE("a store-exclusive is to its load's address, however both are computed") {
    // Of what X1 points to: y, once the other thread has said so no more, z.
    const loaded_test t = loaded("AArch64 T\n{ x=y; z=1; 0:X1=x; 0:X2=y; 1:X1=x; 1:X2=z; }\n P0 | P1 ;\n"
                                 " LDR X4,[X1] | STR X2,[X1] ;\n LDXR W5,[X4] | ;\n MOV W6,#3 | ;\n"
                                 " STXR W7,W6,[X2] | ;\nexists (0:X7=0)");
    const simulation s = simulate(t.text, t.what, model::load("aarch64", {}), {});
    CHECK(s.positive == 1);
    CHECK(s.negative == 2);
}

TEST_CASE("what an address that was loaded names is not accessed if it is an instruction") {
    const loaded_test t = loaded("AArch64 T\n{ ins_t *y; y=P0:L; 0:X1=y; }\n P0 ;\n L: LDR X2,[X1] ;\n"
                                 " LDR W3,[X2] ;\nexists (0:X3=0)");
    CHECK_THROWS_WITH(simulate(t.text, t.what, model::load("sc", {}), {}),
                      Catch::Contains("instruction that is loaded"));
}

TEST_CASE("a loop that nothing loaded decides runs to its end, others as often as asked") {
    const std::string loop = "L: ADD W8,W8,#1 ;\n SUB W5,W5,#1 ;\n CBNZ W5,L ;";
    CHECK(leaves(arm("MOV W5,#10 ;\n " + loop)) == "0:X8=10; [x]=6;");
    const loaded_test waits = loaded(arm("L: LDR W8,[X3] ;\n CBZ W8,L ;"));
    CHECK(waits.what.bounded);
    CHECK(loaded(arm("L: B L ;")).what.bounded);
    CHECK(loaded(arm("L: CBZ WZR,L ;")).what.bounded);
    // Each of two loops, not both together.
    CHECK(loaded(arm("LDR W5,[X1] ;\n L: SUB W5,W5,#1 ;\n CBNZ W5,L ;\n M: ADD W5,W5,#1 ;\n CBNZ W5,M ;"))
              .what.threads[0]
              .size() == 9);
    // A store-exclusive may fail again and again: it is no loop that ends by itself.
    CHECK(loaded(arm("L: LDXR W5,[X1] ;\n STXR W6,W5,[X1] ;\n CBNZ W6,L ;")).what.threads[0].size() == 3);
}
