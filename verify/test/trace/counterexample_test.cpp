// SPDX-License-Identifier: Apache-2.0
// What a counterexample says, read off the output of a real run.

#include "../command/run_binary.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using nlohmann::json;

json example_of(const std::string& name) {
    const program_run run = run_binary({RINGPROOF_TEST_SCENARIOS, "=" + name, "--json", "-"});
    return json::parse(run.out).at("results").at(0).at("counterexample");
}

/// The line of the fixture that holds `text`.
int line_of(const std::string& text) {
    std::istringstream source(content_of(RINGPROOF_TEST_FIXTURE));
    int line = 0;
    for (std::string l; std::getline(source, l);) {
        ++line;
        if (l.find(text) != std::string::npos) return line;
    }
    return -1;
}

std::vector<json> events_of(const json& example, const std::string& kind, const std::string& location) {
    std::vector<json> found;
    for (const json& e : example.at("events"))
        if (e.at("kind") == kind && e.at("location") == location) found.push_back(e);
    return found;
}

// clang splits an object all of whose uses it sees into one for each member, and keeps no place of a
// local that a thread has captured: docs/limits.md.
#ifdef __clang__
constexpr const char* second_member = "plain.0";
constexpr const char *name_of_x = "x.0", *name_of_y = "y.0";
#else
constexpr const char* second_member = "plain.second";
constexpr const char *name_of_x = "x", *name_of_y = "y";
#endif

} // namespace

TEST_CASE("both sides of a race have their place in the source") {
    const json example = example_of("fails: a race on a member of a global");
    const json culprits = example.at("culprits");
    REQUIRE(culprits.size() == 2);
    std::vector<int> lines;
    for (const json& id : culprits) {
        const json& e = example.at("events").at(id.get<std::size_t>() - 1);
        CHECK(e.at("kind") == "plain-write");
        CHECK(e.at("location") == second_member);
        CHECK_THAT(e.at("file").get<std::string>(), EndsWith("fixture.cpp"));
        lines.push_back(e.at("line"));
    }
    std::sort(lines.begin(), lines.end());
    CHECK(lines == std::vector<int>{line_of("plain.second = 1"), line_of("plain.second = 2")});
    CHECK_THAT(example.at("message").get<std::string>(),
               Contains("fixture.cpp:" + std::to_string(lines[0])) &&
                   Contains("fixture.cpp:" + std::to_string(lines[1])));
}

TEST_CASE("atomic accesses carry the user's line, name, order and value, not the library's") {
    const json example = example_of("mutant: store buffering relaxed");
    const auto stores = events_of(example, "write", name_of_x);
    REQUIRE(stores.size() == 1);
    CHECK(stores[0].at("order") == "relaxed");
    CHECK(stores[0].at("value") == "1");
    CHECK(stores[0].at("line") == line_of("x.store(1, order)"));
    const auto loads = events_of(example, "read", name_of_x);
    REQUIRE(loads.size() == 1);
    CHECK(loads[0].at("value") == "0");
    CHECK(loads[0].at("rf").is_null());
    CHECK(loads[0].at("line") == line_of("const int mine = x.load(order)"));
}

TEST_CASE(
    "what lies on a stack is named like the variable, what lies on the heap by what it is assigned to") {
    const json local = example_of("mutant: store buffering relaxed");
#ifdef __clang__
    const auto on_stack = [](const json& e) {
        return e.at("location").is_string() && e.at("location").get<std::string>().starts_with("main.stack-");
    };
    CHECK(std::count_if(local.at("events").begin(), local.at("events").end(), on_stack) == 3); // one is read
#else
    CHECK(events_of(local, "plain-write", "seen").size() == 2);
#endif
    const json heap = example_of("mutant: message passing through a pointer to the heap");
    const std::string place = "shared->second";
    REQUIRE(events_of(heap, "plain-read", place).size() == 1);
    CHECK_THAT(heap.at("message").get<std::string>(), Contains("data race on " + place));
}

TEST_CASE("objects made at one place are told apart, and both sides say from where they were called") {
    const json example = example_of("objects: two made at one place");
    CHECK_THAT(example.at("message").get<std::string>(), Contains("data race on p#2->first"));
    std::vector<int> callers;
    for (const json& id : example.at("culprits")) {
        const json& e = example.at("events").at(id.get<std::size_t>() - 1);
        CHECK(e.at("line") == line_of("p->first = 1"));
        callers.push_back(e.at("callers").at(0).at("line"));
    }
    std::sort(callers.begin(), callers.end());
    CHECK(callers == std::vector<int>{line_of("[=] { touch(made[1]); }"), line_of("// by main")});
}

TEST_CASE("a search that was ended names the loop that it could not get through") {
    const program_run run = run_binary(
        {RINGPROOF_TEST_SCENARIOS, "=counting: a loop with a limit of its own", "--max-executions", "60"});
    CHECK(run.code == 4);
    CHECK_THAT(run.out, Contains("ended by --max-executions; a thread went round ") &&
                            Contains("fixture.cpp:" + std::to_string(line_of("// what has to be bounded"))));
}

TEST_CASE("a wild access is shown at the user's line") {
    const json last = example_of("fails: a wild write").at("events").back();
    CHECK(last.at("kind") == "plain-write");
    CHECK(last.at("location") == "0x12345670000");
    CHECK(last.at("line") == line_of("*nowhere = 1"));
}

TEST_CASE("the failed assertion is the last event, at its line") {
    const json example = example_of("mutant: store buffering relaxed");
    const json last = example.at("events").back();
    CHECK(last.at("kind") == "failure");
    CHECK(last.at("line") == line_of("VERIFY_THAT(seen + mine > 0)"));
    CHECK(example.at("culprits") == json::array({last.at("id")}));
}

TEST_CASE("the relations hold what the execution shows") {
    const json example = example_of("mutant: store buffering relaxed");
    const auto id = [&](const char* kind, const char* location) {
        return events_of(example, kind, location).at(0).at("id").get<int>();
    };
    const int wx = id("write", name_of_x), rx = id("read", name_of_x);
    const int wy = id("write", name_of_y), ry = id("read", name_of_y);
    const json& relations = example.at("relations");
    CHECK(relations.at("fr") ==
          json::array({{std::min(rx, ry), rx < ry ? wx : wy}, {std::max(rx, ry), rx < ry ? wy : wx}}));
    CHECK(relations.at("rf").empty());
    CHECK(relations.at("sw").size() == 2); // create to begin, end to join
    for (const auto& [name, pairs] : relations.items())
        for (const json& pair : pairs) {
            CHECK(pair.at(0) >= 1);
            CHECK(pair.at(1) <= example.at("events").size());
        }
}

TEST_CASE("a read names the write it reads from") {
    const json example = example_of("mutant: message passing through a pointer to the heap");
    const auto loads = events_of(example, "read", name_of_x);
    const auto stores = events_of(example, "write", name_of_x);
    REQUIRE(loads.size() == 1);
    REQUIRE(stores.size() == 1);
    CHECK(loads[0].at("rf") == stores[0].at("id"));
    CHECK(example.at("relations").at("sw").size() == 1); // create to begin: a relaxed store releases nothing
}

TEST_CASE("the columns show one column per thread and mark the culprits") {
    const program_run run = run_binary({RINGPROOF_TEST_SCENARIOS, "=fails: a race on a member of a global"});
    CHECK_THAT(run.out, Contains("main") && Contains("T1"));
    std::istringstream lines(run.out);
    int marked = 0;
    for (std::string line; std::getline(lines, line);) marked += line.find("  > ") == 0;
    CHECK(marked == 2);
    CHECK_THAT(run.out, Contains("plain.second = 2; // the main thread's side"));
    CHECK_THAT(run.out, Contains("--replay "));
}
