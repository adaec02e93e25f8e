// SPDX-License-Identifier: Apache-2.0
// What results of parts come to, made by hand.

#include "../../parts/merge.hpp"
#include "../../parts/sum.hpp"
#include "../../src/division/stored_hidden.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <unistd.h>

using namespace ringproof::verify;
using Catch::Matchers::Contains;

namespace {

/// A part that was searched to its end without an error.
given_result part(std::uint32_t number, std::uint32_t of, std::uint32_t run = 1) {
    const part_of_search which{{"division", number, of, run}};
    return {"part" + std::to_string(number),
            {{"name", "a"},
             {"model", "rc11"},
             {"verdict", "inconclusive"},
             {"expected", "verified"},
             {"ok", true},
             {"executions", 10 * number},
             {"permutations", 10 * number},
             {"blocked", 1},
             {"pruned", 0},
             {"events", 100},
             {"longest", number},
             {"seconds", 0.5},
             {"properties", json::array({"races"})},
             {"assumptions", json::array()},
             {"covered", json::object()},
             {"part", to_json(which)},
             {"found",
              {{"learnt", false},
               {"bounds", json::array()},
               {"loops", json::array()},
               {"unordered_reads", false},
               {"hidden", to_json(hidden_races{}, {})},
               {"judged", true}}}},
            which};
}

json assumption_at(const char* kind, const char* standing) {
    return {{"kind", kind}, {"standing", standing}, {"place", "q.cpp:1"}, {"times", 2}};
}

summed_result summed(std::vector<given_result> given) {
    for (given_result& one : given) one.result = json::parse(one.result.dump()); // as from a file
    return sum_up(tree_of(given));
}

json sum_of(const std::vector<given_result>& given) {
    const summed_result sum = summed(given);
    CHECK(sum.missing.empty());
    return sum.result;
}

} // namespace

TEST_CASE("counts of parts are added, and all of them together are verified") {
    const json sum = sum_of({part(2, 2), part(1, 2)});
    CHECK(sum.at("verdict") == "verified");
    CHECK(sum.at("ok") == true);
    CHECK(sum.at("executions") == 30);
    CHECK(sum.at("blocked") == 2);
    CHECK(sum.at("longest") == 2);
    CHECK(sum.at("seconds") == 1.0);
    CHECK(sum.at("parts") == 2);
    CHECK_FALSE(sum.contains("part"));
    CHECK_FALSE(sum.contains("found"));
}

TEST_CASE("a part that is not given is named") {
    CHECK(summed({part(1, 3), part(3, 3)}).missing == std::vector<std::string>{"part 2 of 3"});
}

TEST_CASE("a part that was stopped leaves the sum open, until a later run of it ends") {
    given_result stopped = part(2, 2);
    stopped.result["stopped_by"] = "--time";
    const json open = sum_of({part(1, 2), stopped});
    CHECK(open.at("verdict") == "inconclusive");
    CHECK_THAT(open.at("message").get<std::string>(), Contains("part2"));
    CHECK(sum_of({part(1, 2), stopped, part(2, 2, 2)}).at("verdict") == "verified");
}

TEST_CASE("what one part saw of a loop counts for what another saw of it") {
    given_result endless = part(1, 2), left = part(2, 2);
    endless.result["found"]["loops"] = {{{"place", "q.cpp:1"}, {"endless", true}, {"left", false}}};
    CHECK(sum_of({endless, left}).at("verdict") == "verified");
    left.result["found"]["loops"] = {{{"place", "q.cpp:1"}, {"endless", false}, {"left", true}}};
    const json sum = sum_of({endless, left});
    CHECK(sum.at("verdict") == "inconclusive");
    CHECK_THAT(sum.at("message").get<std::string>(), Contains("yield at q.cpp:1"));
}

TEST_CASE("a poll that one part left out is not verified where another reads out of order and none judged") {
    given_result polled = part(1, 2), unordered = part(2, 2);
    polled.result["assumptions"] = json::array({assumption_at("restored-iteration", "proved")});
    unordered.result["found"]["unordered_reads"] = true;
    CHECK(sum_of({polled, unordered}).at("verdict") == "verified"); // judged
    polled.result["found"]["judged"] = unordered.result["found"]["judged"] = false;
    const json sum = sum_of({polled, unordered});
    CHECK(sum.at("verdict") == "inconclusive");
    CHECK_THAT(sum.at("message").get<std::string>(), Contains("--divide"));
}

TEST_CASE(
    "an iteration that one part left out is not verified where another part's access may race with it") {
    const auto identity = [](std::uintptr_t granule) -> std::uint64_t { return granule; };
    hidden_races left_out, behind;
    granule_accesses write, read;
    write.add(access_kind::plain_write, 0xf);
    read.add(access_kind::plain_read, 0xf);
    left_out.note_left_out(64, {write, 2});
    given_result first = part(1, 2), second = part(2, 2);
    const auto verdict = [&](std::uintptr_t granule, std::uint64_t sites) {
        behind = {};
        behind.note_behind(granule, {read, sites});
        first.result["found"]["hidden"] = to_json(left_out, identity);
        second.result["found"]["hidden"] = to_json(behind, identity);
        return sum_of({first, second}).at("verdict").get<std::string>();
    };
    CHECK(verdict(64, 2) == "inconclusive");
    CHECK(verdict(hidden_races::any_granule, 3) == "inconclusive");
    CHECK(verdict(72, 2) == "verified");
    CHECK(verdict(64, 4) == "verified"); // another place
}

TEST_CASE("an open assumption, a bound, and no execution at all leave the sum open") {
    given_result first = part(1, 2), second = part(2, 2);
    SECTION("assumption") { second.result["assumptions"] = json::array({assumption_at("yield", "open")}); }
    SECTION("bound") { second.result["found"]["bounds"] = {"loop bound 3 at q.cpp:1"}; }
    SECTION("none") { first.result["executions"] = second.result["executions"] = 0; }
    CHECK(sum_of({first, second}).at("verdict") == "inconclusive");
}

TEST_CASE("situations that parts meet are met, and one that none meets refutes") {
    given_result first = part(1, 2), second = part(2, 2);
    first.result["covered"] = {{"sun", true}, {"rain", false}};
    second.result["covered"] = {{"sun", false}, {"rain", true}};
    CHECK(sum_of({first, second}).at("verdict") == "verified");
    second.result["covered"]["rain"] = false;
    const json sum = sum_of({first, second});
    CHECK(sum.at("verdict") == "refuted");
    CHECK(sum.at("ok") == false);
}

TEST_CASE("results that are not as they were written are refused") {
    const std::string file =
        (std::filesystem::temp_directory_path() / ("ringproof-sum-" + std::to_string(getpid()))).string();
    json result = part(1, 1).result;
    result["checksum"] = checksum_of_result(result);
    const auto write = [&] {
        ringproof::command::write_document({{"schema", "ringproof-verify/1"}, {"results", {result}}}, file);
    };
    write();
    CHECK(merge({file}).results.at(0).at("executions") == 10);
    result["executions"] = 1;
    write();
    CHECK_THROWS_WITH(merge({file}), Contains("was changed"));
    std::filesystem::remove(file);
}
