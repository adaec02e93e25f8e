// SPDX-License-Identifier: Apache-2.0
// --races=continue: what is behind a data race. --liveness=ignore.
#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

const std::string seqlock = RINGPROOF_TEST_PROGRAMS "/seqlock_plain.cpp";

program_run check(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), RINGPROOF_TEST_CHECK);
    return run_binary(arguments);
}

} // namespace

TEST_CASE("a data race ends the search, unless it is to go on: then the verdict names what it relies on") {
    const program_run stops = check({seqlock});
    CHECK(stops.code == 1);
    CHECK_THAT(stops.out, Contains("data race"));
    const program_run goes_on = check({seqlock, "--races=continue", "--model", "all"});
    CHECK(goes_on.code == 0);
    CHECK_THAT(goes_on.out,
               Contains("verified") && Contains("relies on: race (assumed at") && !Contains("REFUTED"));
}

TEST_CASE("the error behind a race is found, and shown again by its token") {
    const std::vector<std::string> broken{seqlock, "--races", "continue",       "--json",
                                          "-",     "--",      "-DWITHOUT_FENCE"};
    const program_run run = check(broken);
    CHECK(run.code == 1);
    CHECK_THAT(run.err,
               Contains("assertion failed: copy.first == copy.second") &&
                   Contains("behind data races, whose accesses are made as relaxed atomic ones, at ") &&
                   Contains("seqlock_plain.cpp:"));
    const json example = json::parse(run.out).at("results").at(0).at("counterexample");
    const std::vector<std::string> again = example.at("replay_command");
    CHECK(std::find(again.begin(), again.end(), "--races") != again.end());
    const std::string token = example.at("replay");
    const program_run replayed =
        check({seqlock, "--races", "continue", "--replay", token, "--", "-DWITHOUT_FENCE"});
    CHECK(replayed.code == 1);
    CHECK_THAT(replayed.out, Contains("assertion failed: copy.first == copy.second"));
}

TEST_CASE("several processes find the same behind a race, and a search that is stopped goes on there") {
    const auto executions = [](const program_run& run) {
        return json::parse(run.out).at("results").at(0).at("executions").get<int>();
    };
    const int all = executions(check({seqlock, "--races=continue", "--json", "-"}));
    CHECK(all > 4);
    CHECK(executions(check({seqlock, "--races=continue", "--json", "-", "--jobs", "2"})) == all);
    const std::string file =
        (std::filesystem::temp_directory_path() / "ringproof-test-races.checkpoint.json").string();
    CHECK(check({seqlock, "--races=continue", "--max-executions", "2", "--checkpoint", file}).code == 4);
    CHECK(check({seqlock, "--resume", file}).code == 2);
    CHECK(executions(check({seqlock, "--races=continue", "--resume", file, "--json", "-"})) == all);
    std::filesystem::remove(file);
}

TEST_CASE("a thread that waits for ever is no error where liveness is ignored, and the verdict says so") {
    const std::string tried = RINGPROOF_TEST_PROGRAMS "/two_locks.c";
    CHECK(check({tried}).code == 1);
    const program_run run = check({tried, "--liveness=ignore"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("1 blocked") && Contains("relies on: liveness (assumed at ") &&
                            Contains("two_locks.c:"));
}

TEST_CASE("what does not go with a search behind races is refused") {
    const program_run run = check({seqlock, "--races=continue", "--weaken"});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("--races=continue and --weaken"));
    CHECK(check({seqlock, "--races=never"}).code == 2);
}
