// SPDX-License-Identifier: Apache-2.0
// Checkpoints made by hand, divided.

#include "../../parts/split.hpp"
#include "../../src/division/stored.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;

namespace {

/// A search with 12 ways at its first decision, of which the first is taken.
json search(const char* name, double seconds) {
    return {{"scenario", name},
            {"executions", 7},
            {"blocked", 1},
            {"pruned", 1},
            {"events", 50},
            {"longest", 9},
            {"permutations", 7.0},
            {"seconds", seconds},
            {"covered", {"sun"}},
            {"bounds", json::array()},
            {"ledger", json::object()},
            {"part", json::array()},
            {"positions", to_json({{{0}, {12}, {12}, {{0, 0}}, 0}})}};
}

std::string checkpoint(const std::vector<json>& searches) {
    return with_checksum(
        {{"schema", checkpoint_schema}, {"checker", ringproof::command::version()}, {"searches", searches}});
}

} // namespace

TEST_CASE("each way is in one part, and what was counted before in one part alone") {
    const divided_checkpoint divided = split(checkpoint({search("a", 1)}), 4);
    REQUIRE(divided.parts.size() == 4);
    std::uint64_t executions = 0, ways = 0;
    double share = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const json& one = divided.parts[i].at("searches").at(0);
        const part_of_search part = part_of(one.at("part"));
        REQUIRE(part.size() == 1);
        CHECK(part[0].number == i + 1);
        CHECK(part[0].parts == 4);
        executions += one.at("executions").get<std::uint64_t>();
        for (const json& at : one.at("positions"))
            ways += at.at("ends").at(0).get<std::uint64_t>() - at.at("ways").at(0).get<std::uint64_t>();
        share += one.at("executions") == 0 ? 0 : 1;
    }
    CHECK(executions == 7);
    CHECK(share == 1);
    CHECK(ways == 12);
    CHECK(divided.smallest > 0.2);
    CHECK(divided.largest < 0.3);
}

TEST_CASE("of two searches the longer one is in more parts") {
    const divided_checkpoint divided = split(checkpoint({search("long", 9), search("short", 1)}), 5);
    std::size_t with_long = 0, with_short = 0;
    for (const json& part : divided.parts)
        for (const json& one : part.at("searches")) ++(one.at("scenario") == "long" ? with_long : with_short);
    CHECK(with_long > with_short);
    CHECK(with_short >= 1);
}

TEST_CASE("a checkpoint of another checker is not divided") {
    CHECK_THROWS_AS(split(with_checksum({{"schema", checkpoint_schema}, {"checker", "0.0"}}), 2),
                    std::invalid_argument);
}
