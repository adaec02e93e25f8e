// SPDX-License-Identifier: Apache-2.0
#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

program_run weaken(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), RINGPROOF_TEST_SCENARIOS);
    return run_binary(arguments);
}

json results_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "-"});
    return json::parse(weaken(std::move(arguments)).out).at("results");
}

/// The findings of all results whose access asks for `from`.
std::set<std::string> findings(const json& results, const std::string& access, const std::string& from) {
    std::set<std::string> all;
    for (const json& r : results)
        if (r.at("weakened").at("access") == access && r.at("weakened").at("from") == from)
            all.insert(r.at("weakened").at("finding"));
    return all;
}

} // namespace

TEST_CASE("an order is needed when a scenario fails without it, and over-strong when none does") {
    const json results = results_of({"needed:", "--weaken"});
    CHECK(findings(results, "load", "acquire") == std::set<std::string>{"needed"});
    CHECK(findings(results, "store", "seq_cst") == std::set<std::string>{"over-strong"});
    for (const json& r : results) {
        const bool needed = r.at("weakened").at("finding") == "needed";
        CHECK(r.at("verdict") == (needed ? "refuted" : "verified"));
        CHECK(r.count("counterexample") == (needed ? 1 : 0));
        CHECK(r.at("mutant") == (needed ? "C" : "B"));
    }
    const program_run run = weaken({"needed:", "--weaken"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("needed        C, fixture.cpp") && Contains("data race") &&
                            Contains("over-strong   B, fixture.cpp"));
}

TEST_CASE("what the source gives a reason for is no finding") {
    const json results = results_of({"strong:", "--weaken"});
    CHECK(findings(results, "read-modify-write", "release") ==
          std::set<std::string>{"over-strong, with a reason"});
    CHECK(findings(results, "read-modify-write", "acq_rel") == std::set<std::string>{"over-strong"});
}

TEST_CASE("what a bound ends is inconclusive, never needed") {
    // Three executions as it stands, four when the fence is weaker.
    const program_run run = weaken({"open:", "--weaken", "--max-executions", "3"});
    CHECK(run.code == 4);
    CHECK_THAT(run.out,
               Contains("inconclusive") && Contains("ended by --max-executions") && !Contains("needed"));
}

TEST_CASE("a scenario that a bound ends as it stands is left out, and the whole is inconclusive") {
    const program_run run = weaken({"open:", "library:", "--weaken", "--max-executions", "2"});
    CHECK(run.code == 4);
    CHECK_THAT(run.out + run.err, Contains("left out, inconclusive"));
}

TEST_CASE("a scenario that fails as it stands is said to, and ends it") {
    const program_run run = weaken({"fails as it stands", "--weaken"});
    CHECK(run.code == 1);
    CHECK_THAT(run.err, Contains("fails as it stands: fails as it stands [rc11]: data race"));
}

TEST_CASE("where only mutants are chosen there is nothing to weaken") {
    CHECK(weaken({"mutant:", "--weaken"}).code == 5);
    CHECK(weaken({"mutant:", "--weaken=optimize"}).code == 5);
}

TEST_CASE("the shortest of the executions that fail is shown by --shortest, which says of how many") {
    const program_run run = weaken({"long and short", "--shortest"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("events; the shortest of ") && Contains("executions met that fail"));
    const json first = results_of({"long and short"}).at(0),
               shortest = results_of({"long and short", "--shortest"}).at(0);
    CHECK(first.count("failing") == 0);
    CHECK(shortest.at("failing") >= 2);
    const auto events = [](const json& r) { return r.at("counterexample").at("events").size(); };
    CHECK(events(shortest) < events(first));
    CHECK(weaken({"long and short", "--shortest", "--jobs", "2"}).code == 2);
}

TEST_CASE("how short counterexamples are is said by --weaken") {
    CHECK_THAT(weaken({"needed:", "--weaken"}).out,
               Contains("no other was met that fails") || Contains("executions met that fail"));
}

TEST_CASE("orders that a library asks for by itself are left as they are") {
    const std::size_t alone = results_of({"strong:", "--weaken"}).size();
    CHECK(alone > 0);
    CHECK(results_of({"library:", "strong:", "--weaken"}).size() == alone);
}

TEST_CASE("the weakest orders of a message are a release and an acquire") {
    const json results = results_of({"needed: a flag", "--weaken=optimize"});
    std::map<std::string, std::string> enough;
    for (const json& r : results) enough[r.at("weakened").at("access")] = r.at("weakened").at("to");
    CHECK(enough == std::map<std::string, std::string>{{"load", "acquire"}, {"store", "release"}});
}

TEST_CASE("store buffering needs all of its orders") {
    const program_run run = weaken({"store buffering", "--weaken=optimize"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, !Contains("weaker") && Contains("seq_cst   seq_cst"));
}

TEST_CASE("orders are found for a program that asks for too little") {
    const program_run run = weaken({"too weak", "--weaken=optimize"});
    CHECK(run.code == 0);
    CHECK_THAT(
        run.out,
        Contains(
            "with the orders it asks for: refuted, too weak: seq_cst is what it takes [rc11]: data race") &&
            Contains("relaxed   release   STRONGER") && Contains("relaxed   acquire   STRONGER"));
}

TEST_CASE("several processes come to the same findings") {
    const auto names = [](const json& results) {
        std::set<std::string> all;
        for (const json& r : results)
            all.insert(r.at("name").get<std::string>() + r.at("verdict").get<std::string>());
        return all;
    };
    CHECK(names(results_of({"needed:", "strong:", "--weaken"})) ==
          names(results_of({"needed:", "strong:", "--weaken", "--jobs", "3"})));
}

TEST_CASE("what cannot go together with --weaken is refused") {
    CHECK(weaken({"--weaken=cheaper"}).code == 2);
    CHECK(weaken({"--weaken", "--estimate"}).code == 2);
    CHECK(weaken({"--weaken", "--checkpoint", "x"}).code == 2);
}

TEST_CASE("A, B, C and D of the ring are needed") {
    const program_run run =
        run_binary({RINGPROOF_TEST_CORE, "spsc_queue", "--model", "rc11", "--weaken", "--json", "-"});
    const json results = json::parse(run.out).at("results");
    std::set<std::string> letters;
    for (const json& r : results) {
        CHECK(r.at("weakened").at("finding") == "needed");
        CHECK(r.at("counterexample").at("events").size() > 1);
        if (r.count("mutant") > 0) letters.insert(r.at("mutant"));
    }
    CHECK(letters == std::set<std::string>{"A", "B", "C", "D"});
}

namespace {

/// The first two cells of the rows between the marks of docs/weaken.md.
std::set<std::string> rows_with_reasons() {
    std::ifstream document(RINGPROOF_TEST_REASONS);
    std::set<std::string> rows;
    bool inside = false;
    for (std::string line; std::getline(document, line);) {
        if (line == "<!-- end -->") inside = false;
        if (inside && line.rfind("| `", 0) == 0) {
            std::istringstream cells(line);
            std::string empty, site, order, reason;
            std::getline(cells, empty, '|'), std::getline(cells, site, '|'), std::getline(cells, order, '|');
            std::getline(cells, reason, '|');
            CHECK(reason.size() > 20);
            rows.insert(site + order);
        }
        if (line == "<!-- over-strong -->") inside = true;
    }
    return rows;
}

} // namespace

TEST_CASE("no order of the core is stronger than needed, but for those with a reason in docs/weaken.md") {
    const program_run run = run_binary(
        {RINGPROOF_TEST_CORE, "--model", "rc11", "--weaken", "--max-executions", "1000000", "--json", "-"});
    const json results = json::parse(run.out).at("results");
    std::set<std::string> excused;
    for (const json& r : results) {
        const json& w = r.at("weakened");
        const std::string finding = w.at("finding");
        INFO(r.at("name").get<std::string>() << ": " << r.value("message", ""));
        CHECK((finding == "needed" || finding == "over-strong, with a reason"));
        std::string function = w.at("function");
        function = function.substr(0, function.find_first_of("<("));
        if (const auto scope = function.rfind("::"); scope != std::string::npos) function.erase(0, scope + 2);
        const std::string access = w.at("access"), from = w.at("from");
        if (finding != "needed") excused.insert(" `" + function + "`  " + access + ", " + from + " ");
    }
    CHECK(run.code == 0);
    excused.insert(" `sleep_while`  load, acquire "); // which gcc leaves within its library's function
    CHECK(excused == rows_with_reasons());
    std::set<std::string> letters;
    for (const json& r : results)
        if (r.count("mutant") > 0 && r.at("verdict") == "refuted") letters.insert(r.at("mutant"));
    CHECK(letters == std::set<std::string>{"A", "B", "C", "D", "I", "J", "K", "L", "M"});
}

TEST_CASE("a scenario that fails under a model that it does not name is left out, and said to be") {
    const program_run run =
        run_binary({RINGPROOF_TEST_CORE, "=queue, one producer, each, control_dependency: every item once",
                    "=spsc_queue: items arrive once and in order", "--model", "rc11", "--weaken"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("1 search left out, which fails under a model that it does not name"));
}
