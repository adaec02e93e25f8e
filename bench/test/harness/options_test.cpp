// SPDX-License-Identifier: Apache-2.0
#include "../../src/harness/options.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::bench;

namespace {

int parse_these(std::vector<std::string> arguments, options& o) {
    arguments.insert(arguments.begin(), "ringproof-bench");
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    return parse(static_cast<int>(argv.size()), argv.data(), o);
}

} // namespace

TEST_CASE("Filters, placement and numbers are taken as given") {
    options o;
    REQUIRE(parse_these({"spsc", "^mpsc/items", "--placement", "0,2:1", "--repetitions", "7", "--min-time",
                         "0.5", "--quick", "--no-limits", "--priority", "normal", "--json", "x.json"},
                        o) == -1);
    CHECK(o.filters.size() == 2);
    CHECK(o.where.producers == std::vector<int>{0, 2});
    CHECK(o.where.consumer == 1);
    CHECK(o.repetitions == 7);
    CHECK(o.min_time == 0.5);
    CHECK(o.quick);
    CHECK_FALSE(o.limits);
    CHECK(o.priority == urgency::normal);
    CHECK(o.json == "x.json");
    CHECK(matches(o, "limit/spsc"));
    CHECK_FALSE(matches(o, "x/mpsc/items"));
}

TEST_CASE("Without filters everything matches") {
    options o;
    REQUIRE(parse_these({}, o) == -1);
    CHECK(matches(o, "whatever"));
    CHECK(o.where.automatic);
    CHECK(o.limits);
}

TEST_CASE("What means nothing is a usage error") {
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"--no-such-option"},
                                               {"--placement", "near"},
                                               {"--repetitions", "0"},
                                               {"--repetitions", "many"},
                                               {"--min-time", "-1"},
                                               {"("},
                                               {"--priority", "urgent"}}) {
        options o;
        CHECK(parse_these(wrong, o) == 2);
    }
}
