// SPDX-License-Identifier: Apache-2.0
#include "../../src/division/stored.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ringproof::verify;

namespace {

const search_position somewhere{{0, 2}, {3, 4}, {3, 5}, {{0, 0}, {0, 1}}, 12.5};

} // namespace

TEST_CASE("positions come back as they were written") {
    const std::vector<search_position> read = positions_of(to_json({somewhere}));
    REQUIRE(read.size() == 1);
    CHECK(read[0].ways == somewhere.ways);
    CHECK(read[0].ends == somewhere.ends);
    CHECK(read[0].all == somewhere.all);
    CHECK(read[0].threads == somewhere.threads);
    CHECK(read[0].weight == somewhere.weight);
}

TEST_CASE("positions that no search has are refused") {
    const auto refused = [](const std::vector<search_position>& all) {
        CHECK_THROWS_AS(positions_of(to_json(all)), std::invalid_argument);
    };
    refused({{{3}, {3}, {3}, {{0, 0}}, 0}});                               // beyond its end
    refused({{{0}, {4}, {3}, {{0, 0}}, 0}});                               // more ways than there are
    refused({{{0, 0}, {1}, {1}, {{0, 0}}, 0}});                            // leads nowhere
    refused({{{0}, {1}, {1}, {}, 0}});                                     // no threads
    refused({{{0}, {1}, {1}, {{0, 0}}, -1}});                              // a weight below 0
    refused({somewhere, somewhere});                                       // twice
    refused({{{0}, {3}, {3}, {{0, 0}}, 0}, {{1}, {2}, {3}, {{0, 0}}, 0}}); // one in the other
    CHECK_NOTHROW(positions_of(to_json({{{0}, {1}, {3}, {{0, 0}}, 0}, {{1}, {3}, {3}, {{0, 0}}, 0}})));
}

TEST_CASE("a part comes back as it was written, and is within its division") {
    const part_of_search part{{"a", 2, 9, 1}, {"b", 3, 7, 4}};
    CHECK(part_of(to_json(part)) == part);
    for (const part_link& wrong : {part_link{"a", 0, 3, 1}, part_link{"a", 4, 3, 1}, part_link{"a", 1, 3, 0}})
        CHECK_THROWS_AS(part_of(to_json(part_of_search{wrong})), std::invalid_argument);
}

TEST_CASE("a result's checksum is the same with and without it, and of every value") {
    json result{{"name", "a"}, {"executions", 3}, {"seconds", 0.1}};
    const std::string checksum = checksum_of_result(result);
    result["checksum"] = checksum;
    CHECK(checksum_of_result(json::parse(result.dump(1))) == checksum);
    result["executions"] = 4;
    CHECK(checksum_of_result(result) != checksum);
}
