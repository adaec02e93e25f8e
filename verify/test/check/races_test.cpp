// SPDX-License-Identifier: Apache-2.0
// --races=continue and ignore: what is behind a data race. --liveness=ignore.
#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

const std::string seqlock = RINGPROOF_TEST_PROGRAMS "/seqlock_plain.cpp";
const std::string counts = RINGPROOF_TEST_PROGRAMS "/racy_count.cpp";

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
    CHECK_THAT(run.out, Contains("endless waits ignored; ") && Contains("1 blocked") &&
                            Contains("relies on: liveness (assumed at ") && Contains("two_locks.c:"));
    const json result =
        json::parse(check({tried, "--liveness=ignore", "--json", "-"}).out).at("results").at(0);
    CHECK(result.at("properties") == json::array({"races", "memory errors"}));
}

TEST_CASE("what does not go with a search behind races is refused") {
    const program_run run = check({seqlock, "--races=continue", "--weaken"});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("--races=continue and --weaken"));
    CHECK(check({seqlock, "--races=never"}).code == 2);
    CHECK(check({counts, "--races=ignore", "--weaken"}).code == 2);
}

TEST_CASE("ignored races are no errors, and the verdict says that they were there") {
    CHECK(check({counts}).code == 1);
    const program_run run = check({counts, "--races=ignore", "--model", "all"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("(data races ignored; ") &&
                            Contains("relies on: race-ignored (assumed at 2 places)"));
    const json result = json::parse(check({counts, "--races=ignore", "--json", "-"}).out).at("results").at(0);
    CHECK(result.at("properties") == json::array({"memory errors", "deadlocks", "assertions"}));
    CHECK(result.at("assumptions").at(0).at("kind") == "race-ignored");
    // One value of each racing access: no more executions than without the race.
    CHECK(result.at("executions") == 2);
}

TEST_CASE("an error behind ignored races is found, and shown again by its token") {
    const program_run run = check({counts, "--races=ignore", "--json", "-", "--", "-DRELAXED"});
    CHECK(run.code == 1);
    CHECK_THAT(run.err, Contains("assertion failed: message.load") &&
                            Contains("behind data races, which are ignored, at "));
    const std::string token = json::parse(run.out).at("results").at(0).at("counterexample").at("replay");
    const program_run again = check({counts, "--races=ignore", "--replay", token, "--", "-DRELAXED"});
    CHECK(again.code == 1);
    CHECK_THAT(again.out, Contains("assertion failed: message.load"));
}

TEST_CASE("a loop that waits for memory whose races are ignored has no verdict") {
    const std::string stop = RINGPROOF_TEST_PROGRAMS "/racy_stop.cpp";
    const program_run ignored = check({stop, "--races=ignore"});
    CHECK(ignored.code == 4);
    CHECK_THAT(ignored.out, Contains("memory whose races are ignored: --races=continue tells"));
}

TEST_CASE("where races are ignored, one with an atomic access is explored all the same") {
    const std::string word = RINGPROOF_TEST_PROGRAMS "/racy_word.c";
    for (const char* const forbidden : {"-DFORBIDDEN=0", "-DFORBIDDEN=1"})
        CHECK(check({word, "--races=ignore", "--", forbidden}).code == 1);
    const program_run run = check({word, "--races=ignore", "--", "-DFORBIDDEN=2"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("relies on: race (assumed at ") && !Contains("data races ignored"));
}

TEST_CASE("memory that is freed too early is an error where races are ignored") {
    const std::string freed = RINGPROOF_TEST_PROGRAMS "/racy_free.c";
    const program_run run = check({freed, "--races=ignore"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("free"));
}
