// SPDX-License-Identifier: Apache-2.0
// The judge, on code that no compiler has made: with an ordering and without it.
#include "compile/compare.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::compiled;

namespace {

const std::string message_passing = "C MP\n{ }\nP0(atomic_int* x, atomic_int* y) {\n"
                                    "atomic_store_explicit(x, 1, memory_order_relaxed);\n"
                                    "atomic_store_explicit(y, 1, memory_order_release);\n}\n"
                                    "P1(atomic_int* x, atomic_int* y) {\n"
                                    "int r0 = atomic_load_explicit(y, memory_order_acquire);\n"
                                    "int r1 = atomic_load_explicit(x, memory_order_relaxed);\n}\n"
                                    "exists (1:r0=1 /\\ 1:r1=0)";

/// Its AArch64 code with this store and this load of y.
std::string compiled_passing(const std::string& store, const std::string& load) {
    return "AArch64 MP\n{ 0:X1=x; 0:X2=y; 1:X1=x; 1:X2=y; 1:X3=P1_r0; 1:X4=P1_r1; }\nP0 | P1 ;\nMOV W0,#1 "
           "| " +
           load + " W5,[X2] ;\nSTR W0,[X1] | LDR W6,[X1] ;\n" + store +
           " W0,[X2] | STR W5,[X3] ;\n | STR W6,[X4] ;\nlocations [P1_r0; P1_r1;]\nexists (P1_r0=1 /\\ "
           "P1_r1=0)";
}

struct judged {
    explicit judged(const std::string& source, const std::string& name = "rc11")
        : source_model(model::load(name, {})), machine(model::load("aarch64", {})) {
        loaded_test loaded = load_test({"t.litmus", source}, 2);
        text = make_unit(loaded.text, 0);
        side = simulate_source(std::move(loaded), text, source_model, {});
    }
    comparison with(const std::string& code, int unroll = 2) const {
        return compare(side, text, code, machine, source_model, {}, unroll);
    }
    model source_model, machine;
    unit text;
    source_side side;
};

} // namespace

TEST_CASE("code that keeps an ordering is consistent, code that lost it is refuted with the outcome and both "
          "reasons") {
    const judged mp(message_passing);
    CHECK(mp.side.states.size() == 3);
    const comparison right = mp.with(compiled_passing("STLR", "LDAR"));
    CHECK(right.verdict == "consistent");
    CHECK(right.message == "3 of the source's 3 outcomes, no other");
    CHECK(right.machine_states ==
          std::vector<std::string>{"1:r0=0; 1:r1=0;", "1:r0=0; 1:r1=1;", "1:r0=1; 1:r1=1;"});
    for (const auto& [store, load] : {std::pair{"STR", "LDAR"}, std::pair{"STLR", "LDR"}}) {
        const comparison wrong = mp.with(compiled_passing(store, load));
        CHECK(wrong.verdict == "refuted");
        CHECK(wrong.forbidden == std::vector<std::string>{"1:r0=1; 1:r1=0;"});
        CHECK(wrong.explanation.find("The source forbids 1:r0=1; 1:r1=0;\nWhyNot MP check ") == 0);
        CHECK(wrong.explanation.find("The machine allows it:\n") != std::string::npos);
        CHECK(wrong.explanation.find("R [x]=0, the initial value") != std::string::npos);
    }
}

TEST_CASE("code with fewer outcomes than the source is consistent") {
    const judged mp(message_passing);
    const comparison fewer =
        mp.with("AArch64 MP\n{ 0:X1=x; 1:X3=P1_r0; }\nP0 | P1 ;\nMOV W0,#1 | ;\nSTR W0,[X1] | ;\n"
                "locations [P1_r0; P1_r1;]\nexists (P1_r0=1 /\\ P1_r1=0)");
    CHECK(fewer.verdict == "consistent");
    CHECK(fewer.message == "1 of the source's 3 outcomes, no other");
}

TEST_CASE("values are compared as the variable's type writes them, addresses by name") {
    const judged t("C T\n{ }\nP0(int* x) { int r0 = -1; int* r1 = x; }\nexists (0:r0=-1 /\\ 0:r1=x)");
    const std::string head =
        "AArch64 T\n{ int64_t P0_r1; 0:X1=P0_r0; 0:X2=P0_r1; 0:X3=x; }\nP0 ;\nMOV W0,#-1 ;\n";
    const std::string tail = "\nlocations [P0_r0; P0_r1;]\nexists (true)";
    CHECK(t.with(head + "STR W0,[X1] ;\nSTR X3,[X2] ;" + tail).verdict == "consistent");
    const comparison wrong = t.with(head + "STR W0,[X1] ;\nSTR X1,[X2] ;" + tail);
    CHECK(wrong.verdict == "refuted");
    CHECK(wrong.forbidden == std::vector<std::string>{"0:r0=-1; 0:r1=P0_r0;"});
}

TEST_CASE("a data race allows everything, and code without an execution is not taken for right") {
    const judged race("C R\n{ }\nP0(int* x) { *x = 1; }\nP1(int* x, atomic_int* y) { int r0 = *x; "
                      "atomic_store_explicit(y, 1, memory_order_relaxed); }\nexists (1:r0=7)");
    CHECK(race.side.undefined == "race");
    CHECK(race.with("AArch64 R\n{ 1:X1=P1_r0; }\nP0 | P1 ;\n | MOV W0,#7 ;\n | STR W0,[X1] ;\nlocations "
                    "[P1_r0;]\n"
                    "exists (P1_r0=7)")
              .verdict == "skipped");
    const judged mp(message_passing);
    const comparison none =
        mp.with("AArch64 MP\n{ }\nP0 | P1 ;\nL: | ;\nB L | ;\nlocations [P1_r0; P1_r1;]\nexists (true)");
    CHECK(none.verdict == "inconclusive");
    CHECK(none.message.find("--unroll") != std::string::npos);
}

TEST_CASE("an outcome beyond the bound of the source's own loops is inconclusive") {
    const judged loop(
        "C L\n{ }\nP0(atomic_int* x) { int r0 = 0; while (atomic_load_explicit(x, memory_order_relaxed) == "
        "0) "
        "r0 = r0 + 1; }\nP1(atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\n"
        "exists (0:r0=3)");
    CHECK(loop.text.loops);
    const comparison c = loop.with("AArch64 L\n{ 0:X1=P0_r0; }\nP0 | P1 ;\nMOV W0,#3 | ;\nSTR W0,[X1] | ;\n"
                                   "locations [P0_r0;]\nexists (P0_r0=3)");
    CHECK(c.verdict == "inconclusive");
    CHECK(c.forbidden.size() == 1);
}
