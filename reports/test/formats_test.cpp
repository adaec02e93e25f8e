// SPDX-License-Identifier: Apache-2.0
// The derived formats against files that a person has read.
#include "approval.hpp"
#include "badge.hpp"
#include "findings.hpp"
#include "junit.hpp"
#include "markdown.hpp"
#include "page.hpp"
#include "sarif.hpp"

#include <set>

using namespace ringproof::report;

namespace {

std::vector<document> good() { return {sample("verify.json"), sample("litmus.json"), sample("bench.json")}; }
std::vector<document> hostile() {
    return {sample("hostile.json"), sample("hostile-litmus.json"), sample("hostile-bench.json")};
}

} // namespace

TEST_CASE("JUnit, Markdown, SARIF and the badge are as approved") {
    const auto documents = good();
    const summary all = summarize(documents);
    approve("good.junit.xml", to_junit(all));
    approve("good.summary.md", to_markdown(all, documents));
    approve("good.results.sarif", to_sarif(all));
    approve("good.badge.svg", to_badge(all));
}

TEST_CASE("the same with hostile names, failures, errors and inconclusive results") {
    const auto documents = hostile();
    const summary all = summarize(documents);
    approve("hostile.junit.xml", to_junit(all));
    approve("hostile.summary.md", to_markdown(all, documents));
    approve("hostile.results.sarif", to_sarif(all));
    approve("hostile.badge.svg", to_badge(all));
}

TEST_CASE("no format lets a hostile name through as markup") {
    const auto documents = hostile();
    const summary all = summarize(documents);
    for (const std::string& text : {to_junit(all), to_badge(all)})
        for (const char* tag : {"<img", "<b>", "<u>", "<i>", "<script"})
            CHECK(text.find(tag) == std::string::npos);
    CHECK(to_markdown(all, documents).find('<') == std::string::npos);
    const std::string page = to_page(all, documents);
    CHECK(page.find("<img src=x") == std::string::npos);
    CHECK(page.find("alert(2)</script>") == std::string::npos);
    CHECK(page.find("\xE2\x80\xA8 ]]") == std::string::npos);
}

TEST_CASE("the page holds the documents whole") {
    const auto documents = good();
    const std::string page = to_page(summarize(documents), documents);
    const std::string open = R"(<script id="ringproof-data" type="application/json">)";
    const auto at = page.find(open);
    REQUIRE(at != std::string::npos);
    const auto from = at + open.size();
    const json data = json::parse(page.substr(from, page.find("</script>", from) - from));
    REQUIRE(data["documents"].size() == 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(data["documents"][i]["content"] == documents[i].content);
    CHECK(data["documents"][0]["outcomes"].size() == documents[0].content["results"].size());
}

TEST_CASE("an expected refutation is no violation for SARIF") {
    const auto documents = good();
    CHECK(json::parse(to_sarif(summarize(documents)))["runs"][0]["results"].empty());
}

TEST_CASE("a violation stands at the source line where its execution ends") {
    const auto documents = hostile();
    const json result = json::parse(to_sarif(summarize(documents)))["runs"][0]["results"][0];
    const json& place = result["locations"][0]["physicalLocation"];
    CHECK(place["artifactLocation"]["uri"] == "a%20b/%3Ci%3E.cpp");
    CHECK(place["region"]["startLine"] == 9);
    CHECK(result["codeFlows"][0]["threadFlows"].size() == 2);
}

TEST_CASE("SARIF has one rule for each kind of finding that there is, and stable fingerprints") {
    const auto documents = hostile();
    const json run = json::parse(to_sarif(summarize(documents)))["runs"][0];
    std::set<std::string> rules, used;
    for (const json& rule : run["tool"]["driver"]["rules"]) {
        CHECK(rules.insert(rule["id"]).second);
        CHECK(rule["help"]["text"].get<std::string>().size() > 20);
    }
    for (const json& result : run["results"]) {
        used.insert(result["ruleId"]);
        const std::string print = result["partialFingerprints"]["ringproof/v1"];
        CHECK(result["partialFingerprints"]["primaryLocationLineHash"] == print + ":1");
    }
    CHECK(rules == used);
    CHECK(rules.size() > 2);
}

TEST_CASE("the summary lists what was checked, and how to see a counterexample again") {
    const std::vector<document> documents{accept("r.json", refuted_program())};
    const std::string text = to_markdown(summarize(documents), documents);
    CHECK(text.find("| my flag | rc11 | **refuted** | 0 | 0.00 |") != std::string::npos);
    CHECK(text.find("(include/flag.hpp:9); again: ringproof check --program 'my flag' --replay T") !=
          std::string::npos);
}

TEST_CASE("an inconclusive result is no pass for a system that reads JUnit") {
    const auto documents = hostile();
    CHECK(to_junit(summarize(documents)).find("<error type=\"inconclusive\"") != std::string::npos);
}
