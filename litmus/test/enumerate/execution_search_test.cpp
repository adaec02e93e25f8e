// SPDX-License-Identifier: Apache-2.0
#include "../../src/enumerate/report.hpp"
#include "simulated.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("pruning changes no result: a model that only checks in the end finds the same") {
    // The same model, with coherence in a form that the enumerator does not recognise.
    const auto file = std::filesystem::temp_directory_path() / ("plain-" + std::to_string(getpid()) + ".cat");
    std::ofstream(file) << "\"plain\"\ninclude \"cos.cat\"\nlet f(r) = r\nlet all = f(po | rf | co | fr)\n"
                           "empty (all+ & id) as sc\nempty rmw & (fre ; coe) as atomic\n";
    const std::string texts[] = {store_buffering, "X86 T\n{ }\n P0 | P1 | P2 ;\n MOV [x],$1 | XCHG [x],EAX | "
                                                  "MOV EAX,[x] ;\n MOV [x],$2 | MOV EBX,[x] | MOV EBX,[x] ;\n"
                                                  "exists (2:EAX=2 /\\ 2:EBX=1)"};
    for (const std::string& text : texts) {
        const simulation pruned = run(text, "sc"), plain = run(text, file.string());
        CHECK(pruned.positive == plain.positive);
        CHECK(pruned.negative == plain.negative);
        REQUIRE(pruned.states.size() == plain.states.size());
        for (std::size_t i = 0; i < plain.states.size(); ++i) {
            CHECK(pruned.states[i].values == plain.states[i].values);
            CHECK(pruned.states[i].executions == plain.states[i].executions);
        }
        CHECK(pruned.candidates <= plain.candidates);
    }
    std::filesystem::remove(file);
}

TEST_CASE("the model is asked about coherent executions only, if it forbids the others") {
    // Reads of 0, 1 or 2 that do not go back: 6 of the 9 pairs; the stores have one order.
    const simulation pruned = run(four_accesses, "sc");
    CHECK(pruned.candidates == 6);
    CHECK(pruned.negative == 6);
    // A read before a store of its own thread takes no value from it or from later ones.
    const simulation own = run("X86 T\n{ }\n P0          | P1         ;\n MOV EAX,[x] | MOV [x],$3 ;\n"
                               " MOV [x],$1  | ;\n MOV EBX,[x] | ;\n MOV [x],$2  | ;\nexists (0:EAX=0)",
                               "sc");
    CHECK(own.candidates == own.positive + own.negative);
    CHECK(own.positive + own.negative == 5);
}

TEST_CASE("of one location every coherent execution is sequentially consistent, so that none is asked about "
          "in vain") {
    const simulation s =
        run("X86 T\n{ }\n P0         | P1         | P2          ;\n"
            " MOV [x],$1 | MOV [x],$3 | MOV EAX,[x] ;\n MOV [x],$2 | MOV [x],$4 | MOV EBX,[x] ;\n"
            "            |            | MOV ECX,[x] ;\nexists (2:EAX=1 /\\ 2:EBX=3 /\\ 2:ECX=2)",
            "sc");
    CHECK(s.candidates == s.positive + s.negative);
    CHECK(s.positive != 0);
}

TEST_CASE("an update never reads itself, also where no model forbids it") {
    const model_file all("let r = rf\n");
    const simulation s = run("C T\n{ }\nP0(atomic_int *x) {\n int r = atomic_exchange_explicit(x, 7, "
                             "memory_order_relaxed);\n}\nexists (0:r=7)",
                             all.path.string());
    CHECK(s.positive == 0);
    CHECK(s.negative == 1);
    CHECK_FALSE(s.thin_air);
}

TEST_CASE("without coherence in the model every choice is asked about and allowed") {
    const model_file all("let r = rf\n");
    const simulation s = run(four_accesses, all.path.string());
    CHECK(s.positive == 1);
    CHECK(s.positive + s.negative == 9); // who was last is not asked for
    const simulation asked = run("X86 T\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [x],$2 ;\nlocations [x;]\n"
                                 "exists (x=0)",
                                 all.path.string());
    CHECK(asked.states.size() == 2); // either may be the last, the initial store may not
    CHECK(asked.positive == 0);
    const model_file future("irreflexive rf ; po as no-future\n");
    const std::string text = "X86 T\n{ }\n P0 ;\n MOV EAX,[x] ;\n MOV [x],$1 ;\nexists (0:EAX=1)";
    const simulation past = run(text, future.path.string()), any = run(text, "x86-tso");
    CHECK(past.positive == 0);
    CHECK(past.candidates == 1);
    CHECK(any.positive == 0);
}

TEST_CASE("executions out of thin air leave a verdict open only where they could decide it") {
    const std::string program = load_buffering(" atomic_store_explicit(y, r, memory_order_relaxed);\n");
    const std::string text = program.substr(0, program.find("exists"));
    const auto found = [&](const std::string& condition, const char* name = "c11") {
        const loaded_test t = load_test({"t.litmus", text + condition}, 2);
        return verdict(t.text, simulate(t.text, t.what, model::load(name, {}), {}));
    };
    CHECK(found("exists (0:r=1)") == "inconclusive");
    CHECK(found("~exists (0:r=1)") == "inconclusive");
    CHECK(found("forall (0:r=0)") == "inconclusive");
    CHECK(found("exists (0:r=1)", "rc11") == "observed");
    CHECK(found("~exists (0:r=1)", "rc11") == "consistent");
    CHECK(found("exists (0:r=0)") == "observed"); // seen without them
    CHECK(found("forall (0:r=1)") == "refuted");  // likewise
    CHECK(found("~exists (0:r=0)") == "refuted");
    CHECK(found("forall (true)") == "consistent");          // nothing decides that
    CHECK(found("exists (0:r=1 /\\ 0:s=1)") == "observed"); // the part that is known is false
    CHECK(found("exists (0:r=1 \\/ 0:s=1)") == "inconclusive");
    CHECK(found("exists (0:s=1 \\/ 0:t=1)") == "observed");
    CHECK(found("exists (not (0:s=0))") == "observed");
    CHECK(found("exists (not (0:r=0))") == "inconclusive");
    CHECK(found("forall (0:r=1 => 0:s=0)") == "consistent");
    CHECK(found("forall (0:r=1 => 0:s=1)") == "inconclusive");
    CHECK(found("exists (0:s=0 => 0:s=1)") == "observed");
    CHECK(found("filter (0:s=1) exists (0:r=1)") == "observed"); // let through by no value
    CHECK(found("filter (0:r=1) exists (0:r=1)") == "inconclusive");
    CHECK(found("exists (x=1)") == "inconclusive");
    CHECK(found("exists (0:r!=0)") == "inconclusive");
    CHECK(found("exists (0:s!=0)") == "observed");
}

TEST_CASE("which execution out of thin air is met first makes no difference") {
    // Where r is 0, which only itself justifies, the flag stays 0; in the other path it is 1.
    const auto text = [](const std::string& test_of_r, const std::string& condition) {
        return "C T\n{ }\nP0(atomic_int *x, atomic_int *y) {\n int r = atomic_load_explicit(x, "
               "memory_order_relaxed);\n"
               " int s = 0;\n if (" +
               test_of_r +
               ") { s = 1; }\n atomic_store_explicit(y, r, memory_order_relaxed);\n}\n"
               "P1(atomic_int *x, atomic_int *y) {\n int r = atomic_load_explicit(y, memory_order_relaxed);\n"
               " atomic_store_explicit(x, r, memory_order_relaxed);\n}\n" +
               condition;
    };
    for (const char* way : {"r != 0", "r > 5"}) {
        const loaded_test t = load_test({"t.litmus", text(way, "exists (0:s=1)")}, 2);
        CHECK(verdict(t.text, simulate(t.text, t.what, model::load("c11", {}), {})) == "inconclusive");
        const loaded_test all = load_test({"t.litmus", text(way, "forall (0:s=0)")}, 2);
        CHECK(verdict(all.text, simulate(all.text, all.what, model::load("c11", {}), {})) == "inconclusive");
    }
    for (const char* way : {"r == 0", "r < 6"}) {
        const loaded_test t = load_test({"t.litmus", text(way, "exists (0:s=0)")}, 2);
        CHECK(verdict(t.text, simulate(t.text, t.what, model::load("c11", {}), {})) == "inconclusive");
        const loaded_test all = load_test({"t.litmus", text(way, "forall (0:s=1)")}, 2);
        CHECK(verdict(all.text, simulate(all.text, all.what, model::load("c11", {}), {})) == "inconclusive");
    }
}

TEST_CASE("a test with an address that is computed, and lies beside a location, is refused") {
    const std::string text =
        "AArch64 T\n{ 0:X1=x; x=3; }\n P0 ;\n LDR W2,[X1,#4] ;\n MOV W3,#1 ;\nexists (0:X3=1)";
    CHECK_THROWS_WITH(run(text, "aarch64"), Catch::Contains("outside of its 4 bytes"));
}
