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

TEST_CASE("settings are tried briefly, unless one is given or none is to be tried") {
    const std::string test = " " + tests + "/x86/SB.litmus";
    const ran r = run("--hardware --quiet -r 2" + test);
    if (r.code == 77) return;
    CHECK(r.code == 0);
    CHECK(r.out.find("Tuned SB -s ") != std::string::npos);
    CHECK(r.out.find("7 settings tried") != std::string::npos);
    CHECK(r.out.find("Positive: ") != std::string::npos);
    for (const char* given : {"-s 100", "--no-tune", "--flush", "--sync user", "--no-touch"})
        CHECK(run("--hardware --quiet -r 2 " + std::string(given) + test).out.find("Tuned") ==
              std::string::npos);
    CHECK(run("--hardware --tune --no-tune" + test).code == 2);
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
