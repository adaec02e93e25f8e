// SPDX-License-Identifier: Apache-2.0
// --second-opinion with checkers of our own making: shell scripts that answer, hang, crash or print nonsense.

#include "run_binary.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

const std::string holds = "=holds: store buffering with seq_cst", mutant = "=mutant: store buffering relaxed";

/// A checker that introduces itself and does `then` with a scenario. Gone with the test.
class fake {
  public:
    explicit fake(
        const std::string& then,
        const std::string& about = R"({"schedulers":["full","random"],"cannot_see":"what it cannot see"})") {
        std::string name = (fs::temp_directory_path() / "ringproof-fake-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder_ = name;
        std::ofstream(path()) << "#!/bin/sh\nif [ \"$1\" = --about ]; then echo '" << about << "'; exit; fi\n"
                              << then << "\n";
        fs::permissions(path(), fs::perms::owner_all);
    }
    ~fake() { fs::remove_all(folder_); }
    fake(const fake&) = delete;
    fake& operator=(const fake&) = delete;
    std::string path() const { return (folder_ / "checker").string(); }

  private:
    fs::path folder_;
};

program_run ask(const fake& checker, const std::string& scenario, std::vector<std::string> more = {}) {
    std::vector<std::string> words{RINGPROOF_TEST_SCENARIOS,   scenario,         "--second-opinion",
                                   "relacy=" + checker.path(), "--opinion-time", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return run_binary(words);
}

json document(const fake& checker, const std::string& scenario, int code) {
    const program_run run = ask(checker, scenario, {"--json", "-"});
    CHECK(run.code == code);
    return json::parse(run.out);
}

const std::string no_bug = R"(echo '{"bug":false,"finished":true,"runs":7,"words":"SUCCESS"}')";
const std::string a_bug = R"(echo '{"bug":true,"runs":3,"words":"DATA RACE","place":"queue.hpp:12"}')";

/// Our own verdict is what it was without another checker.
void check_ours(const json& said, const char* verdict) {
    for (const json& result : said.at("results")) CHECK(result.at("verdict") == verdict);
}

} // namespace

TEST_CASE("a second opinion that agrees stands beside ours, in its own words") {
    const json said = document(fake(no_bug), holds, 0);
    check_ours(said, "verified");
    const json& one = said.at("opinions").at("verdicts").at(0);
    CHECK(one.at("scenario") == "holds: store buffering with seq_cst");
    CHECK(one.at("tool") == "relacy");
    CHECK(one.at("scheduler") == "full");
    CHECK(one.at("verdict") == "no bug");
    CHECK(one.at("message") == "no bug in its schedule space: 7 runs");
    CHECK(one.at("words") == "SUCCESS");
    CHECK(one.at("ours") == "verified");
    CHECK(one.at("agrees") == true);
    CHECK(said.at("opinions").at("sources").at(0).at("cannot_see") == "what it cannot see");
}

TEST_CASE("both checkers find the bug of a mutant") {
    const json said = document(fake(a_bug), mutant, 0);
    check_ours(said, "refuted");
    const json& one = said.at("opinions").at("verdicts").at(0);
    CHECK(one.at("agrees") == true);
    CHECK(one.at("place") == "queue.hpp:12");
}

TEST_CASE("a bug that is found in what we verify is a bug of one of the two: exit code 1") {
    const fake checker(a_bug);
    check_ours(document(checker, holds, 1), "verified");
    const program_run run = ask(checker, holds);
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("unlike ours") && Contains("No explanation is known"));
}

TEST_CASE("a bug that another checker misses is explained by what it cannot see") {
    const json said = document(fake(no_bug), mutant, 0);
    const json& one = said.at("opinions").at("verdicts").at(0);
    CHECK(one.at("agrees") == false);
    CHECK(one.at("explanation") == "what it cannot see");
}

TEST_CASE("each scheduler that is asked for is asked, and no other") {
    const fake checker(no_bug);
    const program_run run =
        ask(checker, holds, {"--opinion-scheduler", "random,context-bound,full", "--json", "-"});
    const json verdicts = json::parse(run.out).at("opinions").at("verdicts");
    REQUIRE(verdicts.size() == 2);
    CHECK(verdicts[0].at("scheduler") == "random");
    CHECK(verdicts[1].at("scheduler") == "full");
}

TEST_CASE("seeds and bounds reach the other checker") {
    const fake checker(R"(echo "{\"bug\":false,\"finished\":true,\"runs\":1,\"words\":\"$*\"}")");
    const program_run run =
        ask(checker, holds,
            {"--seed", "9", "--opinion-runs", "123", "--opinion-context-bound", "4", "--json", "-"});
    CHECK_THAT(json::parse(run.out).at("opinions").at("verdicts").at(0).at("words").get<std::string>(),
               Contains("--time 1") && Contains("--runs 123") && Contains("--seed 9") &&
                   Contains("--context-bound 4"));
}

TEST_CASE("a checker that hangs is killed with its children, and our verdict stands") {
    const json said = document(fake("sleep 1000 & sleep 1000"), holds, 77);
    check_ours(said, "verified");
    const json& one = said.at("opinions").at("verdicts").at(0);
    CHECK(one.at("verdict") == "failed");
    CHECK_THAT(one.at("message").get<std::string>(), Contains("did not end within 6 s"));
}

TEST_CASE("a checker that crashes is told of, and our verdict stands") {
    const json said = document(fake("kill -SEGV $$"), holds, 77);
    check_ours(said, "verified");
    CHECK_THAT(said.at("opinions").at("verdicts").at(0).at("message").get<std::string>(),
               Contains("signal 11"));
}

TEST_CASE("a checker that prints nonsense or nothing, or fails, is told of") {
    const auto message = [](const std::string& then) {
        const json said = document(fake(then), holds, 77);
        check_ours(said, "verified");
        return said.at("opinions").at("verdicts").at(0).at("message").get<std::string>();
    };
    CHECK_THAT(message("echo 'all is well'"), Contains("is no answer: 'all is well'"));
    CHECK_THAT(message("echo '{\"bug\":'"), Contains("is no answer"));
    CHECK_THAT(message("true"), Contains("printed nothing"));
    CHECK_THAT(message("exit 3"), Contains("exit code 3"));
    CHECK_THAT(message("echo '{}'"), Contains("ran nothing"));
    CHECK_THAT(message("echo '{\"runs\":\"many\"}'"), Contains("is no answer"));
}

TEST_CASE("what a checker has no words for is neither agreement nor failure") {
    const json said = document(fake(R"(echo '{"not_expressible":"it locks a mutex"}')"), holds, 0);
    const json& one = said.at("opinions").at("verdicts").at(0);
    CHECK(one.at("verdict") == "not expressible");
    CHECK(one.at("agrees") == nullptr);
}

TEST_CASE("what is no checker at all is bad input: exit code 2") {
    const json said = document(fake(no_bug, "hello"), holds, 2);
    check_ours(said, "verified");
    CHECK(said.at("opinions").at("sources").at(0).at("state") == "unusable");
    const program_run run =
        run_binary({RINGPROOF_TEST_SCENARIOS, holds, "--second-opinion", "relacy=/no/such/program"});
    CHECK(run.code == 2);
    CHECK_THAT(run.out, Contains("verified") && Contains("/no/such/program cannot be executed"));
}

TEST_CASE("a checker that is absent is skipped, with the line that installs it: exit code 77") {
    const program_run run = run_binary({RINGPROOF_TEST_SCENARIOS, holds, "--second-opinion", "relacy"});
    CHECK(run.code == 77);
    CHECK_THAT(run.out,
               Contains("verified") && Contains("skipped, absent") && Contains("RINGPROOF_RELACY_ROOT"));
}

TEST_CASE("an unknown checker is wrong usage, before anything is searched") {
    const program_run run = run_binary({RINGPROOF_TEST_SCENARIOS, holds, "--second-opinion", "oracle"});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("no checker 'oracle'") && Contains("relacy"));
    CHECK_THAT(run.out, !Contains("verified"));
}
