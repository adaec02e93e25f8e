// SPDX-License-Identifier: Apache-2.0
#include "ratios.hpp"

#include "approval.hpp"
#include "markdown.hpp"
#include "summary.hpp"

using namespace ringproof::report;

namespace {

json against(const char* peer, double ratio) {
    return {{"name", std::string("w/") + peer}, {"run_type", "aggregate"}, {"workload", "w"},
            {"placement", "same-l3"},           {"regime", "near"},        {"peer", peer},
            {"speed_ratio_median", ratio}};
}

} // namespace

TEST_CASE("a peer that came to a standstill stands apart from the ratios, by its verdict or by its ratio") {
    json stuck{{"name", "w/oversubscribed/tickets"},
               {"run_type", "iteration"},
               {"error_occurred", true},
               {"error_message", "collapsed: not one operation done"},
               {"verdict", "collapsed"},
               {"workload", "w"},
               {"placement", "oversubscribed"},
               {"peer", "tickets"}};
    const std::vector<document> documents{accept(
        "b.json", {{"context", json::object()},
                   {"benchmarks",
                    {against("fair", 1.5), against("slow", 99), against("still", 385443), stuck, stuck}}})};
    const summary all = summarize(documents);
    REQUIRE(all.ratios.size() == 3);
    CHECK_FALSE(all.ratios[1].collapsed);
    CHECK(all.ratios[2].collapsed);
    REQUIRE(all.collapsed.size() == 2);
    CHECK(all.collapsed[0].peer == "tickets");
    CHECK(all.collapsed[0].why == "collapsed: not one operation done");
    CHECK(all.collapsed[1].peer == "still");
    const std::string text = to_markdown(all, documents);
    CHECK_THAT(text, Catch::Matchers::Contains("| w | slow |") && Catch::Matchers::Contains("- still in w") &&
                         !Catch::Matchers::Contains("385") && !Catch::Matchers::Contains("| w | still |"));
    CHECK(to_json(all)["collapsed"].size() == 2);
}

TEST_CASE("runs stand from the oldest to the newest, and the newest ratio counts") {
    const auto run = [](const char* date, double ratio) {
        return accept(date, {{"context", {{"date", date}}}, {"benchmarks", {against("p", ratio)}}});
    };
    const std::vector<document> documents{run("2026-02-01", 2), run("2026-01-01", 1)};
    CHECK(date_of(*runs_of(documents)[0]) == "2026-01-01");
    REQUIRE(ratio_rows(documents).size() == 1);
    CHECK(ratio_rows(documents)[0].median == 2);
}
