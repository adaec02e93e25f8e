// SPDX-License-Identifier: Apache-2.0
#include "readers.hpp"

using namespace ringproof::litmus::compiled::test;

namespace {

auto riscv(const std::string& assembly) { return read("riscv64-linux-gnu", assembly); }

} // namespace

TEST_CASE("RISC-V: addresses come from registers that the function does not use") {
    const auto t = riscv("lui a3,%hi(rp0_x)\nli a5,1\naddi a4,a3,%lo(rp0_x)\namoswap.w.aq zero,a5,0(a4)\n"
                         "lui a2, %hi(rp0_y)\nlw a5, %lo(rp0_y)(a2)\nla a0,rp0_x\nsw a5,0(a0)\nret\n");
    CHECK(t.rows == rows{"mv a3,s11", "li a5,1", "mv a4,a3", "amoswap.w.aq zero,a5,0(a4)", "mv a2,s10",
                         "lw a5,0(a2)", "mv a0,s11", "sw a5,0(a0)"});
    CHECK(t.addresses == std::map<std::string, std::string>{{"s11", "x"}, {"s10", "y"}});
    CHECK_THROWS_WITH(riscv("lui a0,%hi(rp0_x)\nlw a0,%lo(rp0_x)(a0)\nsw a1,%lo(rp0_x)(a0)\n"),
                      Catch::Contains("does not hold the upper bits of this symbol"));
    CHECK_THROWS_WITH(riscv("lui a0,%hi(rp0_x)\nlw a1,%lo(rp0_y)(a0)\n"), Catch::Contains("upper bits"));
    CHECK_THROWS_WITH(riscv("auipc a0,%pcrel_hi(rp0_x)\n"), Catch::Contains("-mcmodel=medlow"));
    CHECK_THROWS_WITH(riscv("lw a0,rp0_x\n"), Catch::Contains("this way to address a location"));
}

TEST_CASE("RISC-V: branches of all forms, and returns") {
    const auto t = riscv("bgt a0,a1,.L1\nblez a0,.L1\nbgez a0,.L1\nbnez a0,.L1\njr ra\n.L1:\nret\n");
    CHECK(t.rows ==
          rows{"blt a1,a0,L0", "bge zero,a0,L0", "bge a0,zero,L0", "bnez a0,L0", "j Lend", "L0:", "Lend:"});
    CHECK_THROWS_WITH(riscv("tail f\n"), Catch::Contains("calls"));
    CHECK_THROWS_WITH(riscv("j f\n"), Catch::Contains("jumps to other functions"));
}

TEST_CASE("RISC-V: stack slots are registers") {
    const auto t =
        riscv("addi sp,sp,-16\nsw a0,12(sp)\nsd ra,0(sp)\nlw a1,12(sp)\nld ra,0(sp)\naddi sp,sp,16\nret");
    CHECK(t.rows == rows{"sext.w s11,a0", "mv s10,ra", "sext.w a1,s11", "mv ra,s10"});
    CHECK_THROWS_WITH(riscv("addi a0,sp,4\n"), Catch::Contains("this use of the stack"));
}
