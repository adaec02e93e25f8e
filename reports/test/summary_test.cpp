// SPDX-License-Identifier: Apache-2.0
#include "summary.hpp"

#include "approval.hpp"
#include "badge.hpp"
#include "junit.hpp"
#include "markdown.hpp"

using namespace ringproof::report;

namespace {

json mutant(const char* letter, const char* model, const char* verdict, const char* expected,
            int events = 0) {
    json made{{"name", std::string("without ") + letter},
              {"model", model},
              {"verdict", verdict},
              {"expected", expected},
              {"mutant", letter},
              {"executions", 3}};
    if (events) {
        made["counterexample"] = {{"kind", "race"}, {"message", "m"}, {"events", json::array()}};
        for (int i = 0; i < events; ++i)
            made["counterexample"]["events"].push_back({{"id", i}, {"thread", 1}, {"kind", "read"}});
    }
    return made;
}

std::vector<document> verify_of(std::vector<json> results) {
    std::vector<document> documents;
    documents.push_back(accept("v.json", {{"schema", "ringproof-verify/1"},
                                          {"tool", {{"name", "ringproof"}, {"version", "0"}}},
                                          {"results", results}}));
    return documents;
}

status status_of(std::initializer_list<const char*> verdicts) {
    std::vector<json> results;
    for (const char* verdict : verdicts)
        results.push_back({{"name", "n"}, {"model", "sc"}, {"verdict", verdict}, {"executions", 1}});
    const auto documents = verify_of(results);
    return summarize(documents).verdict;
}

} // namespace

TEST_CASE("the worst result decides: refuted before inconclusive before holds") {
    CHECK(status_of({"verified", "verified"}) == status::ok);
    CHECK(status_of({"verified", "skipped"}) == status::ok);
    CHECK(status_of({"verified", "inconclusive"}) == status::inconclusive);
    CHECK(status_of({"refuted", "inconclusive"}) == status::failed);
    CHECK(status_of({"verified", "error"}) == status::failed);
    CHECK(status_of({"skipped"}) == status::skipped);
    CHECK(status_of({}) == status::empty);
}

TEST_CASE("an interrupted run is no proof, however good what it did") {
    auto documents =
        verify_of({{{"name", "n"}, {"model", "sc"}, {"verdict", "verified"}, {"executions", 1}}});
    CHECK(summarize(documents).verdict == status::ok);
    documents[0].content["interrupted"] = true;
    CHECK(summarize(documents).verdict == status::inconclusive);
    CHECK(summarize(documents).headline() == "Interrupted: what was done holds, but not everything was done");
    documents[0].content["results"][0]["verdict"] = "refuted";
    CHECK(summarize(documents).verdict == status::failed);
}

TEST_CASE("a barrier is needed where a mutant without it is refuted, citing the shortest counterexample") {
    const auto documents =
        verify_of({mutant("D", "rc11", "verified", "verified"), mutant("D", "rc11", "refuted", "refuted", 9),
                   mutant("D", "rc11", "refuted", "refuted", 4)});
    const auto rows = summarize(documents).barriers;
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].found == barrier_row::finding::needed);
    CHECK(rows[0].mutants == 3);
    CHECK(rows[0].refuted == 2);
    CHECK(rows[0].result == 2);
}

TEST_CASE("a mutant that survives is told apart by what was expected of it") {
    const auto documents =
        verify_of({mutant("A", "sc", "verified", "verified"), mutant("B", "sc", "verified", "refuted"),
                   mutant("C", "sc", "inconclusive", "refuted")});
    const auto rows = summarize(documents).barriers;
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].found == barrier_row::finding::survived);
    CHECK(rows[1].found == barrier_row::finding::hole);
    CHECK(rows[2].found == barrier_row::finding::undecided);
}

TEST_CASE("a ratio of times becomes a ratio of throughput: its largest is our smallest") {
    const document bench = accept("b.json", json::parse(R"({"context":{},"benchmarks":[
        {"name":"w/p_median","run_type":"aggregate","workload":"w","peer":"p","placement":"same-l3","regime":"near",
         "ratio_ours_to_peer_min":0.25,"ratio_ours_to_peer_median":0.5,"ratio_ours_to_peer_max":2},
        {"name":"w/ringproof_median","run_type":"aggregate","workload":"w","peer":"ringproof"}]})"));
    const std::vector<document> documents{bench};
    const auto rows = summarize(documents).ratios;
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].median == Approx(2));
    CHECK(rows[0].low == Approx(0.5));
    CHECK(rows[0].high == Approx(4));
}

TEST_CASE("a ratio of speeds is taken as it is, whatever stands beside it") {
    const document bench = accept("b.json", json::parse(R"({"context":{},"benchmarks":[
        {"name":"w/p_median","run_type":"aggregate","workload":"w","peer":"p","placement":"same-l3","regime":"near",
         "speed_ratio_median":2,"speed_ratio_ci_low":1.5,"speed_ratio_ci_high":3,"ratio_ours_to_peer_median":0.5}]})"));
    const std::vector<document> documents{bench};
    const auto rows = summarize(documents).ratios;
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].median == Approx(2)); // above 1: ours is faster
    CHECK(rows[0].low == Approx(1.5));
    CHECK(rows[0].high == Approx(3));
}

TEST_CASE("a run of benchmarks that is not fit for its purpose is inconclusive, wherever one looks") {
    json content = json::parse(R"({"context":{"ringproof":{"schema":"ringproof-bench/1","fit":false,
        "fitness":{"measurements":360,"unsteady":279,"text":"279 of 360 measurements were disturbed"}}},
        "benchmarks":[{"name":"w","run_type":"iteration","real_time":1,"time_unit":"ns"}]})");
    std::vector<document> documents{accept("b.json", content)};
    const summary all = summarize(documents);
    CHECK(all.verdict == status::inconclusive);
    // The reason stands with the finding, in every format, and is not said twice.
    CHECK(all.headline() == "Nothing is refuted, but the benchmarks are inconclusive");
    CHECK(all.counts_line() == "1 passed, 0 failed, 1 inconclusive");
    CHECK(to_json(all)["problems"].size() == 1);
    CHECK_THAT(to_markdown(all, documents), Catch::Matchers::Contains("279 of 360") &&
                                                !Catch::Matchers::Contains("Everything asked for holds"));
    CHECK_THAT(to_badge(all), Catch::Matchers::Contains("1 inconclusive"));
    CHECK_THAT(to_junit(all), Catch::Matchers::Contains("279 of 360"));
    documents[0].content["context"]["ringproof"]["fit"] = true;
    CHECK(summarize(documents).verdict == status::ok);
}

TEST_CASE("older results are unfit by the same rule: more than half of the measurements disturbed") {
    const auto run = [](unsigned unsteady, unsigned of) {
        json content{{"context", json::object()}, {"benchmarks", json::array()}};
        for (unsigned i = 0; i < of; ++i)
            content["benchmarks"].push_back(
                {{"name", "b" + std::to_string(i)}, {"run_type", "iteration"}, {"steady", i >= unsteady}});
        content["benchmarks"].push_back({{"name", "peer"},
                                         {"run_type", "iteration"},
                                         {"steady", false},
                                         {"error_occurred", true},
                                         {"verdict", "collapsed"}});
        return accept("b.json", content);
    };
    std::vector<document> documents{run(5, 10)};
    CHECK(summarize(documents).verdict == status::ok);
    documents[0] = run(6, 10);
    const summary all = summarize(documents);
    CHECK(all.verdict == status::inconclusive);
    REQUIRE(all.unfit.size() == 1);
    CHECK_THAT(all.unfit.front(), Catch::Matchers::Contains("6 of 10 measurements"));
}

TEST_CASE("what was skipped is counted apart, never as not holding") {
    const auto documents =
        verify_of({{{"name", "a"}, {"model", "sc"}, {"verdict", "verified"}, {"executions", 1}},
                   {{"name", "b"}, {"model", "sc"}, {"verdict", "skipped"}, {"executions", 0}},
                   {{"name", "c"}, {"model", "sc"}, {"verdict", "refuted"}, {"executions", 1}}});
    const summary all = summarize(documents);
    CHECK(all.headline() == "1 of 2 results is not as expected");
    CHECK(all.counts_line() == "1 passed, 1 failed, 1 skipped");
    CHECK(all.counts_line(document_kind::verify) == all.counts_line());
    CHECK_THAT(to_badge(all), Catch::Matchers::Contains("1 of 2 failed"));
    CHECK_THAT(to_markdown(all, documents), Catch::Matchers::Contains("1 passed, 1 failed, 1 skipped"));
    const auto good =
        verify_of({{{"name", "a"}, {"model", "sc"}, {"verdict", "verified"}, {"executions", 1}},
                   {{"name", "b"}, {"model", "sc"}, {"verdict", "skipped"}, {"executions", 0}}});
    CHECK_THAT(to_badge(summarize(good)), Catch::Matchers::Contains("1 of 1 hold"));
}

TEST_CASE("litmus tests that were skipped are no tests that were run") {
    std::vector<document> documents{sample("litmus.json")};
    documents[0].content["results"][0]["verdict"] = "skipped";
    CHECK_THAT(summarize(documents).litmus_line(),
               Catch::Matchers::StartsWith("3 litmus tests (1 more skipped)"));
}

TEST_CASE("numbers of executions come with the compiler that they depend on") {
    auto documents =
        verify_of({{{"name", "n"}, {"model", "sc"}, {"verdict", "verified"}, {"executions", 7}}});
    documents[0].content["environment"] = {{"compiler", "g++ 12.2.0"}};
    CHECK_THAT(summarize(documents).verify_line(),
               Catch::Matchers::EndsWith("in 7 executions (compiled by g++ 12.2.0)"));
    documents[0].content["environment"]["program_compiler"] = "clang 14.0.6"; // that of a checked program
    CHECK_THAT(summarize(documents).verify_line(), Catch::Matchers::EndsWith("(compiled by clang 14.0.6)"));
    // As the museum's compiled sources name it; the second document is built by the same one.
    documents[0].content["environment"]["program_compiler"] = "GCC (Debian 12.2.0-14+deb12u1) 12.2.0";
    CHECK_THAT(summarize(documents).verify_line(), Catch::Matchers::EndsWith("(compiled by GCC 12.2.0)"));
    documents.push_back(documents[0]);
    documents[1].content["environment"].erase("program_compiler");
    CHECK_THAT(summarize(documents).verify_line(), Catch::Matchers::EndsWith("(compiled by g++ 12.2.0)"));
    documents[1].content["environment"]["compiler"] = "g++ 13.3.0";
    CHECK_THAT(summarize(documents).verify_line(),
               Catch::Matchers::EndsWith("(compiled by GCC 12.2.0 and g++ 13.3.0)"));
}

TEST_CASE("of several runs each ratio's newest counts, in whatever order they are named") {
    const auto run = [](const char* date, const char* peer, double ratio) {
        return accept("b.json", json{{"context", {{"date", date}}},
                                     {"benchmarks",
                                      {{{"name", "w"},
                                        {"run_type", "aggregate"},
                                        {"workload", "w"},
                                        {"peer", peer},
                                        {"ratio_ours_to_peer_median", ratio}}}}});
    };
    const std::vector<document> documents{run("2026-02-02T00:00:00+00:00", "p", 0.5),
                                          run("2026-01-01T00:00:00+00:00", "p", 0.25),
                                          run("2026-01-01T00:00:00+00:00", "q", 0.2)};
    const auto rows = summarize(documents).ratios;
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].median == Approx(2));
    CHECK(rows[1].peer == "q");
    CHECK(rows[1].median == Approx(5));
}

TEST_CASE("the first lines say models, executions and iterations") {
    std::vector<document> documents;
    for (const char* name : {"verify.json", "litmus.json"}) documents.push_back(sample(name));
    const summary all = summarize(documents);
    CHECK(all.verify_line() ==
          "8 results are verified and 4 mutants are refuted, under rc11 and sc, in 6 372 executions "
          "(compiled by g++ 12.2.0)");
    CHECK(all.litmus_line() ==
          "4 litmus tests, 4 000 000 iterations on hardware: every outcome seen is one that "
          "the models allow");
    CHECK(all.headline() == "Everything asked for holds, within the stated bounds");
}

TEST_CASE("the summary for the page names every result that is not as expected") {
    const std::vector<document> documents{sample("hostile.json")};
    const json made = to_json(summarize(documents));
    CHECK(made["status"] == "failed");
    CHECK(made["problems"].size() == 4); // all but the one that was skipped
    CHECK(made["tallies"]["verify"]["skipped"] == 1);
}

TEST_CASE("mutants of --weaken with plain and with atomic data have columns of their own") {
    json plain = mutant("B", "rc11", "refuted", "refuted", 4),
         atomic = mutant("B", "rc11", "verified", "verified"),
         unsaid = mutant("B", "tso", "verified", "verified");
    const json site{{"function", "publish_head"},
                    {"access", "store"},
                    {"from", "release"},
                    {"to", "relaxed"},
                    {"finding", "needed"}};
    for (json* one : {&plain, &atomic, &unsaid}) (*one)["weakened"] = site;
    plain["weakened"]["data"] = "plain", atomic["weakened"]["data"] = "atomic";
    unsaid["weakened"]["data"] = nullptr;
    const auto documents = verify_of({plain, atomic, unsaid});
    const auto rows = summarize(documents).barriers;
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].model == "rc11");
    CHECK(rows[0].found == barrier_row::finding::needed);
    CHECK(rows[1].model == "rc11, atomic data");
    CHECK(rows[1].found == barrier_row::finding::survived);
    CHECK(rows[2].model == "tso");
    CHECK(rows[2].found == barrier_row::finding::survived);
}
