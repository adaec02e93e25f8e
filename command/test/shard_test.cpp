// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/shard.hpp>

#include <catch2/catch.hpp>
#include <set>

using namespace ringproof::command;
using Catch::Matchers::Contains;

namespace {

json document_of(std::size_t number, std::size_t of, const std::vector<std::string>& jobs) {
    return {{"shard", to_json(shard{number, of}, jobs)}};
}

std::string refusal(const std::vector<json>& documents) {
    std::vector<std::string> files;
    for (std::size_t i = 0; i < documents.size(); ++i)
        files.push_back(std::string(1, char('a' + i)) + ".json");
    try {
        check_shards(files, documents);
        return "";
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

const std::vector<std::string> seven{"1", "2", "3", "4", "5", "6", "7"};

} // namespace

TEST_CASE("each job is in one shard, whatever the number of shards") {
    for (std::size_t of = 1; of <= 9; ++of) {
        std::multiset<std::string> done;
        std::size_t least = seven.size(), most = 0;
        for (std::size_t number = 1; number <= of; ++number) {
            const std::vector<std::string> mine = of_shard(seven, shard{number, of});
            done.insert(mine.begin(), mine.end());
            least = std::min(least, mine.size());
            most = std::max(most, mine.size());
        }
        CHECK(done == std::multiset<std::string>(seven.begin(), seven.end()));
        CHECK(most - least <= 1);
    }
    CHECK(of_shard(seven, std::nullopt) == seven);
}

TEST_CASE("a shard is two numbers, and the first is not above the second") {
    const shard two = shard_from("2/5");
    CHECK(two.number == 2);
    CHECK(two.of == 5);
    for (const char* bad : {"", "/", "2", "2/", "/5", "0/5", "2/0", "-1/5", "2/5 ", " 2/5", "2/5/6", "a/b",
                            "2.0/5", "1/1000001", "1/99999999999999999999"})
        CHECK_THROWS_WITH(shard_from(bad), Contains("is no shard: write K/N"));
    CHECK_THROWS_WITH(shard_from("6/5"), Contains("of 5 shards the last is 5/5"));
}

TEST_CASE("shards are complete, each is given once, and all are of the same jobs") {
    const json first = document_of(1, 3, seven), second = document_of(2, 3, seven),
               third = document_of(3, 3, seven);
    CHECK(refusal({third, first, second}) == "");
    CHECK(refusal({json::object(), json::object()}) == "");
    CHECK(refusal({first, second, json::object(), third}) == "");
    CHECK(refusal({first, third}) == "a.json: it is one of 3 shards, and one is not given: 2/3");
    CHECK(refusal({second}) == "a.json: it is one of 3 shards, and 2 are not given: 1/3, 3/3");
    CHECK(refusal({first, second, first}) == "a.json and c.json: both are shard 1/3");
    CHECK_THAT(refusal({first, second, document_of(3, 3, {"1", "2"})}), Contains("shards of different work"));
    CHECK_THAT(refusal({first, document_of(2, 2, seven)}), Contains("shards of different work"));
    CHECK_THAT(refusal({document_of(1, 100, seven)}),
               Contains("2/100, 3/100, 4/100, 5/100, 6/100 and 94 more"));
    json wrong = first;
    wrong["shard"]["number"] = 0;
    CHECK_THAT(refusal({wrong}), Contains("there is no shard 0/3"));
}
