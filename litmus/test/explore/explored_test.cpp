// SPDX-License-Identifier: Apache-2.0
// A small part of what ringproof_litmus_judge compares, on each run of the tests.
#include "../../src/cycle/choose.hpp"
#include "../../src/cycle/emit.hpp"
#include "comparison.hpp"
#include "random_aarch64.hpp"
#include "random_riscv.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace ringproof::litmus;

namespace {

const model& model_for(const std::string& text) {
    static const model arm = model::load("aarch64", {}), riscv = model::load("riscv", {});
    return text.starts_with("RISCV") ? riscv : arm;
}

comparison same(const std::string& name, const std::string& text, int unroll = 2) {
    const comparison c = compare_engines(name, text, model_for(text), unroll, 10);
    INFO(name << "\n" << text << "\n" << c.message);
    CHECK(c.what == comparison::outcome::equal);
    return c;
}

simulation of(const std::string& text, int unroll = 2) {
    return explore_test(parse_test({"t.litmus", text}), unroll, {}).result;
}

} // namespace

TEST_CASE("the explorer finds the executions of the simulator: 400 random programs") {
    std::mt19937 random(1106);
    std::uint64_t executions = 0;
    for (int k = 0; k < 400; ++k) executions += same("random", random_aarch64(random, 5)).executions;
    CHECK(executions > 4000); // or little is compared
}

TEST_CASE("the explorer finds the executions of the simulator: 400 random programs of RISC-V") {
    std::mt19937 random(1107);
    std::uint64_t executions = 0;
    for (int k = 0; k < 400; ++k) executions += same("random", random_riscv(random, 5)).executions;
    CHECK(executions > 3000);
}

TEST_CASE(
    "the explorer finds the executions of the simulator: 200 pairs of accesses each of AArch64 and RISC-V") {
    std::mt19937 random(1108);
    for (int k = 0; k < 200; ++k) {
        same("pair", surrounded_aarch64(random));
        same("pair", surrounded_riscv(random));
    }
}

TEST_CASE("the explorer finds the executions of the simulator: 300 cycles each of AArch64 and RISC-V") {
    using namespace cycles;
    const dialect& d = *find_dialect(GENERATE("AArch64", "RISCV"));
    selection s;
    s.size = 7;
    s.edges = matching_edges(d, "*");
    for (std::size_t m = 0; m < d.marks.size(); ++m) s.marks.push_back(static_cast<int>(m));
    int compared = 0;
    random_cycles(d, s, 3, [&](const cycle& c) {
        const emitted_test t = emit(d, c, true);
        same(t.name, t.text);
        return ++compared < 300;
    });
    CHECK(compared == 300);
}

TEST_CASE("the explorer finds the executions of the simulator: the project's AArch64 and RISC-V tests") {
    int compared = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(RINGPROOF_LITMUS_TESTS)) {
        if (entry.path().extension() != ".litmus") continue;
        const source s = read_source(entry.path().string());
        if (!s.text.starts_with("AArch64") && !s.text.starts_with("RISCV")) continue;
        same(entry.path().string(), s.text);
        ++compared;
    }
    CHECK(compared > 20);
}

TEST_CASE("loops that retry go round as often as in the simulator") {
    const std::string increments =
        "AArch64 INC\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n"
        " L0: | L1: ;\n LDXR W0,[X1] | LDXR W0,[X1] ;\n ADD W2,W0,#1 | ADD W2,W0,#1 ;\n"
        " STXR W3,W2,[X1] | STXR W3,W2,[X1] ;\n CBNZ W3,L0 | CBNZ W3,L1 ;\n"
        "forall (x=2)";
    const comparison c = same("increments", increments, 3);
    CHECK(c.executions ==
          80); // which comes first x 4 numbers of failures x 10 of failures and what they read
    const simulation s = of(increments);
    CHECK(s.bounded);
    CHECK(s.unroll == 2);
    CHECK(s.negative == 0);
}

TEST_CASE("values go round cycles of program order and reads-from, and do not come out of thin air") {
    const simulation s =
        of("AArch64 LB\n{ 0:X1=x; 0:X2=y; 1:X1=x; 1:X2=y; }\n P0 | P1 ;\n LDR W0,[X1] | LDR W0,[X2] ;\n"
           " MOV W3,#1 | STR W0,[X1] ;\n STR W3,[X2] | ;\nexists (0:X0=1 /\\ 1:X0=1)");
    CHECK(s.positive == 1);
    const simulation thin = of("AArch64 LB\n{ 0:X1=x; 0:X2=y; 1:X1=x; 1:X2=y; }\n P0 | P1 ;\n"
                               " LDR W0,[X1] | LDR W0,[X2] ;\n STR W0,[X2] | STR W0,[X1] ;\n"
                               "exists (0:X0=1 /\\ 1:X0=1)");
    CHECK(thin.positive == 0);
    CHECK(thin.states.size() == 1);
}

TEST_CASE("the filter leaves executions out, and the condition is asked of the others") {
    const simulation s = of("AArch64 F\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n MOV W0,#1 | LDR W0,[X1] ;\n"
                            " STR W0,[X1] | ;\nfilter (1:X0=1)\nforall (1:X0=1)");
    CHECK(s.positive == 1);
    CHECK(s.negative == 0);
}

TEST_CASE("accesses of different sizes to one location are refused, and so are other dialects and models") {
    CHECK_THROWS_WITH(of("AArch64 S\n{ 0:X1=x; }\n P0 ;\n LDR X0,[X1] ;\n STR W0,[X1] ;\nexists (x=0)"),
                      Catch::Contains("several sizes"));
    const test x86 = parse_test({"t.litmus", "X86 T\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=0)"});
    CHECK_THAT(cannot_explore(x86, "aarch64"), Catch::Contains("use --engine enumerate"));
    const test arm = parse_test({"t.litmus", "AArch64 T\n{ 0:X1=x; }\n P0 ;\n LDR W0,[X1] ;\nexists (x=0)"});
    CHECK_THAT(cannot_explore(arm, "sc"), Catch::Contains("'sc'"));
    CHECK(cannot_explore(arm, "aarch64").empty());
}

TEST_CASE(
    "a test is refused if a thread can compute an address where no location begins, from what it loads") {
    const auto text = [](const char* stored) {
        return "AArch64 T\n{ int x=0; int y[2]={0,0}; 0:X1=x; 0:X3=y; 1:X1=x; }\n P0 | P1 ;\n"
               " LDR W0,[X1] | MOV W0,#" +
               std::string(stored) +
               " ;\n MOV W5,#1 | STR W0,[X1] ;\n STR W5,[X3,W0,SXTW] | ;\nexists (0:X0=0)";
    };
    CHECK(of(text("4")).states.size() == 2);
    CHECK_THROWS_WITH(of(text("8")), Catch::Contains("where no location begins"));
    CHECK_THROWS_WITH(of(text("2")), Catch::Contains("where no location begins"));
}

TEST_CASE("a search whose time is out is not complete") {
    std::string text = "AArch64 W\n{";
    for (int t = 0; t < 10; ++t) text += std::to_string(t) + ":X1=x; ";
    text += "}\n";
    const auto row = [&](const std::string& cell) {
        for (int t = 0; t < 10; ++t) text += (t ? " | " : " ") + cell;
        text += " ;\n";
    };
    text += " P0 | P1 | P2 | P3 | P4 | P5 | P6 | P7 | P8 | P9 ;\n";
    row("MOV W0,#1");
    row("STR W0,[X1]");
    row("STR W0,[X1]");
    limits l;
    l.seconds = 0.05;
    const simulation s = explore_test(parse_test({"t.litmus", text + "exists (x=0)"}), 2, l).result;
    CHECK_FALSE(s.complete);
}
