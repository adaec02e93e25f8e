// SPDX-License-Identifier: Apache-2.0
// What CI systems show of a result: where, of what kind, and the same tomorrow.
#include "finding.hpp"
#include "findings.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::report;

namespace {

/// A finding without the summary that it points into.
struct copied {
    std::string rule, message, file, fingerprint;
    long line;
    bool warning;
};

std::vector<copied> all_of(const json& content) {
    const std::vector<document> documents{accept("r.json", content)};
    const summary all = summarize(documents);
    std::vector<copied> made;
    for (const finding& f : findings_of(all))
        made.push_back({std::string(f.kind->id), f.message, f.file, f.fingerprint, f.line, f.warning});
    return made;
}
copied only(const json& content) {
    const auto made = all_of(content);
    REQUIRE(made.size() == 1);
    return made.front();
}

json& result_of(json& content) { return content["results"][0]; }
json& found_in(json& content) { return result_of(content)["counterexample"]; }

} // namespace

TEST_CASE("a finding stands where its execution ends, with the rule of its kind") {
    const copied race = only(refuted_program());
    CHECK(race.rule == "data-race");
    CHECK(race.message == "my flag under rc11: data race on f.data");
    CHECK(race.file == "include/flag.hpp");
    CHECK(race.line == 9);
    CHECK_FALSE(race.warning);
    CHECK(race.fingerprint.size() == 16);
}

TEST_CASE("an access in a library's header is shown at the line of the repository that calls it") {
    json content = refuted_program();
    json& last = found_in(content)["events"][2];
    last["file"] = "/usr/include/c++/12/bits/atomic_base.h";
    last["callers"] = {{{"file", "/usr/include/c++/12/atomic"}, {"line", 3}},
                       {{"file", "tests/flag.cpp"}, {"line", 12}}};
    CHECK(only(content).file == "tests/flag.cpp");
    CHECK(only(content).line == 12);
    last.erase("callers");
    CHECK(only(content).file == "include/flag.hpp"); // the other access
    CHECK(only(content).line == 6);
    for (json& event : found_in(content)["events"]) event["file"] = "/elsewhere/a.hpp";
    CHECK(only(content).file == "tests/flag.cpp"); // the program
    CHECK(only(content).line == 1);
    result_of(content)["file"] = "/elsewhere/flag.cpp";
    CHECK(only(content).file == "/elsewhere/a.hpp");
}

TEST_CASE("a fingerprint is the same after lines have moved, and where another execution was met first") {
    const std::string before = only(refuted_program()).fingerprint;
    json moved = refuted_program();
    for (json& event : found_in(moved)["events"]) event["line"] = event["line"].get<int>() + 40;
    found_in(moved)["message"] = "data race on f.data: T1 writes at flag.hpp:46, main reads at flag.hpp:49";
    CHECK(only(moved).line == 49);
    CHECK(only(moved).fingerprint == before);
    json turned = refuted_program();
    std::swap(found_in(turned)["events"][1], found_in(turned)["events"][2]);
    found_in(turned)["replay"] = "another";
    CHECK(only(turned).fingerprint == before);
    const auto allocated = [&](const char* location) {
        json content = refuted_program();
        for (const int i : {1, 2}) found_in(content)["events"][i]["location"] = location;
        return only(content).fingerprint;
    };
    CHECK(allocated("new@list.hpp:62#2.next") == allocated("new@list.hpp:71#2.next"));
    CHECK(allocated("new@list.hpp:62#2.next") != allocated("new@list.hpp:62#3.next"));
    CHECK(allocated("0x7f00beef") == allocated("0x7f00cafe"));
}

TEST_CASE("what is another finding has another fingerprint") {
    const std::string before = only(refuted_program()).fingerprint;
    const auto changed = [&](auto change) {
        json content = refuted_program();
        change(content);
        return only(content).fingerprint;
    };
    CHECK(changed([](json& c) { found_in(c)["kind"] = "assertion"; }) != before);
    CHECK(changed([](json& c) { found_in(c)["events"][2]["location"] = "f.other"; }) != before);
    CHECK(changed([](json& c) { found_in(c)["events"][2]["file"] = "include/other.hpp"; }) != before);
    CHECK(changed([](json& c) { result_of(c)["name"] = "other"; }) != before);
    CHECK(changed([](json& c) { result_of(c)["model"] = "tso"; }) != before);
}

TEST_CASE("a program named by its file has the same fingerprint from every folder") {
    const auto named = [](const char* name) {
        json content = refuted_program();
        result_of(content)["name"] = name;
        return only(content).fingerprint;
    };
    CHECK(named("tests/flag.cpp") == named("flag.cpp"));
    CHECK(named("tests/flag.cpp") != named("other.cpp"));
}

TEST_CASE("without a counterexample the rule says what is missing") {
    json content = refuted_program();
    json& result = result_of(content);
    result.erase("counterexample");
    const auto rule_with = [&](const char* verdict, const char* expected) {
        result["verdict"] = verdict, result["expected"] = expected, result["executions"] = 3;
        return only(content).rule;
    };
    CHECK(rule_with("verified", "refuted") == "unrefuted");
    CHECK(rule_with("refuted", "verified") == "uncovered");
    CHECK(rule_with("inconclusive", "verified") == "inconclusive");
    CHECK(only(content).warning);
    CHECK(rule_with("error", "verified") == "error");
    result["verdict"] = "verified", result["executions"] = 0, result["ok"] = true;
    CHECK(only(content).rule == "nothing-shown");
    result["executions"] = 3;
    CHECK(all_of(content).empty());
}
