// SPDX-License-Identifier: Apache-2.0
#include "cycle/choose.hpp"
#include "cycle/emit.hpp"
#include "enumerate/search.hpp"
#include "frontend/front_ends.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::cycles;

namespace {

simulation run(const std::string& text, const model& m) {
    const loaded_test t = load_test({"generated", text}, 2);
    return simulate(t.text, t.what, m, {});
}

simulation run(const char* architecture, const char* words, const char* model_name) {
    const dialect& d = *find_dialect(architecture);
    return run(emit(d, parse_cycle(d, words), false).text, model::load(model_name, {}));
}

} // namespace

TEST_CASE("a generated test reads as one written by hand") {
    const dialect& d = *find_dialect("X86");
    CHECK(emit(d, parse_cycle(d, "PodWR Fre PodWR Fre"), false).text ==
          "X86 SB+po+po\n\"PodWR Fre PodWR Fre\"\nGenerator=ringproof litmus generate\nOrig=PodWR Fre PodWR "
          "Fre\n{\n}\n"
          " P0          | P1          ;\n"
          " MOV [x],$1  | MOV [y],$1  ;\n"
          " MOV EAX,[y] | MOV EAX,[x] ;\n"
          "exists (0:EAX=0 /\\ 1:EAX=0)\n");
    const dialect& arm = *find_dialect("AArch64");
    CHECK(emit(arm, parse_cycle(arm, "DMB.SYdWW Rfe DpAddrdR Fre"), true).text ==
          "AArch64 MP+dmb.sy+addr\n\"DMB.SYdWW Rfe DpAddrdR Fre\"\nGenerator=ringproof litmus generate\n"
          "Orig=DMB.SYdWW Rfe DpAddrdR Fre\n{\n0:X0=x; 0:X2=y;\n1:X0=y; 1:X2=x;\n}\n"
          " P0          | P1           ;\n"
          " MOV W1,#1   | LDR W1,[X0]  ;\n"
          " STR W1,[X0] | EOR X3,X1,X1 ;\n"
          " DMB SY      | ADD X3,X3,X2 ;\n"
          " MOV W3,#1   | LDR W4,[X3]  ;\n"
          " STR W3,[X2] |              ;\n"
          "locations [x; y; 1:X1; 1:X4;]\nexists (1:X1=1 /\\ 1:X4=0)\n");
}

TEST_CASE("what the models are known to allow and forbid shows in generated tests") {
    CHECK(run("X86", "PodWR Fre PodWR Fre", "x86-tso").positive == 1);
    CHECK(run("X86", "MFencedWR Fre MFencedWR Fre", "x86-tso").positive == 0);
    CHECK(run("X86", "PodWRANa Fre PodWRANa Fre", "x86-tso").positive == 0);
    CHECK(run("AArch64", "PodWWPL RfeLA PodRRAP Fre", "aarch64").positive == 0);
    CHECK(run("AArch64", "PodWWPL RfeLP PodRR Fre", "aarch64").positive == 1);
    CHECK(run("AArch64", "DMB.SYdWW Rfe DpCtrldR Fre", "aarch64").positive == 1);
    CHECK(run("AArch64", "DMB.SYdWW Rfe DpCtrlIsbdR Fre", "aarch64").positive == 0);
    CHECK(run("AArch64", "DpDatadW Rfe DpDatadW Rfe", "aarch64").positive == 0);
    CHECK(run("AArch64", "PodRW Rfe DpDatadW Rfe", "aarch64").positive == 1);
    CHECK(run("RISCV", "Fence.w.wdWW Rfe Fence.r.rdRR Fre", "riscv").positive == 0);
    CHECK(run("RISCV", "Fence.w.wdWW Rfe PodRR Fre", "riscv").positive == 1);
    CHECK(run("C", "PodWWRlxRel Rfe PodRRAcqRlx Fre", "rc11").positive == 0);
    CHECK(run("C", "PodWWRlxRel Rfe PodRR Fre", "rc11").positive == 1);
    CHECK(run("C", "PodRW Rfe PodRW Rfe", "rc11").positive == 0);
    CHECK(run("C", "PodRW Rfe PodRW Rfe", "c11").positive == 1);
}

TEST_CASE("sequential consistency forbids the outcome of every cycle") {
    const model sc = model::load("sc", {});
    for (const dialect& d : dialects()) {
        selection s;
        s.edges = d.alphabet;
        s.size = 6;
        for (std::size_t m = 0; m < d.marks.size(); ++m)
            if (d.marks[m].word != "Na" || d.what != dialect::id::c) s.marks.push_back(static_cast<int>(m));
        int asked = 0;
        random_cycles(d, s, 3, [&](const cycle& c) {
            // Of three stores to a location the condition names only the last.
            const bool told =
                std::all_of(c.stores.begin(), c.stores.end(), [](int n) { return n <= 2; }) &&
                std::all_of(c.accesses.begin(), c.accesses.end(), [](const placed& p) { return p.observed; });
            if (!told) return true;
            const emitted_test t = emit(d, c, false);
            CAPTURE(t.text);
            CHECK(run(t.text, sc).positive == 0);
            return ++asked < 150;
        });
        CHECK(asked == 150);
    }
}
