// SPDX-License-Identifier: Apache-2.0
// Runs the real binary: exit codes, what is told where, and the JSON document.
#include "binary.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <thread>

using namespace ringproof::litmus::test;

namespace {

const std::string tests = RINGPROOF_LITMUS_TESTS;
const std::string brief = "--hardware --quiet -r 4 -s 200 ";
constexpr const char* bad = "X86 BAD\n{ }\n P0 ;\n MOVNTI [x],EAX ;\nexists (x=1)\n";

} // namespace

TEST_CASE("a test is run and logged, and an outcome that the model allows is no alarm") {
    const ran r = run(brief + tests + "/x86/SB.litmus");
    CHECK(r.code == 0);
    CHECK(r.out.find("Test SB Allowed\nHistogram (") == 0);
    CHECK(r.out.find("\nObservation SB ") != std::string::npos);
    CHECK(r.out.find("\nModel x86-tso allows 4 states, ") != std::string::npos);
    CHECK(r.err == "");
}

TEST_CASE("more threads than CPUs: the run ends, also on one CPU") {
    const ran all = run(brief + tests + "/x86/IRIW.litmus");
    CHECK(all.code == 0);
    CHECK(all.out.find("Observation IRIW Never 0 800") != std::string::npos);
    if (std::system("command -v taskset >/dev/null") != 0) return;
    const ran one =
        run(brief + tests + "/x86/IRIW.litmus", "cpu=$(taskset -pc $$ | sed 's/.*[ ,-]//'); taskset -c $cpu");
    CHECK(one.code == 0);
    CHECK(one.out.find("Observation IRIW Never 0 800") != std::string::npos);
}

TEST_CASE("a bad file is named with line and column, and does not stop the others") {
    const folder f;
    f.write("a.litmus", bad);
    f.write("sub/b.litmus", slurp(tests + "/x86/SB.litmus"));
    f.write("sub/not-a-test.txt", "whatever");
    const ran r = run(brief + f.path.string() + " --json " + (f.path / "out.json").string());
    CHECK(r.code == 2);
    CHECK(r.err.find("a.litmus:4:2: instruction 'movnti' is not supported\n   MOVNTI [x],EAX ;\n   ^\n") !=
          std::string::npos);
    CHECK(r.out.find("Observation SB ") != std::string::npos);
    const auto document = nlohmann::json::parse(slurp(f.path / "out.json"));
    REQUIRE(document["results"].size() == 2);
    CHECK(document["results"][0]["verdict"] == "error");
    CHECK(document["results"][0]["line"] == 4);
    CHECK(document["results"][1]["verdict"] == "consistent");
}

TEST_CASE("two tests of one name are both run") {
    const folder f;
    f.write("a.litmus", slurp(tests + "/x86/SB.litmus"));
    f.write("b.litmus", slurp(tests + "/x86/SB.litmus"));
    const ran r = run(brief + f.path.string());
    CHECK(r.out.find("Observation SB ") != r.out.rfind("Observation SB "));
}

TEST_CASE("the JSON document tells what was run, how, and every state") {
    const folder f;
    const std::string json = (f.path / "out.json").string();
    REQUIRE(run(brief + "--seed 5 --json " + json + " " + tests + "/x86/MP.litmus").code == 0);
    const auto document = nlohmann::json::parse(slurp(json));
    CHECK(document["schema"] == "ringproof-litmus/1");
    REQUIRE(document["results"].size() == 1);
    const auto& result = document["results"][0];
    CHECK(result["name"] == "MP");
    CHECK(result["engine"] == "hardware");
    CHECK(result["verdict"] == "consistent");
    CHECK(result["iterations"] == 800);
    CHECK(result["positive"].get<int>() + result["negative"].get<int>() == 800);
    int total = 0;
    for (const auto& state : result["states"]) total += state["count"].get<int>();
    CHECK(total == 800);
}

TEST_CASE("wrong use ends with 2 and says what is right") {
    CHECK(run("").code == 2);
    CHECK(run("--hardware --no-such-option x").code == 2);
    CHECK(run("--hardware --affinity nonsense x").code == 2);
    CHECK(run("--hardware -s 0 x").code == 2);
    const ran missing = run(brief + "/no/such/file.litmus");
    CHECK(missing.code == 2);
    CHECK(missing.err.find("/no/such/file.litmus: cannot read: No such file") == 0);
    CHECK(run("--model no-such-model " + tests + "/x86/SB.litmus").code == 2);
    const folder f;
    const ran other = run(brief + f.write("c.litmus", "MIPS T\n{ }\n P0 ;\n NOP ;\nexists (x=1)"));
    CHECK(other.code == 2);
    CHECK(other.err.find("c.litmus:1:1: dialect 'MIPS' is not supported") != std::string::npos);
}

TEST_CASE("an outcome seen that the model forbids is an alarm: exit code 1, and the test is printed") {
    // A model that forbids every outcome: whatever the machine shows, on a loaded one too, is too much.
    const folder f;
    const std::string nothing = f.write("nothing.cat", "\"nothing\"\nempty W as no_stores\n");
    const ran r = run(brief + "-m " + nothing + " " + tests + "/x86/SB.litmus");
    if (r.code == 77) return; // no x86
    CHECK(r.code == 1);
    CHECK(r.err.find("SB.litmus: ALARM: seen on this machine although nothing forbids it:\n  0:EAX=") !=
          std::string::npos);
    CHECK(r.err.find("MOV EAX,[y]") != std::string::npos);
    CHECK(run("--hardware -m sc -m x86-tso " + tests + "/x86/SB.litmus").code == 2);
    CHECK(run("--hardware -m no-such-model " + tests + "/x86/SB.litmus").code == 2);
}

TEST_CASE("tests in C run on the machine, and a data race allows everything") {
    const ran r = run(brief + tests + "/perf-ring/c11/ring-full+acq-rel-acq-rel.litmus " + tests +
                      "/perf-ring/lkmm/ring-MP-plain+wmb+none.litmus");
    CHECK(r.code == 0);
    CHECK(r.out.find("Observation ring-full+acq-rel-acq-rel Never") != std::string::npos);
    CHECK(r.out.find("Model c11 allows 2 states") != std::string::npos);
    CHECK(r.out.find("Note ring-MP-plain+wmb+none lkmm finds a data race") != std::string::npos);
}

TEST_CASE("AArch64 runs on its own machine, or in an emulator that is named as no evidence") {
    const folder f;
    const std::string json = (f.path / "out.json").string();
    const ran r =
        run(brief + "--json " + json + " " + tests + "/perf-ring/aarch64/ring-MP+none+ldapr.litmus");
    if (r.code == 77) {
        CHECK(r.err.find("gcc-aarch64-linux-gnu") != std::string::npos);
        return;
    }
    CHECK(r.code == 0);
    CHECK(r.out.find("Observation ring-MP+none+ldapr") != std::string::npos);
    const auto result = nlohmann::json::parse(slurp(json))["results"][0];
    const bool emulated = result["engine"] == "emulator";
    CHECK((r.out.find("an emulator: no evidence") != std::string::npos) == emulated);
}

TEST_CASE("tuning tells which settings it found, and runs with them") {
    const ran r = run("--hardware --quiet --tune --tune-time 0.001 -r 2 -s 100 " + tests + "/x86/SB.litmus");
    if (r.code == 77) return;
    CHECK(r.code == 0);
    CHECK(r.out.find("Tuned SB -s ") != std::string::npos);
    CHECK(r.out.find("Speed SB ") != std::string::npos);
}

TEST_CASE("tests of another machine are skipped, said once, and end with 77 only if nothing ran") {
    const std::string riscv = "/perf-ring/riscv/ring-full+ctrl-f.w.w-f.r.r-";
    const std::string two = tests + riscv + "f.rw.rw.litmus " + tests + riscv + "none.litmus";
    const ran none = run(brief + two);
    CHECK(none.code == 77);
    CHECK(none.err.find("f.rw.rw.litmus: skipped: tests of dialect RISCV") != std::string::npos);
    CHECK(none.err.find("none.litmus: skipped") == std::string::npos);
    CHECK(none.err.find("skipped: 2 tests: tests of dialect RISCV") != std::string::npos);
    const ran some = run(brief + two + " " + tests + "/x86/SB.litmus");
    CHECK((some.code == 0 || some.code == 77));
    CHECK((some.out.find("Observation SB") != std::string::npos) == (some.code == 0));
}

TEST_CASE("barriers prints the table, or writes it as Markdown, JSON and tests") {
    const ran text = run("barriers");
    CHECK(text.code == 0);
    CHECK(text.out.find("AArch64") != std::string::npos);
    const folder f;
    const std::string json = (f.path / "b.json").string();
    CHECK(run("barriers --quiet --markdown - --json " + json + " --tests " + f.path.string())
              .out.rfind("| machine | A | B | C | D |", 0) == 0);
    const auto document = nlohmann::json::parse(slurp(json));
    CHECK(document["schema"] == "ringproof-barriers/1");
    CHECK(document["results"].size() == 9);
    CHECK(fs::exists(f.path / "expected.tsv"));
    CHECK(run("barriers --nonsense").code == 2);
    CHECK(run("barriers --json /no/such/folder/b.json").code == 2);
}

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

TEST_CASE("help ends with 0") {
    const ran r = run("--help");
    CHECK(r.code == 0);
    CHECK(r.out.find("--hardware") != std::string::npos);
}

TEST_CASE("an affinity that the machine does not have ends with 77, others run") {
    const ran r = run(brief + "--affinity package " + tests + "/x86/SB.litmus");
    CHECK((r.code == 0 || r.code == 77));
    CHECK((r.code == 77) == (r.err.find("--affinity package") != std::string::npos));
    CHECK(run(brief + "--affinity none " + tests + "/x86/SB.litmus").code == 0);
}

TEST_CASE("a folder without tests ends with 5") {
    const folder f;
    CHECK(run(brief + f.path.string()).code == 5);
}

TEST_CASE("a missing compiler ends with 2 and is named") {
    const ran r = run(brief + tests + "/x86/SB.litmus", "CXX=no-such-compiler");
    CHECK(r.code == 2);
    CHECK(r.err.find("'no-such-compiler' was not found") != std::string::npos);
}

TEST_CASE("nothing is left in the temporary folder") {
    const folder f;
    REQUIRE(run(brief + tests + "/x86/SB.litmus", "TMPDIR='" + f.path.string() + "'").code == 0);
    CHECK(fs::is_empty(f.path));
}

TEST_CASE("an interruption ends with 130 and a document of what was done") {
    const folder f;
    const std::string json = (f.path / "out.json").string();
    const ran r = run("--hardware --quiet --time 3600 --json " + json + " " + tests + "/x86/SB.litmus",
                      "timeout --preserve-status -s INT 3");
    CHECK(r.code == 130);
    const auto document = nlohmann::json::parse(slurp(json));
    // Where compiling took longer than that, there is no result yet.
    for (const auto& result : document["results"]) CHECK(result["iterations"].get<std::uint64_t>() > 0);
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

TEST_CASE("every X86 test of the yardsticks parses and runs") {
    const fs::path yardsticks = fs::path(RINGPROOF_SHARED) / "yardsticks/litmus";
    if (!fs::is_directory(yardsticks / "x86")) {
        WARN("skipped: " << yardsticks.string() << " is not here");
        return;
    }
    // Each test is compiled, which takes its time: all are parsed by the operational tests, a few run here.
    const ran r = run(brief + (yardsticks / "x86/herd-catalogue").string() + " " +
                      (yardsticks / "perf-ring/x86").string());
    CHECK(r.code == 0);
    CHECK(r.err == "");
}
