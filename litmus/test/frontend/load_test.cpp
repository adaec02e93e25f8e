// SPDX-License-Identifier: Apache-2.0
#include "../../src/frontend/front_ends.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

namespace {

loaded_test load(const std::string& text) { return load_test({"t.litmus", text}, 2); }

std::string error_of(const std::string& text) {
    try {
        load(text);
    } catch (const syntax_error& e) {
        const std::string what = e.what();
        return what.substr(0, what.find('\n'));
    }
    return "";
}

} // namespace

TEST_CASE("a branch on a loaded value makes two paths, a branch on a constant one") {
    const std::string head = "X86 T\n{ }\n P0 ;\n", tail = " MOV [y],$1 ;\n L: ;\nexists (y=1)";
    CHECK(load(head + " MOV EAX,[x] ;\n CMP EAX,$1 ;\n JE L ;\n" + tail).what.threads[0].size() == 2);
    CHECK(load(head + " MOV EAX,$1 ;\n CMP EAX,$1 ;\n JE L ;\n" + tail).what.threads[0].size() == 1);
}

TEST_CASE("dependencies survive arithmetic that makes them false") {
    const loaded_test t =
        load("AArch64 T\n{ 0:X1=x; 0:X3=y; }\n P0 ;\n LDR W0,[X1] ;\n EOR W2,W0,W0 ;\n"
             " LDR W4,[X3,W2,SXTW] ;\n CBNZ W4,L ;\n L: ;\n MOV W5,#1 ;\n STR W5,[X1] ;\nexists (0:X0=1)");
    for (const path& p : t.what.threads[0]) {
        REQUIRE(p.events.size() == 3);
        CHECK(p.events[1].address_from == 1);
        CHECK(p.events[2].control_from == 2);
        CHECK(t.what.values->is_constant(p.events[1].address));
    }
}

TEST_CASE("an exclusive store may fail, and does where no load has reserved its address") {
    struct row {
        std::string code;
        std::size_t paths, stores; ///< over all paths
    };
    const std::string arm = "AArch64 T\n{ 0:X1=x; 0:X3=y; }\n P0 ;\n ";
    const std::string riscv = "RISCV T\n{ 0:x6=x; 0:x7=y; }\n P0 ;\n ";
    for (const row& r : {
             row{arm + "LDXR W0,[X1] ;\n STXR W2,W0,[X1] ;\n", 2, 1},
             row{arm + "LDXR W0,[X1] ;\n CLREX ;\n STXR W2,W0,[X1] ;\n", 1, 0},
             row{arm + "STXR W2,W0,[X1] ;\n", 1, 0},
             row{arm + "LDXR W0,[X1] ;\n STXR W2,W0,[X3] ;\n", 1, 0},
             row{arm + "LDXR W0,[X1] ;\n STXR W2,W0,[X1] ;\n STXR W2,W0,[X1] ;\n", 2, 1},
             row{riscv + "lr.w x5,(x6) ;\n sc.w x8,x5,(x6) ;\n", 2, 1},
             row{riscv + "sc.w x8,x5,(x6) ;\n", 1, 0},
             row{riscv + "lr.w x5,(x6) ;\n sc.w x8,x5,(x7) ;\n", 1, 0},
             row{riscv + "lr.w x5,(x6) ;\n sc.w x8,x5,(x6) ;\n sc.w x8,x5,(x6) ;\n", 2, 1},
         }) {
        const loaded_test t = load(r.code + "exists (true)");
        const std::vector<path>& paths = t.what.threads[0];
        std::size_t stores = 0;
        for (const path& p : paths)
            for (const event& e : p.events) stores += e.is_write;
        CAPTURE(r.code);
        CHECK(paths.size() == r.paths);
        CHECK(stores == r.stores);
    }
}

TEST_CASE("in C a control dependency ends with its statement") {
    const loaded_test t =
        load("C T\n{ }\nP0(int *x, int *y) {\n int r = READ_ONCE(*x);\n if (r) WRITE_ONCE(*y, 1);\n"
             " WRITE_ONCE(*x, 2);\n}\nexists (y=1)");
    CHECK(t.flavour == c_flavour::linux_kernel);
    REQUIRE(t.what.threads[0].size() == 2);
    CHECK(t.what.threads[0][0].events[1].control_from == 1);
    CHECK(t.what.threads[0][0].events[2].control_from == 0);
}

TEST_CASE("a loop is cut after the given number of rounds, and that is noted") {
    const std::string text =
        "C T\n{ }\nP0(int *x) {\n int r = 0;\n while (r == 0) r = READ_ONCE(*x);\n}\nexists (0:r=1)";
    const loaded_test t = load(text);
    CHECK(t.what.bounded);
    CHECK(t.what.threads[0].size() == 2);
    CHECK(load_test({"t", text}, 5).what.threads[0].size() == 5);
}

TEST_CASE("errors name file, line and column, and the instruction that is not supported") {
    CHECK(error_of("AArch64 T\n{ }\n P0 ;\n FMOV D0,D1 ;\nexists (0:X0=1)") ==
          "t.litmus:4:2: instruction 'fmov' is not supported");
    CHECK(error_of("RISCV T\n{ }\n P0 ;\n lw x5,x6 ;\nexists (0:x5=1)") ==
          "t.litmus:4:2: expected an address such as 0(x6), found 'x6'");
    CHECK(error_of("C T\n{ }\nP0(int *x) {\n  foo(x);\n}\nexists (x=1)") ==
          "t.litmus:4:3: function 'foo' is not supported");
    CHECK(error_of("C T\n{ }\nP0(int *x) {\n  *x = ;\n}\nexists (x=1)") ==
          "t.litmus:4:8: expected an expression, found ';'");
    CHECK(error_of("MIPS T\n{ }\n P0 ;\n NOP ;\nexists (x=1)") ==
          "t.litmus:1:1: dialect 'MIPS' is not supported: expected C, X86, X86_64, AArch64 or RISCV");
}

TEST_CASE("a test made to explode is an error, not a machine without memory") {
    std::string branches = "C T\n{}\nP0(int *x) {", doubling = "X86 T\n{ }\n P0 ;\n MOV EAX,[x] ;\n";
    for (int k = 0; k < 30; ++k) {
        branches += "int r" + std::to_string(k) + " = *x; if (r" + std::to_string(k) + ") { }\n";
        doubling += " ADD EAX,EAX ;\n";
    }
    CHECK(error_of(branches + "}\nexists (x=1)").find("too many paths") != std::string::npos);
    CHECK(error_of(doubling + "exists (0:EAX=1)") ==
          "t.litmus:1:1: a thread computes a value in too many steps: not supported");
}

TEST_CASE("sums and chains as long as no test has them are errors with a place, not the end of the stack") {
    const auto chain = [](const std::string& part, const std::string& sign, int times) {
        std::string text = part;
        for (int k = 1; k < times; ++k) text += sign + part;
        return text;
    };
    const auto in_c = [](const std::string& value) {
        return "C T\n{ }\nP0(int *x) {\n int r = READ_ONCE(*x);\n int s = " + value + ";\n}\nexists (0:r=1)";
    };
    CHECK(error_of(in_c(chain("r", " + ", 10'000))).find("t.litmus:5:") == 0);
    CHECK(error_of(in_c(chain("r", " + ", 10'000))).find("more than 1000 operators inside each other") !=
          std::string::npos);
    CHECK(error_of(in_c(std::string(10'000, '!') + "r")).find("nested too deeply") != std::string::npos);
    CHECK(error_of(in_c(chain("1", " + ", 900))).empty());
    const std::string head = "X86 T\n{ }\n P0 ;\n MOV EAX,[x] ;\n", asks = "exists (0:EAX=1)";
    // Each step is inside the next: deep, though not large.
    CHECK(error_of(head + chain(" ADD EAX,$1 ;\n", "", 5'000) + asks) ==
          "t.litmus:1:1: a thread computes a value in too many steps: not supported");
    CHECK(error_of(head + chain(" ADD EAX,$1 ;\n", "", 200) + asks).empty());
    CHECK(error_of("AArch64 T\n{ }\n P0 ;\n" + chain(" MOV X1,#1 ;\n", "", 10'001) + "exists (0:X1=1)")
              .find("more than 10000 instructions") != std::string::npos);
    CHECK(error_of(head + "exists (" + chain("0:EAX=1", " /\\ ", 20'001) + ")")
              .find("more than 20000 comparisons") != std::string::npos);
    CHECK(error_of(head + "exists (" + chain("0:EAX=1", " => ", 5'000) + ")").find("nested too deeply") !=
          std::string::npos);
}

TEST_CASE("a test of more threads or locations than can be searched is refused") {
    const auto threads = [](int n) {
        std::string names = " P0", code = " NOP";
        for (int t = 1; t < n; ++t) names += " | P" + std::to_string(t), code += " | NOP";
        return "X86 T\n{ }\n" + names + " ;\n" + code + " ;\nexists (0:EAX=0)";
    };
    CHECK(error_of(threads(1024)).empty());
    CHECK(error_of(threads(1025)).find("more than 1024 threads") != std::string::npos);
    std::string functions = "C T\n{ }\n", places = "C T\n{ ";
    for (int k = 0; k < 1025; ++k) functions += "P" + std::to_string(k) + "(int *x) { }\n";
    CHECK(error_of(functions + "exists (x=1)").find("more than 1024 threads") != std::string::npos);
    for (int k = 0; k < 5'000; ++k) places += "x" + std::to_string(k) + "=1; ";
    CHECK(error_of(places + "}\nP0(int *x0) { }\nexists (x0=1)").find("more than 4096 locations") !=
          std::string::npos);
}

TEST_CASE("the paths of a thread are looked for only as long as the time lasts") {
    std::string text = "X86 T\n{ }\n P0 ;\n";
    for (int k = 0; k < 12; ++k) {
        const std::string n = std::to_string(k);
        text += " MOV EAX,[x] ;\n CMP EAX,$" + n + " ;\n JE L" + n + " ;\n L" + n + ": ;\n";
    }
    for (int k = 0; k < 500; ++k) text += " ADD EBX,$1 ;\n";
    watch time(1e-9);
    const loaded_test t = load_test({"t.litmus", text + "exists (x=1)"}, 2, nullptr, &time);
    CHECK_FALSE(t.complete);
    watch none;
    CHECK(load_test({"t.litmus", "X86 T\n{ }\n P0 ;\n NOP ;\nexists (0:EAX=0)"}, 2, nullptr, &none).complete);
}
