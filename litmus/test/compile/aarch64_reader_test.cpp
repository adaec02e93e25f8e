// SPDX-License-Identifier: Apache-2.0
#include "readers.hpp"

using namespace ringproof::litmus::compiled::test;

namespace {

auto arm(const std::string& assembly) { return read("aarch64-linux-gnu", assembly); }

} // namespace

TEST_CASE("AArch64: addresses come from registers that the function does not use") {
    const auto t = arm("adrp x0, rp0_x\nadd x0, x0, :lo12:rp0_x\nmov w1, 1\nstlr w1, [x0]\n"
                       "adrp x1, rp0_y\nldr w2, [x1, #:lo12:rp0_y]\nret\n");
    CHECK(t.rows == rows{"mov x0,x30", "mov x0,x0", "mov w1,1", "stlr w1,[x0]", "mov x1,x29", "ldr w2,[x1]"});
    CHECK(t.addresses == std::map<std::string, std::string>{{"x30", "x"}, {"x29", "y"}});
    // Through the table of addresses of position-independent code.
    const auto pic = arm("adrp x0, :got:rp0_x\nldr x0, [x0, :got_lo12:rp0_x]\nldr w0, [x0]\nret");
    CHECK(pic.rows == rows{"mov x0,x30", "mov x0,x0", "ldr w0,[x0]"});
}

TEST_CASE("AArch64: a register that holds another page, or none any more, is refused") {
    CHECK_THROWS_WITH(arm("adrp x0, rp0_x\nldr w2, [x0, :lo12:rp0_y]\n"),
                      Catch::Contains("does not hold the page of this symbol"));
    CHECK_THROWS_WITH(arm("adrp x0, rp0_x\nldr w0, [x0, :lo12:rp0_x]\nstr w1, [x0, :lo12:rp0_x]\n"),
                      Catch::Contains("line 4 of the assembly, 'str w1, [x0, :lo12:rp0_x]'"));
    CHECK_THROWS_WITH(arm("adrp x0, rp0_x\nmov x0, x3\nadd x0, x0, :lo12:rp0_x\n"),
                      Catch::Contains("does not hold the page"));
    CHECK_THROWS_WITH(arm("adrp x0, rp0_x+4\n"), Catch::Contains("'rp0_x+4' is no location of the test"));
    CHECK_THROWS_WITH(arm("ldr x0, =rp0_x\n"),
                      Catch::Contains("this way to address a location is not supported"));
}

TEST_CASE("AArch64: branches go to labels of the test, and a return goes behind the last instruction") {
    const auto t = arm("cbz w0, .L2\nret\n.L2:\nbeq .L2\nb.ne .L2\ntbnz w0, 3, .L2\nb .L2\nhint 34\nret\n");
    CHECK(t.rows ==
          rows{"cbz w0,L0", "b Lend", "L0:", "b.eq L0", "b.ne L0", "tbnz w0,3,L0", "b L0", "Lend:"});
    CHECK_THROWS_WITH(arm("b other\n"), Catch::Contains("jumps to other functions are not supported"));
    CHECK_THROWS_WITH(arm("bl __aarch64_swp4_rel\n"), Catch::Contains("compile with -mno-outline-atomics"));
    CHECK_THROWS_WITH(arm("bl memcpy\n"), Catch::Contains("calls and jumps"));
}

TEST_CASE("AArch64: stack slots are registers") {
    const auto t = arm("sub sp, sp, #16\nstr w0, [sp, 12]\nstr x1, [sp]\nldr w2, [sp, 12]\nldr x3, [sp]\nadd "
                       "sp, sp, 16\nret");
    CHECK(t.rows == rows{"mov w30,w0", "mov x29,x1", "mov w2,w30", "mov x3,x29"});
    const auto pair = arm("stp x19, x20, [sp, -16]!\nldp x19, x20, [sp], 16\nret");
    CHECK(pair.rows == rows{"mov x30,x19", "mov x29,x20", "mov x19,x30", "mov x20,x29"});
    CHECK_THROWS_WITH(arm("str w0, [sp, 8]\nldr x0, [sp, 8]\n"), Catch::Contains("accessed in two sizes"));
    CHECK_THROWS_WITH(arm("add x0, sp, 12\n"), Catch::Contains("this use of the stack is not supported"));
    CHECK_THROWS_WITH(arm("mov x29, sp\n"), Catch::Contains("this use of the stack is not supported"));
}
