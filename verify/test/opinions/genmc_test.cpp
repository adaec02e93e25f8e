// SPDX-License-Identifier: Apache-2.0
// The adapter of GenMC, with programs in GenMC's place that answer, hang, crash or print nonsense.

#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

const std::string adapter = RINGPROOF_GENMC_ADAPTER, verify = RINGPROOF_VERIFY;
const std::string queue = "spsc_queue: items arrive once and in order";

/// A GenMC that tells its version and does `then` with a program. Gone with the test.
class fake {
  public:
    explicit fake(const std::string& then, const std::string& version = "echo 'GenMC v0.0.1 (fake)'") {
        std::string name = (fs::temp_directory_path() / "ringproof-fake-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder_ = name;
        std::ofstream(folder_ / "genmc")
            << "#!/bin/sh\nif [ \"$1\" = --version ]; then " << version << "; exit; fi\n"
            << then << "\n";
        fs::permissions(folder_ / "genmc", fs::perms::owner_all);
        setenv("RINGPROOF_GENMC_ROOT", name.c_str(), 1);
    }
    ~fake() {
        fs::remove_all(folder_);
        unsetenv("RINGPROOF_GENMC_ROOT");
    }
    fake(const fake&) = delete;
    fake& operator=(const fake&) = delete;

  private:
    fs::path folder_;
};

std::string printing(const std::string& text) { return "cat <<'END'\n" + text + "\nEND"; }

json about() { return json::parse(run_binary({adapter, "--about"}).out); }

json ask(const std::string& scenario = queue) {
    const program_run run =
        run_binary({adapter, "--scenario", scenario, "--scheduler", "full", "--time", "1"});
    REQUIRE(run.code == 0);
    return json::parse(run.out);
}

/// What GenMC prints when it has found nothing.
std::string clean(const char* complete) {
    return printing(
        "GenMC v0.0.1\n*** Verification complete.\nNo errors were detected.\nNumber of complete executions "
        "explored: " +
        std::string(complete) + "\nNumber of blocked executions seen: 2\nTotal wall-clock time: 0.1s");
}

const std::string an_error =
    printing("Error: Non-atomic race!\nEvent (0, 9) conflicts with event (1, 4) in graph:\n"
             "<-1, 0> main:\n\t(0, 8): Rna (head, 1) [INIT] L.42\n\t(0, 9): Rna (slots[1], 0) L.43\n"
             "*** Verification unsuccessful.\nNumber of complete executions explored: 3\n") +
    "\nexit 42";

} // namespace

TEST_CASE("GenMC's executions are counted, and those that block beside them") {
    const fake genmc(clean("5"));
    const json said = ask();
    CHECK(said.at("bug") == false);
    CHECK(said.at("finished") == true);
    CHECK(said.at("executions") == 5);
    CHECK(said.at("runs") == 7);
    CHECK(said.at("words") == "GenMC 0.0.1 on spsc_queue.c: 5 complete, 2 blocked executions");
}

TEST_CASE("GenMC's error is told in its words, with its place and history") {
    const fake genmc(an_error);
    const json said = ask();
    CHECK(said.at("bug") == true);
    CHECK(said.at("words") == "Non-atomic race");
    CHECK(said.at("runs") == 4);
    CHECK(said.at("place") == "spsc_queue.c:43");
    CHECK_THAT(said.at("history").get<std::string>(), Contains("conflicts with event"));
}

TEST_CASE("GenMC gets the C program of the scenario, with the letter relaxed that the scenario relaxes") {
    const fake genmc("for last; do :; done\nhead -n 1 \"$last\" >/dev/null || exit 3\n"
                     "echo \"Error: $* $(ls \"$(dirname \"$last\")\" | tr '\\n' ' ')!\"");
    const std::string said = ask("recorder, J relaxed").at("words");
    CHECK_THAT(said, Contains("--rc11 ") && Contains(" -- -DFENCES=0 -DWITHOUT=letter_j /") &&
                         Contains("/recorder.c ") && Contains("barriers.h"));
}

TEST_CASE("where failed attempts are counted, GenMC is told to, and its answer says so") {
    const auto words_of = [](const std::string& scenario, const std::string& answer) {
        const fake genmc(answer);
        return ask(scenario).at("words").get<std::string>();
    };
    const std::string counted = "ring, shared, refuse, fences: accounted for",
                      telling = "echo \"Error: $*!\"";
    CHECK_THAT(words_of(counted, telling), Contains("--disable-spin-assume -- -DFENCES=1 -DTRIES=1 "));
    CHECK_THAT(words_of(queue, telling), !Contains("--disable-spin-assume"));
    CHECK(words_of(counted, clean("7")) ==
          "GenMC 0.0.1 on record_ring_shared.c: 7 complete, 2 blocked executions, "
          "failed attempts counted; so are ours with --no-reduction retried-iteration");
}

TEST_CASE("a GenMC that hangs, crashes or prints nonsense has no verdict, and says so in a sentence") {
    const auto words = [](const std::string& then) {
        const fake genmc(then);
        const json said = ask();
        CHECK(said.at("runs") == 0);
        CHECK(said.at("bug") == false);
        return said.at("words").get<std::string>();
    };
    CHECK_THAT(words("sleep 100 & sleep 100"), Contains("GenMC: it did not end within 1 s and was killed"));
    CHECK_THAT(words("kill -SEGV $$"), Contains("GenMC: it was ended by signal 11"));
    CHECK_THAT(words("echo all is well"), Contains("what GenMC printed is no answer (exit code 0)"));
    CHECK_THAT(words("echo 'ring.c:1:1: error: no such order'; exit 17"), Contains("GenMC: no such order"));
    // All executions blocked: nothing was seen, whatever it calls that.
    CHECK_THAT(words(printing("No errors were detected.\nNumber of complete executions explored: 0")),
               Contains("is no answer"));
}

TEST_CASE(
    "our verdict stands beside GenMC's with both counts, and exit codes tell failures from disagreements") {
    const auto told = [](const std::string& then, const std::string& scenario, int code) {
        const fake genmc(then);
        const program_run run =
            run_binary({verify, "=" + scenario, "--model", "rc11", "--quiet", "--second-opinion", "genmc",
                        "--opinion-time", "1", "--json", "-"});
        CHECK(run.code == code);
        const json said = json::parse(run.out);
        CHECK(said.at("results").at(0).at("ok") == true);
        return said.at("opinions").at("verdicts").at(0);
    };
    const json same = told(clean("5"), queue, 0);
    CHECK(same.at("agrees") == true);
    CHECK(same.at("executions") == 5);
    CHECK(same.at("our_executions") == 5);
    CHECK_THAT(same.at("message").get<std::string>(), Contains("no bug in all 5 executions (ours: 5)"));
    CHECK_THAT(told(clean("6"), queue, 0).at("message").get<std::string>(),
               Contains("no bug in all 6 executions (ours: 5)"));
    CHECK(told("sleep 100", queue, 77).at("verdict") == "failed");
    CHECK(told(an_error, queue, 1).at("agrees") == false);
    // It leaves nothing out, so that it misses what we find is explained by nothing.
    CHECK(told(clean("5"), queue + ", A relaxed", 1).at("agrees") == false);
    CHECK(told(an_error, queue + ", A relaxed", 0).at("agrees") == true);
    CHECK(told(clean("5"), "record_ring, single: lines that the consumer has taken over", 0).at("verdict") ==
          "not expressible");
}

TEST_CASE("GenMC that is absent is told from one that cannot be used") {
    unsetenv("RINGPROOF_GENMC_ROOT");
    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nowhere", 1);
    CHECK_THAT(about().at("absent").get<std::string>(), Contains("no program genmc is in PATH"));
    const program_run run =
        run_binary({verify, "=" + queue, "--model", "rc11", "--quiet", "--second-opinion", "genmc"});
    CHECK(run.code == 77);
    CHECK_THAT(run.out, Contains("skipped, absent") && Contains("export RINGPROOF_GENMC_ROOT="));
    setenv("PATH", path.c_str(), 1);
    {
        const fake genmc("", "echo hello");
        CHECK_THAT(about().at("unusable").get<std::string>(), Contains("it is no GenMC"));
    }
    {
        const fake genmc("", "sleep 100");
        CHECK_THAT(about().at("unusable").get<std::string>(), Contains("did not end within 5 s"));
    }
    setenv("RINGPROOF_GENMC_ROOT", "/nowhere", 1);
    CHECK_THAT(about().at("unusable").get<std::string>(), Contains("/nowhere, where no program genmc is"));
    unsetenv("RINGPROOF_GENMC_ROOT");
}
