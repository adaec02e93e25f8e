// SPDX-License-Identifier: Apache-2.0
#include "guarantees.hpp"

#include "approval.hpp"
#include "assets.hpp"
#include "markdown.hpp"
#include "summary.hpp"

using namespace ringproof::report;

namespace {

const std::string robust = "../../verify/scenarios/ring/robust.cpp";

json result(const std::string& name, const std::string& file, const char* model, const char* verdict,
            const char* expected = "verified") {
    return {{"name", name},         {"model", model}, {"verdict", verdict},
            {"expected", expected}, {"file", file},   {"executions", 5}};
}

std::vector<document> verify_of(std::vector<json> results) {
    std::vector<document> documents;
    documents.push_back(accept("v.json", {{"schema", "ringproof-verify/1"},
                                          {"tool", {{"name", "ringproof"}, {"version", "0"}}},
                                          {"results", std::move(results)}}));
    return documents;
}

json run(const std::string& workload, const std::string& peer, double ns, const char* placement = "same-l3") {
    return {
        {"name", workload + "/" + peer}, {"run_type", "iteration"}, {"workload", workload}, {"peer", peer},
        {"placement", placement},        {"regime", "near"},        {"ns_per_item", ns}};
}

json interval(const std::string& workload, const std::string& peer, double low, double high) {
    json made = run(workload, peer, 0);
    made.erase("ns_per_item");
    made.update({{"run_type", "aggregate"}, {"ci_low_ns", low}, {"ci_high_ns", high}});
    return made;
}

document bench_of(std::vector<json> benchmarks) {
    return accept("b.json", {{"context", json::object()}, {"benchmarks", std::move(benchmarks)}});
}

const guarantee& crash_of(const summary& all) {
    REQUIRE(all.promised.all.size() == 5);
    REQUIRE(all.promised.all[4].id == "crash");
    return all.promised.all[4];
}

} // namespace

TEST_CASE("a guarantee counts its scenarios, models, executions and mutants, and what is not as expected") {
    auto documents =
        verify_of({result("killed", robust, "rc11", "verified"), result("killed", robust, "sc", "verified"),
                   result("A relaxed", robust, "rc11", "refuted", "refuted")});
    const guarantee crash = crash_of(summarize(documents));
    CHECK(crash.scenarios == std::set<std::string>{"killed"});
    CHECK(crash.results == 2);
    CHECK(crash.held == 2);
    CHECK(crash.breaks == 1);
    CHECK(crash.refuted == 1);
    CHECK(crash.executions == 15);
    CHECK(crash.models == std::set<std::string>{"rc11", "sc"});
    CHECK(crash.unexpected == 0);
    documents[0].content["results"][2]["verdict"] = "verified"; // a mutant that does not fall
    documents[0].content["results"][1]["verdict"] = "inconclusive";
    const guarantee worse = crash_of(summarize(documents));
    CHECK(worse.unexpected == 1);
    CHECK(worse.open == 1);
    CHECK(worse.refuted == 0);
    CHECK_THAT(to_markdown(summarize(documents), documents),
               Catch::Matchers::Contains("| Survives a crash | **1 not as expected** |"));
}

TEST_CASE("a report of other programs promises nothing about the ring") {
    const auto documents =
        verify_of({result("mine.c", "src/mine.c", "rc11", "verified"),
                   result("robust: mine", "elsewhere/robust.cpp", "rc11", "verified"),
                   result("x", "other-verify/scenarios/ring/robust.cpp", "rc11", "verified")});
    const summary all = summarize(documents);
    CHECK(all.promised.all.empty());
    CHECK(all.promised.unmapped.empty());
    CHECK_THAT(to_markdown(all, documents), !Catch::Matchers::Contains("guarantee"));
}

TEST_CASE("a scenario of the ring without a line in the table is named, not dropped") {
    const auto documents = verify_of({result("new", "verify/scenarios/ring/new.cpp", "rc11", "verified")});
    const summary all = summarize(documents);
    CHECK(all.promised.unmapped == std::set<std::string>{"new"});
    CHECK(to_json(all)["guarantees"]["unmapped"] == json{"new"});
    CHECK(all.promised.all.size() == 5);
    CHECK(all.promised.all[0].scenarios.empty());
}

TEST_CASE("of a file's lines the first whose words are in the name decides") {
    bool known = false;
    const std::string file = "verify/scenarios/ring/ring_set_refuse.cpp";
    CHECK(shown_by(file, "ring, x: no wake-up is lost", known) == std::vector<std::string>{"wakes"});
    CHECK(shown_by(file, "ring, x: accounted for", known) ==
          std::vector<std::string>{"lost", "order", "whole"});
    CHECK(known);
}

TEST_CASE(
    "each line of the table shows guarantees that exist, and each guarantee has a line and a benchmark") {
    const json table = json::parse(assets::guarantees);
    std::set<std::string> ids, shown;
    for (const json& g : table["guarantees"]) {
        CHECK(ids.insert(g["id"]).second);
        CHECK(g["cost"].contains("workload"));
    }
    for (const json& line : table["scenarios"])
        for (const json& id : line["shows"]) shown.insert(id);
    CHECK(ids == shown);
}

TEST_CASE(
    "a cost is the median of steady runs with its interval, beside the fastest peer that did not collapse") {
    const std::string w = "processes/records:64/throughput";
    auto documents = verify_of({result("killed", robust, "rc11", "verified")});
    json disturbed = run(w, "ringproof_robust", 900);
    disturbed["steady"] = false;
    documents.push_back(
        bench_of({run(w, "ringproof_robust", 10), run(w, "ringproof_robust", 12), disturbed,
                  run(w, "ringproof", 1), run(w, "pipe", 44), run(w, "slow", 60), run(w, "collapsed", 100000),
                  interval(w, "ringproof_robust", 9, 13), interval(w, "pipe", 40, 50)}));
    const guarantee_cost cost = crash_of(summarize(documents)).cost;
    CHECK(cost.measured);
    CHECK(cost.ns == Approx(11));
    CHECK(cost.low == Approx(9));
    CHECK(cost.repetitions == 3);
    CHECK(cost.peer == "pipe"); // ours are no peers of ours
    CHECK(cost.ratio == Approx(4));
    CHECK(cost.ratio_low == Approx(40.0 / 13));
    CHECK(cost.ratio_high == Approx(50.0 / 9));
}

TEST_CASE("a cost prefers threads with a CPU each, and without its benchmark says so") {
    const std::string w = "processes/records:64/throughput";
    auto documents = verify_of({result("killed", robust, "rc11", "verified")});
    CHECK_FALSE(crash_of(summarize(documents)).cost.measured);
    documents.push_back(bench_of({run(w, "ringproof_robust", 5, "oversubscribed"),
                                  run(w, "ringproof_robust", 5, "oversubscribed"),
                                  run(w, "ringproof_robust", 7, "same-l2")}));
    const guarantee_cost cost = crash_of(summarize(documents)).cost;
    CHECK(cost.placement == "same-l2");
    CHECK(cost.peer.empty());
    CHECK(cost.ratio == 0);
    documents[1] = bench_of({run(w, "ringproof_robust", 20160, "same-l2")}); // no 2.02e+04
    CHECK_THAT(to_markdown(summarize(documents), documents),
               Catch::Matchers::Contains("| " + grouped(20160) + " |"));
}
