// SPDX-License-Identifier: Apache-2.0
// --shard: many searches, or many accesses to be weakened, by several commands, put together by ringproof merge.

#include "run_binary.hpp"

#include <ringproof/command/file.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

namespace {

using Catch::Matchers::Contains;
using json = nlohmann::ordered_json;

struct shards {
    ringproof::command::temporary_folder folder{"ringproof-test"};
    std::vector<std::string> files;

    /// Runs shard `number` of `of`. @return its exit code
    int run(std::vector<std::string> what, unsigned number, unsigned of) {
        files.push_back((folder.path() / (std::to_string(number) + ".json")).string());
        what.insert(what.begin(), RINGPROOF_TEST_SCENARIOS);
        what.insert(what.end(),
                    {"--shard", std::to_string(number) + "/" + std::to_string(of), "--json", files.back()});
        return run_binary(what).code;
    }
    program_run merge() const {
        std::vector<std::string> command{RINGPROOF_TEST_MERGE, "--json", folder / "all.json"};
        command.insert(command.end(), files.begin(), files.end());
        return run_binary(command);
    }
    json merged() const {
        return json::parse(ringproof::command::read_text(folder / "all.json")).at("results");
    }
};

json at_once(std::vector<std::string> what) {
    what.insert(what.begin(), RINGPROOF_TEST_SCENARIOS);
    what.insert(what.end(), {"--json", "-"});
    return json::parse(run_binary(what).out).at("results");
}

/// What results say, whatever their order and their seconds.
std::multiset<std::string> said(const json& results) {
    std::multiset<std::string> all;
    for (const json& r : results)
        all.insert(r.at("name").get<std::string>() + " " + r.at("model").get<std::string>() + " " +
                   r.at("verdict").get<std::string>() + " " + r.at("executions").dump() + " " +
                   r.value("weakened", json()).dump());
    return all;
}

} // namespace

TEST_CASE("shards of the searches come to what one command comes to") {
    const std::vector<std::string> some{"needed:", "strong:", "--model", "rc11", "--model", "sc"};
    const json whole = at_once(some);
    REQUIRE(whole.size() > 4);
    const unsigned of = GENERATE(2u, 3u);
    shards all;
    for (unsigned number = 1; number <= of; ++number) CHECK(all.run(some, number, of) == 0);
    CHECK(all.merge().code == 0);
    CHECK(said(all.merged()) == said(whole));
}

TEST_CASE("a shard that is refuted refutes all, and none may be missing even then") {
    shards all;
    std::multiset<int> codes;
    for (unsigned number = 1; number <= 2; ++number)
        codes.insert(all.run({"needed:", "strong:", "--weaken"}, number, 2));
    CHECK(codes.count(1) > 0);
    CHECK(all.merge().code == 1);
    CHECK(said(all.merged()) == said(at_once({"needed:", "strong:", "--weaken"})));
    all.files.pop_back();
    const program_run without = all.merge();
    CHECK(without.code == 2);
    CHECK_THAT(without.err, Contains("one is not given: 2/2"));
}

TEST_CASE("shards of other searches are refused") {
    shards all;
    all.run({"strong:"}, 1, 2);
    all.run({"needed:"}, 2, 2);
    const program_run merged = all.merge();
    CHECK(merged.code == 2);
    CHECK_THAT(merged.err, Contains("shards of different work"));
}

TEST_CASE("more shards than searches: the last ones say that they have none, and all together is a result") {
    shards all;
    const std::vector<std::string> one{"strong:", "--model", "rc11"};
    CHECK(all.run(one, 1, 3) == 0);
    CHECK(all.run(one, 2, 3) == 5);
    CHECK(all.run(one, 3, 3) == 5);
    CHECK(all.merge().code == 0);
    CHECK(all.merged().size() == 1);
}

TEST_CASE("what has no shards refuses them") {
    const auto refused = [](std::vector<std::string> words, const char* why) {
        words.insert(words.begin(), RINGPROOF_TEST_SCENARIOS);
        const program_run run = run_binary(words);
        CHECK(run.code == 2);
        CHECK_THAT(run.err, Contains(why));
    };
    refused({"--shard", "3"}, "is no shard: write K/N");
    refused({"--shard", "3/2"}, "the last is 2/2");
    refused({"--shard", "1/2", "--weaken=optimize"}, "has no shards");
    refused({"--shard", "1/2", "--list"}, "--shard");
}
