// SPDX-License-Identifier: Apache-2.0
#include "compile/lines.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus::compiled;

TEST_CASE("a compiler's text is functions of labels and instructions, without comments and directives") {
    const auto functions = split_functions("\t.text\n\t.globl\trp0_P0\n"
                                           "rp0_P0:                // @rp0_P0\n"
                                           "// %bb.0:\n\t.cfi_startproc\n"
                                           "\tadrp\tx8, rp0_x\n\tLDR w9, [x8, :lo12:rp0_x]\n"
                                           ".LBB0_1:               // =>Loop\n\tcbnz\tw9, .LBB0_1\n\tret\n"
                                           "\t.size\trp0_P0, .-rp0_P0\n\tnop\nother:\n\tnop\n",
                                           "//", "rp");
    REQUIRE(functions.size() == 1);
    const code& f = functions.at("rp0_P0");
    REQUIRE(f.size() == 5);
    CHECK(f[0].name == "adrp");
    CHECK(f[0].operands == std::vector<std::string>{"x8", "rp0_x"});
    CHECK(f[0].line == 6);
    CHECK(f[1].name == "ldr");
    CHECK(f[1].operands == std::vector<std::string>{"w9", "[x8, :lo12:rp0_x]"});
    CHECK(f[2].label == ".LBB0_1");
    CHECK(f[3].operands == std::vector<std::string>{"w9", ".LBB0_1"});
    CHECK(f[4].name == "ret");
    CHECK_THROWS_WITH(f[1].refuse("why"), "line 7 of the assembly, 'LDR w9, [x8, :lo12:rp0_x]': why");
}

TEST_CASE("statements on one line and numeric labels are told apart") {
    const auto functions =
        split_functions("rp0_P0:\n#APP\n"
                        "\tfence iorw,ow;  1: lr.w.aq a2,0(a4); bne a2,a5,1f; bnez a6,1b; 1:\n"
                        "1:\tj 1b # again\n",
                        "#", "rp");
    const code& f = functions.at("rp0_P0");
    REQUIRE(f.size() == 8);
    CHECK(f[0].name == "fence");
    const std::string first = f[1].label, second = f[5].label, third = f[6].label;
    CHECK(f[2].name == "lr.w.aq");
    CHECK(f[2].operands == std::vector<std::string>{"a2", "0(a4)"});
    CHECK(f[3].operands.back() == second);
    CHECK(f[4].operands.back() == first);
    CHECK(f[7].operands.back() == third);
    CHECK(first != second);
    CHECK(second != third);
}

TEST_CASE("a prefix belongs to its instruction, and data stays to be refused") {
    const auto functions =
        split_functions("rp0_P0:\n\tlock\t\torq\t$0, (%rsp)\n\trep ret\n\t.long 4\n", "#", "rp");
    const code& f = functions.at("rp0_P0");
    REQUIRE(f.size() == 3);
    CHECK(f[0].name == "lock orq");
    CHECK(f[0].operands == std::vector<std::string>{"$0", "(%rsp)"});
    CHECK(f[1].name == "ret");
    CHECK(f[2].name == ".long");
}
