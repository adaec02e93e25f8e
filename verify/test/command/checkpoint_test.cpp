// SPDX-License-Identifier: Apache-2.0
// What --resume believes: nothing but a whole checkpoint of this very search. A changed one is refused with a sentence
// and exit code 2, and whatever its numbers are, the checker neither crashes nor hangs.

#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace {

using Catch::Matchers::Contains;
using json = nlohmann::ordered_json;

const std::string orders = "=orders: every order of six increments"; // 720 executions
const std::string children = "=children: threads of threads";

program_run scenarios(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), RINGPROOF_TEST_RESUMED);
    return run_binary(arguments);
}

/// A file that is gone when the test is.
struct scratch {
    std::string path = "/tmp/ringproof-test-resumed-" + std::to_string(getpid()) + ".json";
    scratch() = default;
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;
    ~scratch() { unlink(path.c_str()); }
    void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
    program_run resume(std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--resume", path, "--time", "20"});
        return scenarios(more);
    }
};

std::string checkpoint_of(const scratch& file, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--checkpoint", file.path});
    REQUIRE(scenarios(arguments).code == 4);
    return content_of(file.path);
}

/// With a checksum that is right, as somebody who knows how could make it.
std::string signed_anew(json document) {
    document.erase("checksum");
    const std::string rest = document.dump(1).substr(1) + "\n";
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325u;
    for (const char c : rest) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3u;
    char head[64];
    std::snprintf(head, sizeof head, "{\n \"checksum\": \"%016llx\",", static_cast<unsigned long long>(hash));
    return head + rest;
}

void check_refused(const program_run& run) {
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("checkpoint"));
    CHECK_THAT(run.out, !Contains("verified"));
}

/// Paths of all values that are not lists or objects, and of all lists and objects.
void all_paths(const json& at, const json::json_pointer& path, std::vector<json::json_pointer>& found) {
    if (!path.empty()) found.push_back(path);
    if (at.is_object())
        for (const auto& [key, value] : at.items()) all_paths(value, path / key, found);
    if (at.is_array())
        for (std::size_t i = 0; i < at.size(); ++i) all_paths(at[i], path / i, found);
}

} // namespace

TEST_CASE("a checkpoint with one number lowered is refused") {
    const scratch file;
    const json whole = json::parse(checkpoint_of(file, {orders, "--max-executions", "300"}));
    std::vector<json::json_pointer> paths;
    all_paths(whole, json::json_pointer(), paths);
    unsigned lowered = 0;
    for (const auto& path : paths) {
        if (!whole.at(path).is_number_unsigned() || whole.at(path) == 0) continue;
        json changed = whole;
        changed[path] = whole.at(path).get<std::uint64_t>() - 1;
        file.write(changed.dump(1) + "\n");
        check_refused(file.resume());
        ++lowered;
    }
    CHECK(lowered > 10);
    file.write(whole.dump(1) + "\n");
    CHECK_THAT(file.resume().out, Contains("720 executions"));
}

TEST_CASE("a checkpoint with any byte changed, taken away or added is refused") {
    const scratch file;
    const std::string whole = checkpoint_of(file, {children, "--max-executions", "5"});
    REQUIRE(whole.size() > 500);
    const std::size_t stride = whole.size() / 60; // all bytes are alike to the checksum
    for (std::size_t at = 0; at < whole.size(); at += stride) {
        CAPTURE(at);
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 7)));
        file.write(changed);
        check_refused(file.resume());
        file.write(std::string(whole).erase(at, 1));
        check_refused(file.resume());
    }
    for (const std::string& text :
         {whole + " ", whole.substr(0, whole.size() / 2), std::string(), whole + whole}) {
        file.write(text);
        check_refused(file.resume());
    }
}

TEST_CASE("a field of another kind, or one that is missing, is refused though the checksum is right") {
    const scratch file;
    const json whole = json::parse(checkpoint_of(file, {children, "--max-executions", "5"}));
    std::vector<json::json_pointer> paths;
    all_paths(whole, json::json_pointer(), paths);
    file.write(signed_anew(whole));
    CHECK(file.resume().code == 0);
    // Each is a run of the program: a path meets each third of these values, the next path the next third.
    const std::vector<json> values{nullptr, -1, 0.5, "other", json::array({{1}}), json::object()};
    std::size_t turn = 0;
    for (const auto& path : paths) {
        if (path.to_string() == "/checksum") continue;
        CAPTURE(path.to_string());
        ++turn;
        for (std::size_t i = turn % 3; i < values.size(); i += 3) {
            const json& value = values[i];
            if (value.type() == whole.at(path).type()) continue;
            if (path.to_string().ends_with("seconds") && value == json(0.5)) continue; // which it may be
            json changed = whole;
            changed[path] = value;
            file.write(signed_anew(changed));
            CAPTURE(value);
            const bool empty = value.is_object() && whole.at(path).is_array() && whole.at(path).empty();
            if (empty) continue; // an empty list of anything
            check_refused(file.resume());
        }
        if (!path.parent_pointer().empty() && whole.at(path.parent_pointer()).is_array()) continue;
        json changed = whole;
        changed[path.parent_pointer()].erase(path.back());
        file.write(signed_anew(changed));
        check_refused(file.resume());
    }
}

TEST_CASE("hostile numbers with a right checksum end neither in a crash nor in a hang") {
    const scratch file;
    const json whole = json::parse(checkpoint_of(file, {children, "--max-executions", "5"}));
    std::vector<json::json_pointer> paths;
    all_paths(whole, json::json_pointer(), paths);
    unsigned refused = 0, tried = 0;
    // As above: of these a path meets every other.
    const std::vector<std::uint64_t> values{
        0, 1, 7, 31, 65'535, 4'294'967'295u, std::uint64_t{1} << 61, ~std::uint64_t{0}};
    std::size_t turn = 0;
    for (const auto& path : paths) {
        if (!whole.at(path).is_number()) continue;
        ++turn;
        for (std::size_t i = turn % 2; i < values.size(); i += 2) {
            const std::uint64_t value = values[i];
            json changed = whole;
            changed[path] = value;
            file.write(signed_anew(changed));
            const program_run run = file.resume();
            CAPTURE(path.to_string(), value, run.err, run.out);
            // 4: an error was found, or the program has more threads than there can be.
            CHECK((run.code == 0 || run.code == 2 || run.code == 4));
            refused += run.code == 2;
            ++tried;
        }
    }
    CAPTURE(refused, tried);
    CHECK(refused * 2 > tried);
}

TEST_CASE("a checkpoint of another program or checker is refused, and so is what is none") {
    const scratch file;
    const json whole = json::parse(checkpoint_of(file, {orders, "--max-executions", "5"}));
    const auto changed = [&](const char* field, const char* value) {
        json document = whole;
        document[field] = value;
        file.write(signed_anew(document));
        const program_run run = file.resume();
        check_refused(run);
        return run.err;
    };
    CHECK_THAT(changed("program", "0123456789abcdef"), Contains("another program"));
    CHECK_THAT(changed("checker", "0.0.1"), Contains("checker \"0.0.1\""));
    CHECK_THAT(changed("schema", "ringproof-checkpoint/2"), Contains("another schema"));
    file.write("{\"schema\": 1");
    check_refused(file.resume());
}

TEST_CASE("a position whose ways are not in the program is refused") {
    const scratch file;
    const json whole = json::parse(checkpoint_of(file, {orders, "--max-executions", "300"}));
    const auto changed = [&](auto change) {
        json document = whole;
        change(document["searches"][0]["positions"][0]);
        file.write(signed_anew(document));
        check_refused(file.resume());
        check_refused(file.resume({"--jobs", "2"}));
    };
    changed([](json& p) { p["ends"][0] = 1000; });
    changed([](json& p) { p["ways"][1] = 999, p["ends"][1] = 1000; });
    changed([](json& p) { // deeper than the program goes
        for (int i = 0; i < 100; ++i) p["ways"].push_back(0), p["ends"].push_back(1);
    });
    changed([](json& p) { p["ends"].push_back(1); });
    changed([](json& p) { p["ways"] = json::array(), p["ends"] = json::array(); });
    changed([](json& p) { p["threads"] = json::array(); });
    changed([](json& p) { p["threads"][1] = {5, 0}; });
    changed([](json& p) { p["threads"].push_back({0, 0}); });
    changed([](json& p) {
        for (int i = 0; i < 40; ++i) p["threads"].push_back({0, i + 100});
    });
}

TEST_CASE("positions that overlap, and searches named twice, are refused") {
    const scratch file;
    const json whole = json::parse(checkpoint_of(file, {orders, "--max-executions", "300"}));
    json twice = whole;
    twice["searches"].push_back(twice["searches"][0]);
    file.write(signed_anew(twice));
    check_refused(file.resume());
    json same = whole;
    same["searches"][0]["positions"].push_back(same["searches"][0]["positions"][0]);
    file.write(signed_anew(same));
    check_refused(file.resume());
    json within = whole; // the same place, further down
    json position = whole["searches"][0]["positions"][0];
    position["ways"].erase(position["ways"].size() - 1);
    position["ends"].erase(position["ends"].size() - 1);
    within["searches"][0]["positions"].push_back(position);
    file.write(signed_anew(within));
    check_refused(file.resume());
    json unknown = whole;
    unknown["searches"][0]["scenario"] = "of another program";
    file.write(signed_anew(unknown));
    check_refused(file.resume());
}

TEST_CASE("what several processes left is resumed whole, by one or many") {
    const scratch file;
    checkpoint_of(file, {orders, "--max-executions", "200", "--jobs", "4"});
    const program_run rest = file.resume();
    CHECK(rest.code == 0);
    CHECK_THAT(rest.out, Contains("720 executions"));
}

TEST_CASE("a search is resumed with the options that shaped it, or not at all") {
    const scratch file;
    checkpoint_of(file, {orders, "--max-executions", "300"});
    for (const std::vector<std::string>& other :
         {std::vector<std::string>{"--leaks"}, {"--unfair"}, {"--rounds", "3"}, {"--max-events", "1000"}}) {
        const program_run run = file.resume(other);
        check_refused(run);
        CHECK_THAT(run.err, Contains("without " + other[0]) && Contains("with " + other[0]));
    }
}

TEST_CASE("leaks of the part before the checkpoint are not passed over") {
    const scratch file;
    const std::string leaks = "=leaks: in half of the executions";
    REQUIRE(scenarios({leaks, "--leaks"}).code == 1);
    checkpoint_of(file, {leaks, "--max-executions", "1"});
    CHECK(file.resume().code == 0);
    check_refused(file.resume({"--leaks"}));
}

TEST_CASE("what a bound cut off before the checkpoint still counts after it") {
    const scratch file;
    const std::string rounds = "=rounds: attempts until another thread has written";
    std::vector<std::string> arguments{rounds, "--rounds",     "3",      "--max-executions",
                                       "1",    "--checkpoint", file.path};
    for (int part = 0; part < 3; ++part) {
        REQUIRE(scenarios(arguments).code == 4);
        const program_run rest = file.resume({"--rounds", "3"});
        CHECK(rest.code == 4);
        CHECK_THAT(rest.out, Contains("loop bound 3 at"));
        if (part == 0) arguments.insert(arguments.end(), {"--resume", file.path});
    }
}

TEST_CASE("only the models asked for are resumed") {
    const scratch file;
    checkpoint_of(file, {orders, "--model", "sc", "--max-executions", "300"});
    CHECK(file.resume({"--model", "tso"}).code == 5);
    CHECK_THAT(file.resume({"--model", "sc"}).out, Contains("720 executions"));
}

TEST_CASE("what is no file to read is no internal error") {
    for (const char* path : {"/", "/dev/zero", "/no/such/file"}) {
        const program_run run = scenarios({"--resume", path});
        CHECK(run.code == 2);
        CHECK_THAT(run.err, Contains(std::string(path) + ": cannot read") && !Contains("internal"));
        CHECK(scenarios({"--replay", "@" + std::string(path)}).code == 2);
    }
}

TEST_CASE("what cannot be written is no internal error") {
    for (const char* path : {"/dev/full", "/no/such/folder/file", "/"})
        for (const char* option : {"--json", "--junit", "--checkpoint"}) {
            const program_run run = scenarios({orders, "--max-executions", "10", option, path});
            CAPTURE(path, option);
            CHECK(run.code == 2);
            CHECK_THAT(run.err, Contains(std::string(path) + ": cannot write") && !Contains("internal"));
        }
}

TEST_CASE("a search of which another process alone was interrupted is not finished") {
    const program_run run = scenarios({"interrupted:", "--jobs", "2", "--json", "-"});
    const json result = json::parse(run.out).at("results").at(0);
    CHECK(run.code != 0);
    CHECK(result.at("verdict") == "inconclusive");
    CHECK(result.at("executions") > 0);
}

TEST_CASE("an estimate that was interrupted is not exact") {
    CHECK_THAT(scenarios({"interrupted:", "--model", "rc11", "--estimate"}).out, !Contains("exactly"));
}
