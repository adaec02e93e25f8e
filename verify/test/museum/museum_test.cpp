// SPDX-License-Identifier: Apache-2.0
// The verb: a museum of one exhibit, and the museum's own against its page.
#include "exhibit.hpp"
#include "folder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ringproof::verify;
using Catch::Matchers::Contains;
using nlohmann::json;

TEST_CASE("the bug is refuted before the fix, and verified after it") {
    const small_museum museum;
    const program_run run =
        museum.show({"--source", "flag=" + museum.clone, "--json", museum.folder / "out.json"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("before rc11  refuted: data race") && Contains("after  rc11  verified") &&
                            Contains("1 exhibit: 1 refuted before the fix, 1 verified after it"));
    const json results = json::parse(content_of(museum.folder / "out.json")).at("results");
    REQUIRE(results.size() == 2);
    CHECK(results[0].at("name") == "flag, before the fix");
    CHECK(results[0].at("expected") == "refuted");
    CHECK(results[0].at("ok") == true);
    CHECK(results[0].at("exhibit").at("source") == "flag " + museum.before.substr(0, 12));
    CHECK(results[0].at("counterexample").at("events").size() > 3);
    // Its files are gone.
    CHECK_FALSE(results[0].contains("command"));
    CHECK_FALSE(results[0].at("counterexample").contains("replay_command"));
    CHECK(results[1].at("exhibit").at("fixed") == true);
    CHECK(results[1].at("executions") > 0);
}

TEST_CASE("ThreadSanitizer's opinion stands beside ours, before the fix and after it") {
    const small_museum museum;
    // It waits for the flag, so that each run has the race before the fix, and none has it after.
    std::ofstream(museum.exhibits + "/flag.cpp")
        << "#include <flag.hpp>\n#include <thread>\nint main() {\n    std::thread other(publish);\n"
           "    while (!is_there()) std::this_thread::yield();\n    const int seen = data;\n"
           "    other.join();\n    return seen - 42;\n}\n";
    const program_run run =
        museum.show({"--source", "flag=" + museum.clone, "--json", museum.folder / "out.json",
                     "--second-opinion", "tsan", "--opinion-time", "0.2"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("    tsan: data race after") && Contains("    tsan: no report in"));
    const json results = json::parse(content_of(museum.folder / "out.json")).at("results");
    const json before = results.at(0).at("exhibit").at("opinions").at(0),
               after = results.at(1).at("exhibit").at("opinions").at(0);
    INFO(before.dump() << after.dump());
    CHECK(before.at("verdict") == "bug");
    CHECK(before.at("runs") == 1);
    CHECK(after.at("verdict") == "no bug");
    CHECK(after.at("runs") > 0);
    CHECK(museum.show({"--second-opinion", "none"}).code == 2);
}

TEST_CASE("a fix that does not fix, and a bug that is another, are not as expected") {
    const small_museum museum;
    museum.describe("data race", museum.before);
    const program_run unfixed = museum.show({"--source", "flag=" + museum.clone});
    CHECK(unfixed.code == 1);
    CHECK_THAT(unfixed.out, Contains("NOT AS EXPECTED (verified)") && Contains("1 not as expected"));
    museum.describe("assertion failed");
    const program_run other = museum.show({"--source", "flag=" + museum.clone, "--quiet"});
    CHECK(other.code == 1);
    CHECK_THAT(
        other.out,
        Contains(
            "NOT AS EXPECTED (refuted): refuted by another error, not 'assertion failed': data race on") &&
            !Contains("after  rc11  verified"));
}

TEST_CASE("without its source an exhibit is skipped, and nothing else is code 77") {
    const small_museum museum;
    const program_run run = museum.show({});
    CHECK(run.code == 77);
    CHECK_THAT(run.out,
               Contains("needs --source flag=DIR, a clone of https://example.org") && Contains("2 skipped"));
    // --available: no word of it, and nothing is left.
    const program_run left = museum.show(
        {"--available", "--source", "flag=" + museum.clone, "--json", museum.folder / "out.json"});
    CHECK(left.code == 0);
    const program_run none = museum.show({"--available", "--json", museum.folder / "out.json"});
    CHECK(none.code == 77);
    CHECK_THAT(none.out, !Contains("needs --source") && Contains("0 exhibits"));
    CHECK(json::parse(content_of(museum.folder / "out.json")).at("results").empty());
    CHECK(museum.show({"nosuch"}).code == 5);
    CHECK(museum.show({"--source", "flog=/"}).code == 2);
    CHECK(museum.show({"--tim", "3"}).code == 2);
}

TEST_CASE("the list names each exhibit with its source, and what was taken out of a clone can be kept") {
    const small_museum museum;
    CHECK_THAT(museum.show({"--list"}).out,
               Contains("flag") && Contains("--source flag=DIR") && Contains("https://example.org/1"));
    const std::string kept = museum.folder / "kept";
    const program_run run = museum.show(
        {"flag", "--source", "flag=" + museum.clone, "--keep", kept, "--json", museum.folder / "out.json"});
    CHECK(run.code == 0);
    CHECK_THAT(content_of(kept + "/flag/flag-" + museum.before.substr(0, 12) + "/include/flag.hpp"),
               Contains("relaxed"));
    const json results = json::parse(content_of(museum.folder / "out.json")).at("results");
    CHECK_THAT(results[0].at("counterexample").at("replay_command").dump(),
               Contains("--replay") && Contains(kept));
}

TEST_CASE("a driver that does not compile is an error, and --verbose shows why") {
    const small_museum museum;
    std::ofstream(museum.exhibits + "/flag.cpp") << "int main() { return none; }\n";
    const program_run run = museum.show({"--source", "flag=" + museum.clone, "--verbose"});
    CHECK(run.code == 3);
    CHECK_THAT(run.out, Contains("NOT AS EXPECTED") && Contains("none") && Contains("flag.cpp:1"));
}

namespace {

/// The cells of the page's rows "| exhibit | fix | model | verdict | executions | …".
std::vector<std::vector<std::string>> rows_of(const std::string& page) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| ")) continue;
        std::vector<std::string> cells;
        std::istringstream rest(line.substr(2));
        for (std::string cell; std::getline(rest, cell, '|');) {
            cell.erase(0, cell.find_first_not_of(' '));
            cell.erase(cell.find_last_not_of(' ') + 1);
            cells.push_back(cell);
        }
        rows.push_back(cells);
    }
    return rows;
}

/// A cell of the page about another tool: "0.7 s" where it finds the bug.
std::string told(const exhibit& one, const std::string& tool) {
    for (const finder& other : one.found_by)
        if (other.tool == tool) return fmt::format("{:g} s", other.seconds);
    return "";
}

/// Compilers and orders of search move the numbers.
bool near(unsigned long a, unsigned long b) { return a <= 5 * b + 4 && b <= 5 * a + 4; }

} // namespace

TEST_CASE("the page shows what the museum finds in the packages that are here") {
    const ringproof::command::temporary_folder folder("ringproof-test-museum");
    const program_run run = run_binary({RINGPROOF_TEST_MUSEUM, "--json", folder / "out.json"});
    INFO(run.out << run.err);
    CHECK((run.code == 0 || run.code == 77));
    const auto rows = rows_of(content_of(RINGPROOF_TEST_PAGE));
    const json results = json::parse(content_of(folder / "out.json")).at("results");
    REQUIRE(results.size() > 20);
    for (const json& result : results) {
        const json& about = result.at("exhibit");
        const std::string name = about.at("name"), fix = about.at("fixed") ? "after" : "before";
        const bool skipped = result.at("verdict") == "skipped";
        const std::string model = result.at("model");
        const std::string verdict =
            about.at("fixed") ? "verified" : "refuted: " + about.at("shows").get<std::string>();
        const bool listed = std::any_of(rows.begin(), rows.end(), [&](const std::vector<std::string>& row) {
            return row.size() >= 5 && row[0] == name && row[1] == fix && row[2] == model &&
                   row[3] == verdict &&
                   (skipped || near(std::stoul(row[4]), result.at("executions").get<unsigned long>()));
        });
        INFO("no such row: | " << name << " | " << fix << " | " << model << " | " << verdict << " | "
                               << result.at("executions") << " |");
        CHECK(listed);
    }
}

TEST_CASE(
    "the page and the list tell which other tools find a bug, and after how long, as the descriptions do") {
    const auto rows = rows_of(content_of(RINGPROOF_TEST_PAGE));
    const std::string list = run_binary({RINGPROOF_TEST_MUSEUM, "--list"}).out;
    unsigned found = 0;
    for (const exhibit& one : read_exhibits(RINGPROOF_TEST_EXHIBITS)) {
        INFO(one.name);
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const std::vector<std::string>& cells) {
            return cells.size() == 7 && cells[0].starts_with("[" + one.name + "]");
        });
        REQUIRE(row != rows.end());
        for (const auto& [column, tool] : {std::pair{4U, "tsan"}, {5U, "relacy"}, {6U, "genmc"}}) {
            const std::string seconds = told(one, tool);
            INFO(tool << ": " << row->at(column));
            CHECK_FALSE(row->at(column).empty());
            CHECK((row->at(column).find_first_of("0123456789") == 0) == !seconds.empty());
            if (seconds.empty()) continue;
            ++found;
            CHECK(row->at(column) == seconds);
            CHECK_THAT(list, Contains(name_of_tool(tool) + " after " + seconds));
        }
    }
    CHECK(found > 30);
}
