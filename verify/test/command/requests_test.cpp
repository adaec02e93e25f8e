// SPDX-License-Identifier: Apache-2.0
// What a user may ask for beside a verdict: executions, leaks, a second search, files.

#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

#ifdef __clang__
const std::string x = "x.0"; // clang takes it apart: docs/limits.md
#else
const std::string x = "x";
#endif
const std::string store_buffering = "=holds: store buffering with seq_cst";

program_run scenarios(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), RINGPROOF_TEST_SCENARIOS);
    return run_binary(arguments);
}

json only_result(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "-"});
    return json::parse(scenarios(arguments).out).at("results").at(0);
}

/// A file that is gone when the test is.
struct scratch {
    explicit scratch(const std::string& ending)
        : path("/tmp/ringproof-test-request-" + std::to_string(getpid()) + ending) {}
    ~scratch() { unlink(path.c_str()); }
    std::string path;
};

} // namespace

TEST_CASE("the executions of a scenario that holds are shown, with what each leaves") {
    const program_run run = scenarios({store_buffering, "--model", "rc11", "--show-executions"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("execution 1 of 3") && Contains("execution 3 of 3"));
    CHECK_THAT(run.out, Contains("store " + x + " := 1, seq_cst") && Contains("leaves " + x + " = 1, y"));
    const json shown =
        only_result({store_buffering, "--model", "rc11", "--show-executions", "2"}).at("shown");
    REQUIRE(shown.size() == 2);
    CHECK(shown[0].at("events") != shown[1].at("events"));
    CHECK(shown[0].at("final").size() == 2);
    CHECK(shown[0].at("final").at(x) == "1");
}

TEST_CASE("memory that is not freed is an error when asked for, and seen again") {
    const std::string name = "=forgets: memory that no one frees";
    CHECK(scenarios({name}).code == 0);
    const json result = only_result({name, "--leaks"});
    CHECK(result.at("verdict") == "refuted");
    CHECK(result.at("counterexample").at("kind") == "leak");
    const std::string token = result.at("counterexample").at("replay");
    CHECK(scenarios({"--leaks", "--replay", token}).code == 1);
    const program_run without = scenarios({"--replay", token});
    CHECK(without.code == 2);
    CHECK_THAT(without.err, Contains("--leaks"));
    CHECK(scenarios({store_buffering, "--leaks"}).code == 0);
}

TEST_CASE("a loop that does not yield is an error when asked for, and seen again") {
    const std::string name = "=waits: a loop that does not yield";
    CHECK(scenarios({name}).code == 0);
    const json result = only_result({name, "--unfair"});
    CHECK(result.at("verdict") == "refuted");
    CHECK(result.at("counterexample").at("kind") == "livelock");
    const std::string token = result.at("counterexample").at("replay");
    CHECK(scenarios({"--unfair", "--replay", token}).code == 1);
    CHECK_THAT(scenarios({name, "--unfair"}).out, Contains("--unfair --replay"));
    const program_run without = scenarios({"--replay", token});
    CHECK(without.code == 2);
    CHECK_THAT(without.err, Contains("--unfair"));
    CHECK(scenarios({"=waits: a mutant that needs fair scheduling"}).code == 0);
    CHECK(scenarios({store_buffering, "--unfair"}).code == 0);
}

TEST_CASE("a second search tells a program that depends on chance") {
    const std::string name = "=by chance: a number of the system's own";
    CHECK(scenarios({name}).code == 0);
    const program_run run = scenarios({name, "--check-determinism"});
    CHECK(run.code != 0);
    CHECK_THAT(run.out, Contains("not deterministic"));
    CHECK(scenarios({store_buffering, "--check-determinism"}).code == 0);
    CHECK(scenarios({store_buffering, "--check-determinism", "--jobs", "2"}).code == 0);
}

TEST_CASE("a long token is kept in a file, and read from it") {
    const scratch file(".token");
    const std::string name = "=long: an error at the end of a long way";
    const program_run run = scenarios({name, "--save-replay", file.path});
    CHECK(run.code == 1);
    CHECK_THAT(run.err, Contains("--replay @" + file.path));
    const program_run again = scenarios({"--replay", "@" + file.path});
    CHECK(again.code == 1);
    CHECK_THAT(again.out, Contains("VERIFY_THAT") || Contains("assertion"));
    CHECK(scenarios({"--replay", "@/no/such/file"}).code == 2);
}

TEST_CASE("random executions by priorities refute, and say what they were") {
    const json result = only_result({"=mutant: store buffering relaxed", "--pct", "2", "--random", "1000"});
    CHECK(result.at("verdict") == "refuted");
    CHECK(scenarios({"--replay", result.at("counterexample").at("replay")}).code == 1);
    const program_run run = scenarios({store_buffering, "--pct", "2", "--random", "50"});
    CHECK(run.code == 4);
    CHECK_THAT(run.out, Contains("50 random executions") && Contains("PCT, depth 2"));
    CHECK(only_result({store_buffering, "--pct", "3", "--random", "5", "--seed", "9"}).at("random") ==
          json{{"executions", 5}, {"seed", 9}, {"depth", 3}});
}

TEST_CASE("SARIF and a page are written") {
    if (!std::filesystem::exists(RINGPROOF_TEST_REPORT)) {
        WARN("skipped: ringproof-report is not built");
        return;
    }
    const scratch sarif(".sarif"), page(".html");
    CHECK(scenarios({"=mutant: store buffering relaxed", store_buffering, "--sarif", sarif.path, "--html",
                     page.path})
              .code == 0);
    const json findings = json::parse(content_of(sarif.path));
    CHECK(findings.at("version") == "2.1.0");
    CHECK_THAT(content_of(page.path), Contains("<html") || Contains("<!doctype html"));
    CHECK(scenarios({store_buffering, "--sarif", "/no/such/folder/x.sarif"}).code == 2);
}

TEST_CASE("requests that exclude each other are refused") {
    CHECK(scenarios({"--show-executions", "--jobs", "2"}).code == 2);
    CHECK(scenarios({"--show-executions=0"}).code == 2);
    CHECK(scenarios({"--random", "5", "--jobs", "2"}).code == 2);
    CHECK(scenarios({"--random", "5", "--check-determinism"}).code == 2);
    CHECK(scenarios({"--pct", "0"}).code == 2);
    CHECK(scenarios({"--pct", "2", "--resume", "x"}).code == 2);
}
