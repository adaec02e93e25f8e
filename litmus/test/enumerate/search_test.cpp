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

TEST_CASE("eight hundred threads end when the time is out, whatever they do") {
    const auto search = [](const std::string& even, const std::string& odd, const char* name) {
        std::string names, code;
        for (int t = 0; t < 800; ++t) {
            names += (t ? " | P" : " P") + std::to_string(t);
            code += (t ? " | " : " ") + (t % 2 == 0 ? even : odd);
        }
        limits l;
        l.seconds = 0.05;
        return run("X86 T\n{ }\n" + names + " ;\n" + code + " ;\nexists (x=1)", name, l);
    };
    CHECK_FALSE(search("MOV [x],$1", "MOV [x],$2", "x86-tso").complete);
    CHECK_FALSE(search("MOV [x],$1", "MOV EAX,[x]", "x86-tso").complete);
    CHECK_FALSE(search("MOV [x],$1", "MOV EAX,[x]", "sc").complete);
}

TEST_CASE("more final states than are kept make the result inconclusive, with the reason") {
    limits l;
    l.most_states = 3;
    const simulation s = run(store_buffering, "x86-tso", l);
    CHECK_FALSE(s.complete);
    CHECK(s.states.size() == 3);
    const loaded_test t = load_test({"t.litmus", store_buffering}, 2);
    CHECK(to_log(t.text, "x86-tso", s).find("(more than 3 final states)") != std::string::npos);
    l.most_states = 4;
    CHECK(run(store_buffering, "x86-tso", l).complete);
}

TEST_CASE("a test whose paths were not found in time is inconclusive") {
    const loaded_test t = load_test({"t.litmus", store_buffering}, 2);
    const simulation s = not_simulated(t.text, 2);
    CHECK(verdict(t.text, s) == "inconclusive");
    CHECK(to_log(t.text, "sc", s).find("Observation SB Inconclusive 0 0 (the time ran out)") !=
          std::string::npos);
    CHECK(to_json(t.text, "sc", s)["observation"].is_null());
}

namespace {

/// A model file for as long as a test needs it.
struct model_file {
    explicit model_file(const std::string& text) { std::ofstream(path) << "\"m\"\n" << text; }
    ~model_file() { std::filesystem::remove(path); }
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("model-" + std::to_string(getpid()) + ".cat");
};

const std::string four_accesses = "X86 T\n{ }\n P0         | P1          ;\n MOV [x],$1 | MOV EAX,[x] ;\n"
                                  " MOV [x],$2 | MOV EBX,[x] ;\nexists (1:EAX=2 /\\ 1:EBX=1)";

} // namespace

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

TEST_CASE("with ~exists the witnesses are those of the whole condition, as in the hardware's log") {
    std::string text = store_buffering;
    text.replace(text.rfind("exists"), 6, "~exists");
    const loaded_test t = load_test({"t.litmus", text}, 2);
    const simulation s = simulate(t.text, t.what, model::load("x86-tso", {}), {});
    const std::string log = to_log(t.text, "x86-tso", s);
    CHECK(log.find("Test SB Forbidden\n") == 0);
    CHECK(log.find("\nNo\nWitnesses\nPositive: 3 Negative: 1\n") != std::string::npos);
    CHECK(log.find("\nObservation SB Sometimes 1 3\n") != std::string::npos);
    CHECK(verdict(t.text, s) == "refuted");
    text.replace(text.rfind("~exists"), 7, "forall");
    const loaded_test all = load_test({"t.litmus", text}, 2);
    CHECK(to_log(all.text, "x86-tso", simulate(all.text, all.what, model::load("x86-tso", {}), {}))
              .find("Test SB Required\n") == 0);
}

TEST_CASE("undefined behaviour and flags have lines of their own") {
    const loaded_test t = load_test({"t.litmus", store_buffering}, 2);
    const model_file flags("include \"cos.cat\"\nflag ~empty rf as reads\nflag empty rf as none\n"
                           "undefined_unless empty rf as race\nundefined_unless ~empty rf as fine\n");
    const simulation s = simulate(t.text, t.what, model::load(flags.path.string(), {}), {});
    CHECK(s.flags == std::set<std::string>{"reads", "undefined:race"});
    const std::string log = to_log(t.text, "m", s);
    CHECK(log.find("\nFlag reads\nUndefined race\nCondition") != std::string::npos);
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

TEST_CASE("an address that is computed leads to a location or nowhere, never beside one") {
    const std::string text =
        "AArch64 T\n{ 0:X1=x; x=3; }\n P0 ;\n LDR W2,[X1,#4] ;\n MOV W3,#1 ;\nexists (0:X3=1)";
    CHECK(run(text, "aarch64").states.empty());
}

TEST_CASE("what a condition can say is what its parts say") {
    const auto positive = [](const std::string& condition) {
        return run(store_buffering.substr(0, store_buffering.find("exists")) + condition, "sc").positive;
    };
    CHECK(positive("exists (0:EAX=1)") == 2);
    CHECK(positive("exists (0:EAX!=1)") == 1);
    CHECK(positive("exists (0:EAX=1 /\\ 1:EAX=1)") == 1);
    CHECK(positive("exists (0:EAX=1 \\/ 1:EAX=1)") == 3);
    CHECK(positive("exists (0:EAX=1 => 1:EAX=1)") == 2);
    CHECK(positive("exists (0:EAX=0 => 1:EAX=1)") == 3);
    CHECK(positive("exists (not (0:EAX=1))") == 1);
    CHECK(positive("exists (true)") == 3);
    CHECK(positive("exists (false)") == 0);
}
