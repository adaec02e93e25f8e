// SPDX-License-Identifier: Apache-2.0
// Which reads are stale, and what they miss.
#include "named.hpp"

using namespace ringproof::verify::test;
using Catch::Matchers::Contains;

namespace {

std::vector<json> reads_of(const json& example) {
    std::vector<json> all;
    for (const json& e : example.at("events"))
        if (e.at("kind") == "read") all.push_back(e);
    return all;
}

} // namespace

TEST_CASE("a stale read names the newest write that came before it") {
    const program_run run = run_named("a stale read");
    const json example = json::parse(run.out).at("results").at(0).at("counterexample");
    const std::vector<json> reads = reads_of(example);
    REQUIRE(reads.size() == 2);
    CHECK_FALSE(reads[0].contains("misses")); // of ready, which is the newest
    const std::size_t missed = reads[1].at("misses");
    CHECK(example.at("events").at(missed - 1).at("label") == "store value := 7, relaxed");
    CHECK_THAT(run.err,
               Contains(", not #" + std::to_string(missed) + ")") &&
                   Contains("is stale: it does not see #" + std::to_string(missed) +
                            " (T1: store value := 7, relaxed, " + place_of("value.store(7, relaxed);")));
}
TEST_CASE("a stale half of a read names the write of that half") {
    const program_run run = run_named("a stale half");
    const json example = json::parse(run.out).at("results").at(0).at("counterexample");
    const std::vector<json> reads = reads_of(example);
    REQUIRE(reads.size() == 3); // of ready, and of both halves
    const bool second = reads[2].contains("misses");
    CHECK(second != reads[1].contains("misses"));
    const std::size_t missed = reads[second ? 2 : 1].at("misses");
    const std::string label = example.at("events").at(missed - 1).at("label");
    CHECK_THAT(label, Contains(second ? "bytes 4 to 7 of " : "bytes 0 to 3 of "));
    CHECK_THAT(run.err, Contains("is stale: it does not see #" + std::to_string(missed) + " (T1: " + label));
}
TEST_CASE("a read that came before the newest write is not stale") {
    for (const json& read : reads_of(counterexample_named("a read that comes first")))
        CHECK_FALSE(read.contains("misses"));
}
