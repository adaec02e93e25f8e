// SPDX-License-Identifier: Apache-2.0
// Runs the real binary as a simulator: exit codes, what is told where, and the JSON document.
#include "binary.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus::test;

namespace {

const std::string tests = RINGPROOF_LITMUS_TESTS;

} // namespace

TEST_CASE("without --hardware a test is simulated under its dialect's model, or under those named") {
    const ran r = run("--quiet " + tests + "/x86/SB.litmus");
    CHECK(r.code == 0);
    CHECK(r.out.find("Observation SB Sometimes 1 3\nModel x86-tso\n") != std::string::npos);
    const folder f;
    const fs::path json = f.path / "r.json";
    const ran two =
        run("--quiet -m sc -m x86-tso --json '" + json.string() + "' " + tests + "/x86/SB.litmus");
    CHECK(two.out.find("Observation SB Never 0 3\nModel sc\n") != std::string::npos);
    const auto document = nlohmann::json::parse(slurp(json));
    REQUIRE(document["results"].size() == 2);
    CHECK(document["results"][0]["engine"] == "simulator");
    CHECK(document["results"][0]["observation"] == "Never");
    CHECK(document["results"][1]["observation"] == "Sometimes");
}

TEST_CASE(
    "a claim that the model refutes ends with 1, a bad file or model with 2 and the place, others go on") {
    const folder f;
    const std::string code = "X86 T\n{ }\n P0 ;\n MOV [x],$1 ;\n";
    CHECK(run("--quiet " + f.write("refuted.litmus", code + "~exists (x=1)")).code == 1);
    CHECK(run("--quiet " + f.write("holds.litmus", code + "forall (x=1)")).code == 0);
    const ran mixed =
        run("--quiet --jobs 2 " + f.write("a.litmus", "X86 T\n{ }\n P0 ;\n MOV [x] ;\nexists (x=1)") + " " +
            f.write("b.litmus", code + "exists (x=1)"));
    CHECK(mixed.code == 2);
    CHECK(mixed.err.find("a.litmus:4:") != std::string::npos);
    CHECK(mixed.out.find("Observation T Always 1 0") != std::string::npos);
    const ran model = run("-m " + f.write("m.cat", "\"m\"\nacyclic po |\n") + " " + tests + "/x86/SB.litmus");
    CHECK(model.code == 2);
    CHECK(model.err.find("m.cat:3:1: expected an expression, found the end") != std::string::npos);
}

TEST_CASE("two tests of one name are both simulated") {
    const folder f;
    const std::string code = "X86 T\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)";
    const std::string one = f.write("one.litmus", code), two = f.write("two.litmus", code);
    const std::string out = run("--quiet " + one + " " + two).out;
    CHECK(out.find("Test T Allowed") != out.rfind("Test T Allowed"));
}

namespace {

/// Five threads that write and read two locations: more executions than anybody waits for.
std::string endless() {
    std::string code = "C endless\n{}\n";
    for (int t = 0; t < 5; ++t) {
        code += "P" + std::to_string(t) + "(int *x, int *y) {\n";
        for (int k = 0; k < 3; ++k)
            code += "  WRITE_ONCE(*x, " + std::to_string(10 * t + k + 1) + "); int a" + std::to_string(k) +
                    " = READ_ONCE(*y); WRITE_ONCE(*y, " + std::to_string(10 * t + k + 1) + ");\n";
        code += "}\n";
    }
    return code + "~exists (0:a0=-1)\n";
}

} // namespace

TEST_CASE("a simulation that runs out of time is inconclusive and says so, in the log, the document and the "
          "exit code") {
    const folder f;
    const std::string json = (f.path / "out.json").string();
    const ran r = run("--quiet --time 0.05 --json " + json + " " + f.write("endless.litmus", endless()));
    CHECK(r.code == 4);
    CHECK(r.out.find("Observation endless Inconclusive ") != std::string::npos);
    CHECK(r.out.find("(the time ran out)") != std::string::npos);
    CHECK(nlohmann::json::parse(slurp(json))["results"][0]["verdict"] == "inconclusive");
}

TEST_CASE("a Never that executions out of thin air could contradict ends with 4") {
    const folder f;
    const std::string file = f.write(
        "lb.litmus",
        "C lb\n{}\nP0(atomic_int *x, atomic_int *y) { int r = atomic_load_explicit(x, memory_order_relaxed);"
        " atomic_store_explicit(y, r, memory_order_relaxed); }\n"
        "P1(atomic_int *x, atomic_int *y) { int r = atomic_load_explicit(y, memory_order_relaxed);"
        " atomic_store_explicit(x, r, memory_order_relaxed); }\nexists (0:r=1)\n");
    const ran open = run("--quiet -m c11 " + file);
    CHECK(open.code == 4);
    CHECK(open.out.find("ThinAir lb ") != std::string::npos);
    CHECK(run("--quiet -m rc11 " + file).code == 0);
}

TEST_CASE("a model whose let rec never settles is bad input, with the place, and not an endless run") {
    const folder f;
    const ran r =
        run("--quiet --cat " + f.write("alternates.cat", "\"m\"\nlet rec a = po \\ a\nacyclic a as a\n") +
            " " + tests + "/x86/SB.litmus");
    CHECK(r.code == 2);
    CHECK(r.err.find("alternates.cat:2:9: this let rec has no fixed point") != std::string::npos);
}

TEST_CASE("a test whose set-up takes longer than its time is inconclusive") {
    const folder f;
    std::string text = "X86 setup\n{ }\n P0 ;\n";
    for (int k = 0; k < 15; ++k) {
        const std::string n = std::to_string(k);
        text += " MOV EAX,[x] ;\n CMP EAX,$" + n + " ;\n JE L" + n + " ;\n L" + n + ": ;\n";
    }
    for (int k = 0; k < 1500; ++k) text += " ADD EBX,$1 ;\n";
    const ran r = run("--quiet --time 0.01 " + f.write("setup.litmus", text + "exists (x=1)\n"));
    CHECK(r.code == 4);
    CHECK(r.out.find("Observation setup Inconclusive 0 0 (the time ran out)") != std::string::npos);
}

TEST_CASE("an interrupted simulation ends with 130 and a document") {
    const folder f;
    const std::string json = (f.path / "out.json").string();
    const ran r = run("--quiet --json " + json + " " + f.write("endless.litmus", endless()),
                      "timeout --preserve-status -s INT 2");
    CHECK(r.code == 130);
    CHECK(nlohmann::json::parse(slurp(json))["results"][0]["verdict"] == "inconclusive");
}

TEST_CASE("how often loops went round is printed where that mattered, and only there") {
    const folder f;
    const std::string loop =
        "C loop\n{}\nP0(int *x) { int r = READ_ONCE(*x); while (r == 0) { r = READ_ONCE(*x); } }\n"
        "P1(int *x) { WRITE_ONCE(*x, 1); }\nexists (0:r=1)\n";
    const std::string file = f.write("loop.litmus", loop);
    CHECK(run("--quiet " + file).out.find("Bound loop loops went round at most 2 times") !=
          std::string::npos);
    CHECK(run("--quiet --unroll 5 " + file).out.find("at most 5 times") != std::string::npos);
    CHECK(run("--quiet " + tests + "/x86/SB.litmus").out.find("Bound") == std::string::npos);
}

TEST_CASE("a test of which no execution ends within the bound is inconclusive") {
    const folder f;
    const std::string never =
        "C never\n{}\nP0(int *x) { int r = 0; while (r == 0) { r = READ_ONCE(*x) & 0; } }\n~exists (x=1)\n";
    const ran r = run("--quiet " + f.write("never.litmus", never));
    CHECK(r.code == 4);
    CHECK(r.out.find("Observation never Inconclusive 0 0 (no execution ends within the bound)") !=
          std::string::npos);
}

TEST_CASE(
    "more events in a thread than are supported are an error with the place, not a test without executions") {
    const folder f;
    const auto rows = [&](int n) {
        std::string text = "X86 rows\n{ }\n P0 | P1 ;\n";
        for (int i = 0; i < n; ++i) text += " MOV [x],$1 | ;\n";
        return run("--quiet " + f.write("rows.litmus", text + "exists (x=1)\n"));
    };
    CHECK(rows(64).code == 0);
    const ran r = rows(65);
    CHECK(r.code == 2);
    CHECK(r.err.find("rows.litmus:68:2: a thread has more than 64 events: not supported") !=
          std::string::npos);
}

TEST_CASE(
    "what is no test is an error with a place and a caret: empty, cut off, binary, an unknown instruction") {
    const folder f;
    const auto error = [&](const std::string& text) {
        const ran r = run("--quiet " + f.write("bad.litmus", text));
        CHECK(r.code == 2);
        CHECK(r.out == "");
        CHECK(r.err.find("bad.litmus:") != std::string::npos);
        CHECK(r.err.find("^") != std::string::npos);
        return r.err;
    };
    error("");
    error("X86 T\n{ x=0;");
    error(std::string("\0\1\2\xff", 4));
    CHECK(error("AArch64 T\n{ 0:X1=x; }\n P0 ;\n LDGX X0,X2,[X1] ;\nexists (0:X0=0)\n")
              .find("bad.litmus:4:2: instruction 'ldgx' is not supported\n   LDGX X0,X2,[X1] ;\n   ^") !=
          std::string::npos);
    CHECK(run("--quiet " + (f.path / "absent.litmus").string()).code == 2);
}

TEST_CASE("executions are drawn as pictures and data, the same each time, whatever --jobs is") {
    const folder f;
    const std::string one = (f.path / "1").string(), two = (f.path / "2").string();
    const std::string files = tests + "/x86 " + tests + "/perf-ring/c11";
    CHECK(run("--quiet --show graph -o " + one + " " + files).code == 0);
    CHECK(run("--quiet --show graph --jobs 2 -o " + two + " " + files).code == 0);
    std::size_t count = 0;
    for (const auto& file : fs::directory_iterator(one)) {
        CHECK(slurp(file.path()) == slurp(fs::path(two) / file.path().filename()));
        ++count;
    }
    CHECK(count > 20);
    const auto drawn = nlohmann::json::parse(slurp(fs::path(one) / "SB.x86-tso.json"));
    CHECK(drawn["witness"] == true);
    CHECK(drawn["relations"]["fr"].size() == 2);
    CHECK(slurp(fs::path(one) / "SB.x86-tso.svg").find("<svg") == 0);
    CHECK(run("--quiet --show graph -o /dev/null/x " + tests + "/x86/SB.litmus").code == 2);
}

TEST_CASE("a macro file, a bell file and a model of the user's run together") {
    const folder f;
    const std::string test = f.write("t.litmus", "C T\n{}\nP0(int *x) { put(x, 1); }\nforall (x=1)\n");
    const std::string macros = f.write("m.def", "put(X,V) { __store{loudly}(*X,V); }\n");
    const std::string bell = f.write("m.bell", "\"b\"\nenum Accesses = 'loudly || 'quietly\n");
    const std::string cat =
        f.write("m.cat", "\"m\"\nflag ~empty Loudly as heard\nflag ~empty Quietly as unheard\n");
    const ran r = run("--quiet --macros " + macros + " --bell " + bell + " --cat " + cat + " " + test);
    CHECK(r.code == 0);
    CHECK(r.out.find("Flag heard\n") != std::string::npos);
    CHECK(r.out.find("unheard") == std::string::npos);
    CHECK(run("--quiet --macros " + f.write("bad.def", "put(\n") + " " + test).code == 2);
}

TEST_CASE("standard input is a test, @FILE a list of tests, and --json - writes nothing else") {
    const folder f;
    const std::string list =
        f.write("list", "# two\n" + tests + "/x86/SB.litmus\n\n" + tests + "/x86/MP.litmus\n");
    const ran listed = run("--quiet --json - @" + list);
    CHECK(listed.code == 0);
    const auto document = nlohmann::json::parse(listed.out); // a log before it would be no JSON
    REQUIRE(document["results"].size() == 2);
    CHECK(document["results"][1]["name"] == "MP");
    const ran given = run("--quiet -", "cat '" + tests + "/x86/SB.litmus' |");
    CHECK(given.code == 0);
    CHECK(given.out.find("Observation SB Sometimes 1 3") != std::string::npos);
    CHECK(run("--quiet - -", "echo |").code == 2);
    CHECK(run("--quiet @/no/such/list").code == 2);
}

TEST_CASE("a C test under the model of a machine is simulated with a warning") {
    const folder f;
    const std::string text = f.write("c.litmus", "C T\n{ }\nP0(int *x) { WRITE_ONCE(*x, 1); }\nexists (x=1)");
    const ran machine = run("--quiet -m aarch64 " + text), kernel = run("--quiet -m lkmm " + text);
    CHECK(machine.code == 0);
    CHECK(machine.err.find("warning: aarch64 is the model of a machine") != std::string::npos);
    CHECK(kernel.err == "");
}

TEST_CASE("the option --why names the check that fails and prints the cycle, in text and JSON") {
    const ran text = run("--quiet --why -m sc " + tests + "/x86/SB.litmus");
    CHECK(text.out.find("\nWhyNot SB check ") != std::string::npos);
    CHECK(text.out.find(" --fr-> ") != std::string::npos);
    const auto document =
        nlohmann::json::parse(run("--quiet --why --json - -m sc " + tests + "/x86/SB.litmus").out);
    const auto& why = document["results"][0]["why_not"];
    CHECK(why["test"] == "acyclic");
    CHECK(why["cycle"].size() == 4);
}

TEST_CASE("both engines print the same of the ring's tests, and the explorer refuses what it does not know") {
    for (const char* dialect : {"aarch64", "riscv"}) {
        const std::string folder_of = "--quiet --json - " + tests + "/perf-ring/" + dialect;
        auto listed = nlohmann::json::parse(run(folder_of).out)["results"];
        auto explored = nlohmann::json::parse(run("--engine explore " + folder_of).out)["results"];
        REQUIRE(listed.size() == explored.size());
        CHECK(listed.size() > 10);
        for (std::size_t i = 0; i < listed.size(); ++i) {
            CHECK(listed[i]["states"] == explored[i]["states"]);
            CHECK(listed[i]["verdict"] == explored[i]["verdict"]);
            CHECK(explored[i]["engine"] == "explorer");
        }
    }
    const ran x86 = run("--quiet --engine explore " + tests + "/x86/SB.litmus");
    CHECK(x86.code == 2);
    CHECK(x86.err.find("use --engine enumerate") != std::string::npos);
    const ran arm = run("--quiet --engine explore -m sc " + tests + "/perf-ring/aarch64");
    CHECK(arm.code == 2);
    CHECK(arm.err.find("under the model aarch64 only, not 'sc'") != std::string::npos);
    const ran why = run("--quiet --engine explore --why " + tests + "/perf-ring/aarch64");
    CHECK(why.code == 2);
    CHECK(why.err.find("does not know --why") != std::string::npos);
}
