// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include "approval.hpp"

using namespace ringproof::report;

namespace {

json verify_with(json result) {
    json whole{{"name", "n"}, {"model", "sc"}, {"verdict", "verified"}, {"executions", 1}};
    whole.update(result);
    return {{"schema", "ringproof-verify/1"},
            {"tool", {{"name", "ringproof"}, {"version", "0"}}},
            {"results", json::array({whole})}};
}

outcome outcome_with(const json& result) {
    const document made = accept("v.json", verify_with(result));
    return cases_of(made).at(0).result;
}

} // namespace

TEST_CASE("every sample document is valid") {
    for (const char* name : {"verify.json", "litmus.json", "bench.json", "hostile.json",
                             "hostile-litmus.json", "hostile-bench.json"})
        CHECK_NOTHROW(sample(name));
}

TEST_CASE("a violation is told with the file and the place in it, each on its own line") {
    CHECK_THROWS_WITH(accept("v.json", verify_with({{"verdict", "maybe"}, {"executions", -1}})),
                      "v.json: /results/0/verdict is \"maybe\", must be one of \"verified\", \"refuted\", "
                      "\"inconclusive\", \"skipped\", \"error\"\n"
                      "v.json: /results/0/executions is -1, must be at least 0");
}

TEST_CASE("what is no result document is refused by name") {
    CHECK_THROWS_WITH(accept("x.json", json::parse("[1]")), Catch::Contains("x.json: no result document"));
    CHECK_THROWS_WITH(accept("x.json", {{"schema", "other/1"}}), Catch::Contains("/schema is \"other/1\""));
    CHECK_THROWS_WITH(accept("x.json", {{"schema", "ringproof-verify/2"}}),
                      Catch::Contains("ringproof-verify/2"));
}

TEST_CASE("broken JSON is told with line and column") {
    CHECK_THROWS_WITH(load(data("broken.json.txt")), Catch::Contains("broken.json.txt:2:14: "));
    CHECK_THROWS_WITH(load("/no/such/file.json"), Catch::Contains("/no/such/file.json: cannot read"));
}

TEST_CASE("a verdict passes only when it is the one expected") {
    CHECK(outcome_with(json::object()) == outcome::passed);
    CHECK(outcome_with({{"verdict", "refuted"}}) == outcome::failed);
    CHECK(outcome_with({{"verdict", "refuted"}, {"expected", "refuted"}}) == outcome::passed);
    CHECK(outcome_with({{"expected", "refuted"}}) == outcome::failed);
    CHECK(outcome_with({{"ok", false}}) == outcome::failed);
    CHECK(outcome_with({{"verdict", "refuted"}, {"ok", true}}) == outcome::failed); // ok cannot overrule it
}

TEST_CASE("a run without a complete execution has verified nothing") {
    CHECK(outcome_with({{"executions", 0}}) == outcome::error);
}

TEST_CASE("inconclusive, skipped and error stay what they are, whatever was expected") {
    for (const char* expected : {"verified", "refuted"}) {
        CHECK(outcome_with({{"verdict", "inconclusive"}, {"expected", expected}}) == outcome::inconclusive);
        CHECK(outcome_with({{"verdict", "skipped"}, {"expected", expected}}) == outcome::skipped);
        CHECK(outcome_with({{"verdict", "error"}, {"expected", expected}}) == outcome::error);
    }
}

TEST_CASE("a case always says its model, its executions and its bounds") {
    const document made =
        accept("v.json", verify_with({{"executions", 12345}, {"blocked", 6}, {"bounds", {{"loop", 16}}}}));
    CHECK(cases_of(made)[0].what == "verified under sc: 12 345 executions, 6 blocked, bounds: loop 16");
}

TEST_CASE("an outcome on hardware that the model forbids fails, and is named") {
    const document made = sample("hostile-litmus.json");
    const auto cases = cases_of(made);
    REQUIRE(cases.size() == 1);
    CHECK(cases[0].result == outcome::failed);
    CHECK(cases[0].what.find("x86-tso does not allow what was seen") != std::string::npos);
}

TEST_CASE("the repetitions of a benchmark are one case, and one error spoils it") {
    const json context{{"ringproof", {{"schema", "ringproof-bench/1"}}}};
    const auto run = [](const char* name, bool error) {
        return json{{"name", name},     {"run_type", "iteration"}, {"iterations", 2},
                    {"real_time", 5e8}, {"error_occurred", error}, {"error_message", error ? "lost" : ""}};
    };
    const document made = accept("b.json", {{"context", context},
                                            {"benchmarks",
                                             {run("a", false),
                                              run("a", true),
                                              run("b", false),
                                              {{"name", "a_median"}, {"run_type", "aggregate"}}}}});
    const auto cases = cases_of(made);
    REQUIRE(cases.size() == 2);
    CHECK(cases[0].result == outcome::error);
    CHECK(cases[0].what == "error: lost");
    CHECK(cases[0].seconds == Approx(2));
    CHECK(cases[1].result == outcome::passed);
}

TEST_CASE("a peer that came to a standstill is no error, but never hides one") {
    const auto run = [](const char* name, const char* verdict) {
        return json{{"name", name},
                    {"run_type", "iteration"},
                    {"iterations", 1},
                    {"real_time", 0.0},
                    {"error_occurred", true},
                    {"verdict", verdict},
                    {"error_message", verdict}};
    };
    const auto cases = cases_of(accept(
        "b.json",
        {{"context", {{"ringproof", {{"schema", "ringproof-bench/1"}}}}},
         {"benchmarks", {run("peer", "collapsed"), run("other", "collapsed"), run("other", "error")}}}));
    REQUIRE(cases.size() == 2);
    CHECK(cases[0].result == outcome::skipped);
    CHECK(cases[0].what == "collapsed");
    CHECK(cases[1].result == outcome::error);
}

TEST_CASE("any Google Benchmark document is read, without our context too") {
    CHECK(accept("b.json", json::parse(R"({"context":{},"benchmarks":[]})")).kind == document_kind::bench);
}

TEST_CASE("numbers are grouped so that they can be read") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1000) == "1 000");
    CHECK(grouped(1234567) == "1 234 567");
    CHECK(counted(1, "execution") == "1 execution");
    CHECK(counted(0, "execution") == "0 executions");
}
