// SPDX-License-Identifier: Apache-2.0
#include "compile/machine.hpp"
#include "frontend/front_ends.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::compiled;

TEST_CASE("compiled functions become a test of the machine, with the source's condition") {
    const test t =
        parse_test({"t.litmus", "C T\n{ x=1; }\nP0(atomic_int* x) {\n"
                                "int r0 = atomic_load_explicit(x, memory_order_relaxed);\n}\n"
                                "P1(atomic_int* x) { atomic_store_explicit(x, 2, memory_order_relaxed); }\n"
                                "filter (x=2)\nexists (0:r0=2 /\\ ~(x=1))"});
    const unit u = make_unit(t, 3);
    const machine& m = *find_machine("aarch64-linux-gnu");
    const auto functions =
        split_functions("rp3_P0:\nadrp x0, rp3_x\nldr w0, [x0, :lo12:rp3_x]\nadrp x1, rp3_P0_r0\n"
                        "str w0, [x1, :lo12:rp3_P0_r0]\nret\n"
                        "rp3_P1:\nadrp x0, rp3_x\nmov w1, 2\nstr w1, [x0, :lo12:rp3_x]\nret\n",
                        m.comment, "rp");
    const compiled_test made = machine_test(m, t, u, 3, functions);
    const std::string& text = made.text;
    CHECK(made.jumps_back == 0);
    CHECK(text == "AArch64 T\n{\nint x=1;\nint P0_r0=0;\n0:x29=P0_r0;\n0:x30=x;\n1:x30=x;\n}\n"
                  " P0          | P1          ;\n mov x0,x30  | mov x0,x30  ;\n ldr w0,[x0] | mov w1,2    ;\n"
                  " mov x1,x29  | str w1,[x0] ;\n str w0,[x1] |             ;\n"
                  "locations [x;P0_r0;]\nfilter [x]=2\nexists ([P0_r0]=2 /\\ not ([x]=1))\n");
    CHECK(load_test({"", text}, 0).what.threads.size() == 2);
    CHECK_THROWS_WITH(machine_test(m, t, u, 4, functions), "the assembly has no function for thread 0");
}

TEST_CASE("each machine is known by the beginning of its triple") {
    CHECK(find_machine("aarch64-unknown-linux-gnu")->dialect == "AArch64");
    CHECK(find_machine("riscv64-linux-gnu")->dialect == "RISCV");
    CHECK(find_machine("x86_64-linux-gnu")->model == "x86-tso");
    CHECK(find_machine("powerpc64le-linux-gnu") == nullptr);
}
