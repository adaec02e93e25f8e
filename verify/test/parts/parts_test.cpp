// SPDX-License-Identifier: Apache-2.0
// ringproof split and merge, as an engine that runs arrays of commands uses them.

#include "run_binary.hpp"

#include <ringproof/command/temporary_folder.hpp>

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using json = nlohmann::ordered_json;

const std::string orders = "=orders: every order of six increments"; // 720 executions

program_run scenarios(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), RINGPROOF_TEST_RESUMED);
    return run_binary(arguments);
}

/// A folder that is gone when the test is.
struct scratch {
    ringproof::command::temporary_folder own{"ringproof-test"};
    fs::path folder = own.path();
    std::string operator/(const std::string& name) const { return own / name; }

    /// Stops the search early, and divides what is left. @return the number of parts
    unsigned divided(const std::vector<std::string>& what, unsigned into, const std::string& parts = "parts",
                     unsigned positions = 60, unsigned first = 20) {
        std::vector<std::string> head = what;
        head.insert(head.end(),
                    {"--max-executions", std::to_string(first), "--checkpoint", *this / "rest.json",
                     "--divide", std::to_string(positions), "--json", *this / "head.json"});
        REQUIRE(scenarios(head).code == 4);
        return split(*this / "rest.json", into, parts);
    }
    unsigned split(const std::string& checkpoint, unsigned into, const std::string& parts) const {
        const program_run run = run_binary(
            {RINGPROOF_TEST_SPLIT, checkpoint, "--into", std::to_string(into), "-o", *this / parts});
        INFO(run.err);
        REQUIRE(run.code == 0);
        unsigned count = 0;
        while (fs::exists(*this / (parts + "/" + std::to_string(count + 1) + ".json"))) ++count;
        return count;
    }
    program_run part(unsigned number, std::vector<std::string> more = {}, const std::string& parts = "parts",
                     const std::string& out = ".json.out") const {
        const std::string path = *this / (parts + "/" + std::to_string(number));
        more.insert(more.end(), {"--resume", path + ".json", "--json", path + out});
        return scenarios(more);
    }
    program_run merge(const std::vector<std::string>& more = {}, const std::string& parts = "parts") const {
        std::vector<std::string> command{RINGPROOF_TEST_MERGE, "--json", *this / "all.json"};
        command.insert(command.end(), more.begin(), more.end());
        for (const auto& entry : fs::directory_iterator(folder / parts))
            if (entry.path().extension() == ".out") command.push_back(entry.path().string());
        return run_binary(command);
    }
    json merged() const { return json::parse(content_of(*this / "all.json")).at("results"); }
};

json whole(const std::string& name) {
    return json::parse(scenarios({name, "--json", "-"}).out).at("results").at(0);
}

void check_same(const json& merged, const json& at_once) {
    for (const char* what : {"name", "model", "verdict", "expected", "ok", "executions", "permutations",
                             "blocked", "longest", "properties", "covered", "file", "line"})
        CHECK(merged.value(what, json()) == at_once.value(what, json()));
    // How often something is taken for granted depends on what is run again.
    const auto taken = [](json ledger) {
        for (json& entry : ledger) entry.erase("times");
        return ledger;
    };
    CHECK(taken(merged.at("assumptions")) == taken(at_once.at("assumptions")));
}

} // namespace

TEST_CASE("parts come to what the whole search comes to") {
    const std::string name = GENERATE(std::string(orders), std::string("=children: threads of threads"),
                                      std::string("=covered: who comes first and who comes last"));
    const unsigned into = GENERATE(2u, 7u, 16u);
    CAPTURE(name, into);
    scratch files;
    const unsigned parts = files.divided({name}, into, "parts", 6, 2);
    REQUIRE(parts > 1);
    CHECK(parts <= into);
    for (unsigned i = 1; i <= parts; ++i) CHECK(files.part(i).code == 0);
    const program_run all = files.merge();
    CHECK(all.code == 0);
    CHECK_THAT(all.out, Contains("verified"));
    REQUIRE(files.merged().size() == 1);
    check_same(files.merged().at(0), whole(name));
    CHECK(files.merged().at(0).at("parts") == parts);
}

TEST_CASE("what was found before the division may be given too") {
    scratch files;
    const unsigned parts = files.divided({orders}, 3);
    for (unsigned i = 1; i <= parts; ++i) files.part(i);
    CHECK(files.merge({files / "head.json"}).code == 0);
    check_same(files.merged().at(0), whole(orders));
}

TEST_CASE("one scenario beside others is divided, and the others stay whole") {
    scratch files;
    const unsigned parts = files.divided({orders, "=children: threads of threads", "leaks:"}, 4);
    for (unsigned i = 1; i <= parts; ++i) CHECK(files.part(i).code == 0);
    CHECK(files.merge({files / "head.json"}).code == 0);
    CHECK(files.merged().size() == 3);
    for (const json& result : files.merged()) CHECK(result.at("verdict") == "verified");
}

TEST_CASE("a part says of the whole nothing but that it has no error") {
    scratch files;
    files.divided({orders}, 2);
    const program_run run = files.part(1);
    CHECK_THAT(run.out,
               Contains("inconclusive") && Contains("part 1 of 2: no error") && !Contains("verified"));
}

TEST_CASE("a part that is stopped leaves a part, which may be divided again") {
    scratch files;
    REQUIRE(files.divided({orders}, 2) == 2);
    CHECK(files.part(1).code == 0);
    const std::vector<std::string> stop{"--max-executions",  "5",        "--checkpoint",
                                        files / "left.json", "--divide", "9"};
    CHECK(files.part(2, stop).code == 4);
    CHECK(files.merge().code == 4); // part 2 is not searched to its end
    CHECK(files.merged().at(0).at("verdict") == "inconclusive");
    SECTION("goes on") {
        CHECK(scenarios({"--resume", files / "left.json", "--json", files / "parts/2b.out"}).code == 0);
    }
    SECTION("divided") {
        const unsigned parts = files.split(files / "left.json", 3, "of 2");
        for (unsigned i = 1; i <= parts; ++i) {
            CHECK(files.part(i, {}, "of 2").code == 0);
            if (i < parts)
                CHECK(files.merge({files / "of 2/1.json.out"}).code == 2); // with the others missing
        }
        for (const auto& entry : fs::directory_iterator(files.folder / "of 2"))
            if (entry.path().extension() == ".out")
                fs::copy(entry.path(), files.folder / "parts" / ("2." + entry.path().filename().string()));
    }
    CHECK(files.merge().code == 0);
    check_same(files.merged().at(0), whole(orders));
}

TEST_CASE("the part that has the error refutes, whatever the others do") {
    scratch files;
    const std::string deep = "=deep: one of seven in turn is wrong";
    // Of 5,040 executions, the few that tell how large the parts are do not meet it.
    const unsigned parts = files.divided({deep}, 3, "parts", 3);
    unsigned refuted = 0;
    std::string its_result;
    for (unsigned i = 1; i <= parts; ++i)
        if (files.part(i).code == 1) {
            ++refuted;
            its_result = files / ("parts/" + std::to_string(i) + ".json.out");
        }
    CHECK(refuted == 1);
    CHECK(files.merge().code == 1);
    const json all = files.merged().at(0);
    CHECK(all.at("verdict") == "refuted");
    CHECK(scenarios({"--replay", all.at("counterexample").at("replay")}).code == 1);
    CHECK(run_binary({RINGPROOF_TEST_MERGE, its_result}).code == 1);
}

TEST_CASE("what a part learns begins another division, which knows it") {
    scratch files;
    unsigned parts =
        files.divided({"=learns late: from the one of seven in turn that is wrong"}, 3, "parts", 3);
    const std::string learnt = files / "learnt.json";
    unsigned stopped = 0;
    for (unsigned i = 1; i <= parts; ++i) stopped += files.part(i, {"--checkpoint", learnt}).code == 4;
    CHECK(stopped == 1);
    CHECK(files.merge().code == 4);
    CHECK_THAT(files.merged().at(0).at("message").get<std::string>(), Contains("divided anew"));
    const program_run again = scenarios({"--resume", learnt, "--max-executions", "20", "--checkpoint",
                                         files / "again.json", "--divide", "3"});
    REQUIRE(again.code == 4);
    parts = files.split(files / "again.json", 3, "again");
    for (unsigned i = 1; i <= parts; ++i) files.part(i, {}, "again");
    CHECK(files.merge({}, "again").code == 1);
}

TEST_CASE("a situation that no part meets refutes the whole") {
    scratch files;
    const std::string name = "=not covered: an order that there is not";
    const unsigned parts = files.divided({name}, 3);
    for (unsigned i = 1; i <= parts; ++i) CHECK(files.part(i).code == 0);
    CHECK(files.merge().code == 1);
    CHECK_THAT(files.merged().at(0).at("message").get<std::string>(), Contains("seven"));
}

TEST_CASE("parts that are missing, foreign, changed or given twice are refused") {
    scratch files;
    const unsigned parts = files.divided({orders}, 4);
    for (unsigned i = 1; i <= parts; ++i) files.part(i);
    const std::string second = files / "parts/2.json.out", copy = files / "copy.json";
    const auto refused = [&](const char* why, const std::vector<std::string>& more = {}) {
        const program_run run = files.merge(more);
        CHECK(run.code == 2);
        CHECK_THAT(run.err, Contains(why));
    };
    SECTION("missing") {
        fs::remove(second);
        refused("part 2 of 4 is not given");
    }
    SECTION("twice") {
        fs::copy(second, copy);
        refused("both have part 2 of 4", {copy});
    }
    SECTION("changed") {
        json changed = json::parse(content_of(second));
        changed["results"][0]["executions"] = 1;
        std::ofstream(second) << changed.dump(1);
        refused("was changed");
    }
    SECTION("of another division") {
        const unsigned others = files.split(files / "rest.json", 3, "others");
        CHECK(others == 3);
        files.part(1, {}, "others");
        refused("another division", {files / "others/1.json.out"});
    }
    SECTION("no result") {
        refused("parts/1.json", {files / "parts/1.json"});
        std::ofstream(copy) << "{";
        refused("copy.json:1:", {copy});
    }
    CHECK_FALSE(fs::exists(files / "all.json"));
}

TEST_CASE("a checkpoint that is damaged, or not of this checker, is not divided") {
    scratch files;
    files.divided({orders}, 2);
    const std::string text = content_of(files / "rest.json"), path = files / "other.json";
    const auto refused = [&](const std::string& content, const char* why) {
        std::ofstream(path) << content;
        const program_run run = run_binary({RINGPROOF_TEST_SPLIT, path, "--into", "3", "-o", files / "none"});
        CHECK(run.code == 2);
        CHECK_THAT(run.err, Contains(why));
        CHECK_FALSE(fs::exists(files / "none"));
    };
    refused(text.substr(0, text.size() / 2), "damaged");
    refused("{}", "no checkpoint");
    refused("", "no checkpoint");
    std::string changed = text;
    changed[text.find("executions") + 20] ^= 1;
    refused(changed, "damaged");
}

TEST_CASE("parts are not written over others") {
    scratch files;
    files.divided({orders}, 2);
    const program_run run =
        run_binary({RINGPROOF_TEST_SPLIT, files / "rest.json", "--into", "3", "-o", files / "parts"});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("not empty"));
    CHECK_FALSE(fs::exists(files / "parts/3.json"));
}

TEST_CASE("a part of another program is refused") {
    scratch files;
    files.divided({orders}, 2);
    const program_run run = run_binary({RINGPROOF_TEST_SCENARIOS, "--resume", files / "parts/1.json"});
    CHECK(run.code == 2);
}

TEST_CASE("parts are searched by several processes, too") {
    scratch files;
    const unsigned parts = files.divided({orders, "--jobs", "2"}, 3);
    for (unsigned i = 1; i <= parts; ++i) CHECK(files.part(i, {"--jobs", "2"}).code == 0);
    CHECK(files.merge().code == 0);
    check_same(files.merged().at(0), whole(orders));
}
