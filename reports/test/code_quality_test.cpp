// SPDX-License-Identifier: Apache-2.0
#include "code_quality.hpp"
#include "findings.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::report;

namespace {

json report_of(const json& content) {
    const std::vector<document> documents{accept("r.json", content)};
    return json::parse(to_code_quality(summarize(documents)));
}

} // namespace

TEST_CASE("GitLab's report has each finding with its line, its rule and its fingerprint") {
    const json report = report_of(refuted_program());
    REQUIRE(report.size() == 1);
    CHECK(report[0]["description"] == "my flag under rc11: data race on f.data");
    CHECK(report[0]["check_name"] == "data-race");
    CHECK(report[0]["severity"] == "critical");
    CHECK(report[0]["location"] == json{{"path", "include/flag.hpp"}, {"lines", {{"begin", 9}}}});
    CHECK(report[0]["fingerprint"].get<std::string>().size() == 16);
}
TEST_CASE("a finding outside of the repository is none for GitLab, and none at all is an empty report") {
    json content = refuted_program();
    for (json& event : content["results"][0]["counterexample"]["events"]) event["file"] = "/usr/include/a.h";
    content["results"][0]["file"] = "/opt/flag.cpp";
    CHECK(report_of(content) == json::array());
}
