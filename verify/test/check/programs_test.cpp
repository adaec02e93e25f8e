// SPDX-License-Identifier: Apache-2.0
// `ringproof check` over the programs of a ringproof.toml, as the user of another project runs it.
#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
namespace fs = std::filesystem;
using strings = std::vector<std::string>;

const char* const flag_hpp = R"(#include <atomic>
struct flag {
    std::atomic<int> ready{0};
    int data = 0;
    void put() { data = 42, ready.store(1, ORDER); }
    int get() { return ready.load(std::memory_order_acquire) ? data : 42; }
};
)";
const char* const flag_cpp = R"(#include "flag.hpp"
#include <cassert>
#include <thread>
int main() {
    flag one;
    std::thread other([&] { one.put(); });
    assert(one.get() == 42);
    other.join();
}
)";
const char* const quick_c = "#include <assert.h>\nint main(void) { assert(1); }\n";
const char* const toml = R"([defaults]
flags = ["-Iinclude", "-DORDER=std::memory_order_release"]
[[program]]
name = "flag"
sources = ["tests/flag.cpp"]
[[program]]
name = "broken"
sources = ["tests/flag.cpp"]
flags = ["-UORDER", "-DORDER=std::memory_order_relaxed"]
)";

/// A project of somebody else's, in the working folder while the test runs.
struct foreign {
    fs::path before = fs::current_path(), top;
    explicit foreign(const std::string& project = toml) {
        std::string pattern = (fs::temp_directory_path() / "ringproof-test-foreign-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()));
        top = fs::canonical(pattern);
        fs::create_directories(top / ".git");
        fs::create_directories(top / "tests/deep");
        fs::create_directories(top / "include");
        write("include/flag.hpp", flag_hpp);
        write("tests/flag.cpp", flag_cpp);
        write("tests/quick.c", quick_c);
        write("ringproof.toml", project);
        fs::current_path(top);
    }
    ~foreign() {
        fs::current_path(before);
        fs::remove_all(top);
    }
    foreign(const foreign&) = delete;
    foreign& operator=(const foreign&) = delete;
    void write(const char* name, const std::string& text) const { std::ofstream(top / name) << text; }
};

program_run check(strings arguments) {
    arguments.insert(arguments.begin(), RINGPROOF_TEST_CHECK);
    return run_binary(arguments);
}

json results(const std::string& path = "r.json") { return json::parse(content_of(path)); }

} // namespace

TEST_CASE("without files the programs of the project above are checked, and one document has them all") {
    const foreign here;
    fs::current_path(here.top / "tests/deep");
    const program_run run = check({"--json", "r.json"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("verified") && Contains("data race on one.data") &&
                            Contains("2 results: 1 as expected; refuted: broken (rc11)"));
    CHECK_THAT(run.err, Contains("[1/2] flag") && Contains("[2/2] broken"));
    const json document = results();
    CHECK(document["invocation"] == json{"ringproof", "check", "--json", "r.json"});
    CHECK(document["environment"]["folder"] == ".");
    REQUIRE(document["results"].size() == 2);
    const json &good = document["results"][0], &bad = document["results"][1];
    CHECK(good["verdict"] == "verified");
    CHECK(good["command"] == json{"ringproof", "check", "tests/flag.cpp", "--", "-Iinclude",
                                  "-DORDER=std::memory_order_release"});
    CHECK(good["file"] == "tests/flag.cpp");
    CHECK(bad["verdict"] == "refuted");
    const json& found = bad["counterexample"];
    for (const json& event : found["events"])
        if (event["file"].is_string())
            CHECK_THAT(event["file"].get<std::string>(),
                       !Contains("..") && !Catch::Matchers::StartsWith("/"));
    // What it says shows it again.
    strings replay = found["replay_command"];
    CHECK(strings(replay.begin(), replay.begin() + 5) ==
          strings{"ringproof", "check", "--program", "broken", "--replay"});
    const program_run again = check(strings(replay.begin() + 2, replay.end()));
    CHECK(again.code == 1);
    CHECK_THAT(again.out, Contains("data race on one.data"));
}

TEST_CASE("a broken twin that is to be refuted is as expected, and a failure when it is not") {
    const foreign here(std::string(toml) + "expect = \"refuted\"\n");
    CHECK(check({}).code == 0);
    here.write("include/flag.hpp",
               std::string("#undef ORDER\n#define ORDER std::memory_order_release\n") + flag_hpp);
    const program_run run = check({"--program", "broken"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("though to be refuted"));
}

TEST_CASE("one program of the project is chosen by its name") {
    const foreign here;
    CHECK(check({"--program", "flag", "--json", "r.json"}).code == 0);
    CHECK(results()["results"].size() == 1);
    const program_run run = check({"--program", "flog"});
    CHECK(run.code == 5);
    CHECK_THAT(run.err, Contains("no program 'flog': did you mean 'flag'?"));
    const program_run estimate = check({"--program", "flag", "--estimate"});
    CHECK(estimate.code == 0);
    CHECK_THAT(estimate.out, Contains("2 executions"));
    CHECK(check({"--estimate"}).code == 2);
}

TEST_CASE("a program that does not compile is an error of its own, and the others are checked") {
    const foreign here("[[program]]\nname = \"flag\"\nsources = [\"tests/flag.cpp\"]\n"
                       "[[program]]\nname = \"quick\"\nsources = [\"tests/quick.c\"]\n");
    const program_run run = check({"--json", "-", "--junit", "j.xml"});
    CHECK(run.code == 2);
    const json document = json::parse(run.out); // and nothing else is there
    CHECK(document["results"][0]["verdict"] == "error");
    CHECK_THAT(document["results"][0]["message"].get<std::string>(), Contains("does not compile"));
    CHECK(document["results"][1]["verdict"] == "verified");
    CHECK_THAT(run.err, Contains("flag.hpp") && Contains("2 results: 1 as expected; error: flag (rc11)"));
    CHECK_THAT(content_of("j.xml"), Contains("tests=\"2\"") && Contains("errors=\"1\""));
}

TEST_CASE("a budget is divided, and a program that it does not reach is inconclusive") {
    const foreign here;
    CHECK(check({"--budget", "600", "--model", "all", "--program", "flag", "--json", "r.json"}).code == 0);
    for (const json& result : results()["results"]) {
        CHECK(result["bounds"]["seconds"] <= 200); // three models
        CHECK(result["bounds"]["seconds"] > 10);
    }
    CHECK(check({"--budget", "0.000001", "--json", "r.json"}).code == 4);
    const json late = results();
    REQUIRE(late["results"].size() == 2);
    CHECK(late["results"][1]["verdict"] == "inconclusive");
    CHECK_THAT(late["results"][1]["message"].get<std::string>(), Contains("budget of 1e-06 s was used up"));
}

TEST_CASE("flags come from compile_commands.json, relative to its folder") {
    const foreign here(
        "compile_commands = \"build\"\n[[program]]\nname = \"flag\"\nsources = [\"tests/flag.cpp\"]\n");
    fs::create_directories("build");
    const std::string entry =
        R"([{"directory": ")" + (here.top / "build").string() +
        R"(", "file": "../tests/flag.cpp", "command": "c++ -O3 -I../include -DORDER=std::memory_order_ORDER -o f.o -c ../tests/flag.cpp"}])";
    const auto with_order = [&](std::string order) {
        std::string text = entry;
        text.replace(text.find("ORDER -o"), 5, order);
        here.write("build/compile_commands.json", text);
    };
    with_order("release");
    CHECK(check({}).code == 0);
    CHECK(check({"tests/flag.cpp", "--compile-commands", "build"}).code == 0);
    with_order("relaxed");
    const program_run run =
        check({"tests/flag.cpp", "--compile-commands", "build/compile_commands.json", "--json", "r.json"});
    CHECK(run.code == 1);
    strings replay = results()["results"][0]["counterexample"]["replay_command"];
    CHECK(check(strings(replay.begin() + 2, replay.end())).code == 1);
    here.write("ringproof.toml",
               "[[program]]\nname = \"long\"\nsources = [\"tests/flag.cpp\"]\n[[program]]\nname = \"quick\"\n"
               "sources = [\"tests/quick.c\"]\ncompile_commands = \"build\"\n");
    const program_run late = check({"--json", "none.json"}); // known before the first search
    CHECK(late.code == 2);
    CHECK_THAT(
        late.err,
        Contains("ringproof.toml:4:1: program 'quick': build/compile_commands.json: has no entry for"));
    CHECK_FALSE(fs::exists("none.json"));
    const program_run unknown = check({"tests/quick.c", "--compile-commands", "build"});
    CHECK(unknown.code == 2);
    CHECK_THAT(unknown.err, Contains("no entry for tests/quick.c"));
}

TEST_CASE("bad input is refused with a sentence") {
    const foreign here("[[program]]\nname = \"p\"\nsource = [\"tests/quick.c\"]\n");
    fs::current_path(here.top / "tests");
    program_run run = check({});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("../ringproof.toml:3:1: unknown key 'source': did you mean 'sources'?"));
    run = check({"quick.c", "--budget", "3"});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("not for files"));
    CHECK(check({"--project", "/no/such.toml"}).code == 2);
    fs::remove(here.top / "ringproof.toml");
    run = check({});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("no program: name its files, or list programs in a ringproof.toml"));
    CHECK(check({"quick.c"}).code == 0);
}

TEST_CASE("a file's results have its path in the repository, the command with its flags, and the replay") {
    const foreign here;
    fs::current_path(here.top / "tests");
    const strings command{"flag.cpp", "--json", "r.json",       "--rounds",
                          "4",        "--",     "-I../include", "-DORDER=std::memory_order_relaxed"};
    CHECK(check(command).code == 1);
    const json document = results();
    strings whole = command;
    whole.insert(whole.begin(), {"ringproof", "check"});
    CHECK(document["invocation"] == json(whole));
    CHECK(document["environment"]["folder"] == "tests");
    const json& result = document["results"][0];
    CHECK(result["name"] == "flag.cpp");
    CHECK(result["file"] == "tests/flag.cpp");
    CHECK(result["counterexample"]["events"].back()["file"] == "include/flag.hpp");
    const strings replay = result["counterexample"]["replay_command"];
    CHECK(replay == strings{"ringproof", "check", "flag.cpp", "--rounds", "4", "--replay",
                            result["counterexample"]["replay"], "--", "-I../include",
                            "-DORDER=std::memory_order_relaxed"});
    CHECK(check(strings(replay.begin() + 2, replay.end())).code == 1);
}

TEST_CASE("SARIF, annotations and the page have paths in the repository, and the page the lines there") {
    const foreign here;
    for (const char* folder : {"", "tests/deep"}) {
        fs::current_path(here.top / folder);
        const program_run run = check({"--annotations", "-", "--sarif", "r.sarif", "--markdown", "r.md",
                                       "--html", "r.html", "--junit", "r.xml"});
        CHECK(run.code == 1);
        CHECK(run.out.find("::error file=include/flag.hpp,line=6,title=ringproof%3A data race::broken under "
                           "rc11: data race on") == 0);
        const json sarif = json::parse(content_of("r.sarif"))["runs"][0];
        REQUIRE(sarif["results"].size() == 1);
        const json& place = sarif["results"][0]["locations"][0]["physicalLocation"];
        CHECK(place["artifactLocation"]["uri"] == "include/flag.hpp");
        CHECK(place["artifactLocation"]["uriBaseId"] == "%SRCROOT%");
        CHECK(sarif["tool"]["driver"]["rules"][0]["id"] == "data-race");
        CHECK_THAT(content_of("r.md"),
                   Contains("| flag | rc11 | verified | 2 |") && Contains("| broken | rc11 | **refuted** |"));
        CHECK_THAT(content_of("r.xml"), Contains("failures=\"1\""));
        CHECK_THAT(content_of("r.html"),
                   Contains("\"replay_command\":[\"ringproof\",\"check\",\"--program\",\"broken\"") &&
                       Contains("return ready.load(std::memory_order_acquire)"));
    }
}

TEST_CASE("the fingerprint of a finding outlives lines put above it") {
    const foreign here;
    const auto fingerprint = [] {
        check({"--program", "broken", "--sarif", "r.sarif"});
        const json result = json::parse(content_of("r.sarif"))["runs"][0]["results"][0];
        return std::pair(result["partialFingerprints"]["ringproof/v1"].get<std::string>(),
                         result["locations"][0]["physicalLocation"]["region"]["startLine"].get<int>());
    };
    const auto before = fingerprint();
    here.write("include/flag.hpp", std::string("// three\n// new\n// lines\n") + flag_hpp);
    here.write("tests/flag.cpp", std::string("// and one\n") + flag_cpp);
    const auto after = fingerprint();
    CHECK(after.first == before.first);
    CHECK(after.second == before.second + 3);
    std::string renamed = flag_hpp;
    for (std::size_t at = 0; (at = renamed.find("data", at)) != std::string::npos; at += 5)
        renamed.replace(at, 4, "value");
    here.write("include/flag.hpp", renamed);
    CHECK(fingerprint().first != before.first); // another variable: another finding
}
