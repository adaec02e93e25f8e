// SPDX-License-Identifier: Apache-2.0
// --estimate, --random, --checkpoint and --resume as a user gives them.

#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

const std::string large = "=inconclusive: far more executions than anyone has time for";

program_run scenarios(std::vector<std::string> arguments, unsigned interrupt_after = 0) {
    arguments.insert(arguments.begin(), RINGPROOF_TEST_SCENARIOS);
    return run_binary(arguments, interrupt_after);
}

json only_result(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "-"});
    return json::parse(scenarios(arguments).out).at("results").at(0);
}

/// A file that is gone when the test is.
struct scratch {
    std::string path = "/tmp/ringproof-test-checkpoint-" + std::to_string(getpid()) + ".json";
    ~scratch() { unlink(path.c_str()); }
    bool there() const { return access(path.c_str(), F_OK) == 0; }
};

} // namespace

TEST_CASE("a search goes on from its checkpoint and finds what is left") {
    const scratch file;
    const std::string name = "=holds: store buffering with seq_cst";
    const json whole = only_result({name, "--model", "rc11"});
    const program_run first =
        scenarios({name, "--model", "rc11", "--max-executions", "1", "--checkpoint", file.path});
    CHECK(first.code == 4);
    CHECK_THAT(first.err, Contains("--resume " + file.path));
    const json rest = only_result({"--resume", file.path});
    CHECK(rest.at("verdict") == "verified");
    CHECK(rest.at("executions") == whole.at("executions"));
    CHECK(rest.at("blocked") == whole.at("blocked"));
}

TEST_CASE("a checkpoint can be taken again and again") {
    const scratch file;
    std::vector<std::string> arguments{large, "--max-executions", "100", "--checkpoint", file.path};
    CHECK(only_result(arguments).at("executions") == 100);
    arguments.insert(arguments.end(), {"--resume", file.path});
    CHECK(only_result(arguments).at("executions") == 200);
    CHECK(only_result(arguments).at("executions") == 300);
}

TEST_CASE("an interrupt leaves a checkpoint") {
    const scratch file;
    CHECK(scenarios({large, "--checkpoint", file.path}, 1000).code == 130);
    REQUIRE(file.there());
    const auto before =
        json::parse(content_of(file.path)).at("searches").at(0).at("executions").get<std::uint64_t>();
    CHECK(before > 0);
    CHECK(only_result({"--resume", file.path, "--max-executions", "10"}).at("executions") == before + 10);
}

TEST_CASE("a finished search leaves no checkpoint") {
    const scratch file;
    CHECK(scenarios({"holds:", "--checkpoint", file.path}).code == 0);
    CHECK_FALSE(file.there());
}

TEST_CASE("random executions never verify, and say how many they were") {
    const program_run run = scenarios({"=holds: store buffering with seq_cst", "--random", "40"});
    CHECK(run.code == 4);
    CHECK_THAT(run.out, Contains("inconclusive") && Contains("40 random executions"));
    CHECK(only_result({large, "--random", "40", "--seed", "3"}).at("random") ==
          json{{"executions", 40}, {"seed", 3}});
}

TEST_CASE("random executions refute, with a counterexample that is seen again") {
    const json result = only_result({"=mutant: store buffering relaxed", "--random", "1000"});
    CHECK(result.at("verdict") == "refuted");
    CHECK(scenarios({"--replay", result.at("counterexample").at("replay")}).code == 1);
}

TEST_CASE("an estimate is marked as one, and exact where the search is short") {
    const program_run few = scenarios({"=holds: store buffering with seq_cst", "--estimate"});
    CHECK(few.code == 0);
    CHECK_THAT(few.out, Contains("estimate") && Contains("exactly 3 executions"));
    const program_run many = scenarios({large, "--estimate", "--time", "0.4"});
    CHECK(many.code == 0);
    // How much the walks say depends on how far they get in that time.
    CHECK_THAT(many.out, (Contains("about") && Contains("95 %")) || Contains("unknown, "));
}

TEST_CASE("an estimate that meets an error says so") {
    const program_run run = scenarios({"=fails: store buffering relaxed is thought to hold", "--estimate"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("fails"));
}

TEST_CASE("an estimate is written for machines as well") {
    const program_run run =
        scenarios({"=holds: store buffering with seq_cst", "--model", "rc11", "--estimate", "--json", "-"});
    const json document = json::parse(run.out);
    CHECK_THAT(run.err, Contains("exactly 3 executions")); // for people, who read it beside
    CHECK(document.at("results").empty());
    const json estimate = document.at("estimates").at(0);
    CHECK(estimate.at("name") == "holds: store buffering with seq_cst");
    CHECK(estimate.at("model") == "rc11");
    CHECK(estimate.at("exact") == true);
    for (const char* field : {"executions", "low", "high"}) CHECK(estimate.at(field) == 3);
    const json wrong = json::parse(
        scenarios({"=fails: store buffering relaxed is thought to hold", "--estimate", "--json", "-"}).out);
    CHECK(wrong.at("estimates").at(0).contains("error"));
    CHECK_FALSE(wrong.at("estimates").at(0).contains("executions"));
}

TEST_CASE("what cannot go together is refused") {
    CHECK(scenarios({"--random", "5", "--estimate"}).code == 2);
    CHECK(scenarios({"--random", "5", "--checkpoint", "x"}).code == 2);
    CHECK(scenarios({"--random", "0"}).code == 2);
}
