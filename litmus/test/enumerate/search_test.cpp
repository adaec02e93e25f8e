// SPDX-License-Identifier: Apache-2.0
// The simulator against executions that are known, and against itself without pruning.
#include "../../src/enumerate/report.hpp"
#include "../../src/frontend/front_ends.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace ringproof::litmus;

namespace {

simulation run(const std::string& text, const std::string& model_name, limits l = {}) {
    const loaded_test t = load_test({"t.litmus", text}, 2);
    return simulate(t.text, t.what, model::load(model_name, {}), l);
}

const std::string store_buffering =
    "X86 SB\n{ }\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n"
    " MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)";

std::string load_buffering(const std::string& between) {
    return "C LB\n{ }\nP0(atomic_int *x, atomic_int *y) {\n int r = atomic_load_explicit(x, "
           "memory_order_relaxed);\n" +
           between +
           "}\nP1(atomic_int *x, atomic_int *y) {\n int r = atomic_load_explicit(y, memory_order_relaxed);\n"
           " atomic_store_explicit(x, r, memory_order_relaxed);\n}\nexists (0:r=1 /\\ 1:r=1)";
}

} // namespace

TEST_CASE("store buffering is what TSO has and sequential consistency has not") {
    const simulation sc = run(store_buffering, "sc"), tso = run(store_buffering, "x86-tso");
    CHECK(sc.positive == 0);
    CHECK(sc.states.size() == 3);
    CHECK(tso.positive == 1);
    CHECK(tso.states.size() == 4);
}

TEST_CASE("load buffering divides C11 from RC11, and values out of thin air are nobody's") {
    const std::string plain = load_buffering(" atomic_store_explicit(y, 1, memory_order_relaxed);\n");
    CHECK(run(plain, "c11").positive == 1);
    CHECK(run(plain, "rc11").positive == 0);
    const std::string thin_air = load_buffering(" atomic_store_explicit(y, r, memory_order_relaxed);\n");
    CHECK(run(thin_air, "c11").positive == 0);
    CHECK(run(thin_air, "c11").thin_air);
    CHECK_FALSE(run(thin_air, "rc11").thin_air); // po | rf is acyclic there: asked, and forbidden
    CHECK_FALSE(run(plain, "c11").thin_air);
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

TEST_CASE("the log and the document say what is not counted because it is out of thin air") {
    const loaded_test t =
        load_test({"t.litmus", load_buffering(" atomic_store_explicit(y, r, memory_order_relaxed);\n")}, 2);
    const simulation s = simulate(t.text, t.what, model::load("c11", {}), {});
    CHECK(to_log(t.text, "c11", s)
              .find("\nThinAir LB the model allows executions whose values only justify each "
                    "other; they are not counted, and one could decide the condition") != std::string::npos);
    CHECK(to_json(t.text, "c11", s)["thin_air"] ==
          nlohmann::ordered_json({{"allowed", true}, {"could_satisfy", true}, {"could_violate", true}}));
    const simulation none = simulate(t.text, t.what, model::load("rc11", {}), {});
    CHECK(to_log(t.text, "rc11", none).find("ThinAir") == std::string::npos);
    CHECK(to_json(t.text, "rc11", none)["thin_air"]["allowed"] == false);
}

TEST_CASE("pointers that are loaded lead where they point") {
    const std::string text =
        "C T\n{ int *p=&x; int x=1; int y=2; }\nP0(int *p, int *y) {\n rcu_assign_pointer(*p, y);\n}\n"
        "P1(int *p) {\n int *r = rcu_dereference(*p);\n int s = READ_ONCE(*r);\n}\nexists (1:r=x /\\ 1:s=1)";
    const simulation s = run(text, "lkmm");
    REQUIRE(s.states.size() == 2);
    CHECK(state_text(s, s.states[0]) == "1:r=x; 1:s=1;");
    CHECK(state_text(s, s.states[1]) == "1:r=y; 1:s=2;");
    CHECK(s.positive == 1);
}

TEST_CASE("the log has herd7's lines, the document the same facts") {
    const loaded_test t = load_test({"t.litmus", store_buffering}, 2);
    const simulation s = simulate(t.text, t.what, model::load("sc", {}), {});
    const std::string log = to_log(t.text, "sc", s);
    CHECK(
        log.find(
            "Test SB Allowed\nStates 3\n0:EAX=0; 1:EAX=1;\n0:EAX=1; 1:EAX=0;\n0:EAX=1; "
            "1:EAX=1;\nNo\nWitnesses\n"
            "Positive: 0 Negative: 3\nCondition exists (0:EAX=0 /\\ 1:EAX=0)\nObservation SB Never 0 3\n") ==
        0);
    const auto j = to_json(t.text, "sc", s);
    CHECK(j["engine"] == "simulator");
    CHECK(j["observation"] == "Never");
    CHECK(j["states"].size() == 3);
    CHECK(j["verdict"] == "observed");
}

TEST_CASE("when the time is out the verdict is inconclusive, and never silence") {
    std::string text = "C T\n{ }\n";
    for (int t = 0; t < 9; ++t)
        text += "P" + std::to_string(t) + "(int *x) { WRITE_ONCE(*x, " + std::to_string(t + 1) + "); }\n";
    const std::atomic<bool> interrupted{true};
    limits l;
    l.interrupted = &interrupted;
    const loaded_test t = load_test({"t.litmus", text + "forall (x=1)"}, 2);
    const simulation s = simulate(t.text, t.what, model::load("lkmm", {}), l);
    CHECK_FALSE(s.complete);
    CHECK(verdict(t.text, s) == (s.negative ? "refuted" : "inconclusive"));
    CHECK(to_log(t.text, "lkmm", s).find("Inconclusive") != std::string::npos);
}

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
