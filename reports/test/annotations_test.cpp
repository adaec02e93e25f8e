// SPDX-License-Identifier: Apache-2.0
#include "annotations.hpp"
#include "findings.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::report;

namespace {

std::string annotations_of(const json& content) {
    const std::vector<document> documents{accept("r.json", content)};
    return to_annotations(summarize(documents));
}

} // namespace

TEST_CASE("a finding is one workflow command with its file and line") {
    CHECK(annotations_of(refuted_program()) == "::error file=include/flag.hpp,line=9,title=ringproof%3A data "
                                               "race::my flag under rc11: data race on f.data\n");
}
TEST_CASE("what is inconclusive is a warning, at the program") {
    json content = refuted_program();
    content["results"][0].erase("counterexample");
    content["results"][0]["verdict"] = "inconclusive";
    content["results"][0]["message"] = "ended by the time limit";
    CHECK(annotations_of(content) ==
          "::warning file=tests/flag.cpp,line=1,title=ringproof%3A inconclusive::my flag under rc11: "
          "ended by the time limit\n");
}
TEST_CASE("no name begins a command or a property of its own") {
    json content = refuted_program();
    content["results"][0]["name"] = "a\n::add-mask::b\r100%";
    for (json& event : content["results"][0]["counterexample"]["events"]) event["file"] = "x,line=3:y%.hpp";
    const std::string text = annotations_of(content);
    CHECK(text == "::error file=x%2Cline=3%3Ay%25.hpp,line=9,title=ringproof%3A data "
                  "race::a%0A::add-mask::b%0D100%25 under rc11: "
                  "data race on f.data\n");
}
TEST_CASE("a file outside of the repository is not named, as GitHub does not know it") {
    json content = refuted_program();
    for (json& event : content["results"][0]["counterexample"]["events"]) event["file"] = "/usr/include/a.h";
    content["results"][0]["file"] = "/opt/flag.cpp";
    CHECK(annotations_of(content) ==
          "::error title=ringproof%3A data race::my flag under rc11: data race on f.data\n");
}
TEST_CASE("without a finding there is no line") {
    json content = refuted_program();
    content["results"][0]["expected"] = "refuted";
    content["results"][0]["ok"] = true;
    CHECK(annotations_of(content).empty());
}
