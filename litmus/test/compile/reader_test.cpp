// SPDX-License-Identifier: Apache-2.0
// What reading has in common on all machines.
#include "readers.hpp"

#include <fmt/format.h>

using namespace ringproof::litmus::compiled::test;
using ringproof::litmus::compiled::parse_number;

TEST_CASE("data among instructions is refused, and a function that returns at its end has no label there") {
    CHECK_THROWS_WITH(read("aarch64", "b .L1\n.word 3\n.L1:\nret\n"),
                      Catch::Contains("data or a directive among the instructions"));
    CHECK(read("aarch64", "ret\n").rows.empty());
    CHECK(read("riscv64", "beqz a0,.L1\nret\n.L1:\nret\n").rows.back() == "Lend:");
}

TEST_CASE("a function that leaves no register free is refused") {
    std::string all;
    for (int r = 0; r < 31; ++r) all += fmt::format("mov x{0}, x{0}\n", r);
    CHECK_THROWS_WITH(read("aarch64", all + "adrp x0, rp0_x\n"),
                      Catch::Contains("none is left for what the test needs"));
}

TEST_CASE("numbers are read as assemblers write them") {
    long n = 0;
    CHECK(parse_number("#-16", n));
    CHECK(n == -16);
    CHECK(parse_number("$0x10", n));
    CHECK(n == 16);
    CHECK_FALSE(parse_number("$x", n));
    CHECK_FALSE(parse_number("", n));
}

TEST_CASE("jumps back that belong to no loop are counted, since compilers lay out code in any order") {
    CHECK(read("aarch64", "cbz w0, .L3\n.L1:\nmov w1, 1\nret\n.L3:\ncbz w1, .L1\nmov w1, 2\nret\n")
              .jumps_back == 1);
    CHECK(read("aarch64", ".L1:\nldxr w0, [x1]\nstxr w2, w0, [x1]\ncbnz w2, .L1\nret\n").jumps_back == 0);
}

TEST_CASE("a label knows of the pages that all jumps to it and the code before it have loaded") {
    const std::string other_page_behind_a_return = "lui a0,%hi(rp0_x)\nbeqz a1,.L1\nlui a0,%hi(rp0_y)\nret\n"
                                                   ".L1:\nlw a2,%lo(rp0_x)(a0)\nret\n";
    CHECK(read("riscv64", other_page_behind_a_return).rows.at(5) == "lw a2,0(a0)");
    CHECK_THROWS_WITH(read("riscv64", "lui a0,%hi(rp0_x)\nbeqz a1,.L1\nlui a0,%hi(rp0_y)\n"
                                      ".L1:\nlw a2,%lo(rp0_x)(a0)\nret\n"),
                      Catch::Contains("upper bits"));
}

TEST_CASE("the stack is as deep at a label as at the jumps to it") {
    const auto t = read("aarch64", "sub sp, sp, 16\nstr w0, [sp, 8]\ncbz w0, .L1\nadd sp, sp, 16\nret\n"
                                   ".L1:\nldr w1, [sp, 8]\nadd sp, sp, 16\nret\n");
    CHECK(t.rows == rows{"mov w30,w0", "cbz w0,L0", "b Lend", "L0:", "mov w1,w30", "Lend:"});
    CHECK_THROWS_WITH(read("aarch64", "cbz w0, .L1\nsub sp, sp, 16\n.L1:\nret\n"),
                      Catch::Contains("two depths"));
    CHECK_THROWS_WITH(read("aarch64", ".L1:\nsub sp, sp, 16\ncbz w0, .L1\nret\n"),
                      Catch::Contains("another depth"));
}
