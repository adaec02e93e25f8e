// SPDX-License-Identifier: Apache-2.0
// The reader of ringproof.toml: what it understands, and where it says that something is wrong.
#include "../../check/project.hpp"

#include "../../check/budget.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <random>
#include <stdexcept>

using namespace ringproof::verify;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
namespace fs = std::filesystem;
using strings = std::vector<std::string>;

namespace {

/// A project's folder, whose name is a pattern, and which is gone when the test is.
struct sources {
    fs::path top;
    sources() {
        std::string pattern = (fs::temp_directory_path() / "ringproof-test-project-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()));
        top = fs::path(pattern) / "a [b]*";
        fs::create_directories(top / "tests");
        for (const char* name : {"tests/a.cpp", "tests/b.cpp", "tests/c.c", "tests/notes.txt"})
            std::ofstream(top / name) << "\n";
    }
    ~sources() { fs::remove_all(top.parent_path()); }
    sources(const sources&) = delete;
    sources& operator=(const sources&) = delete;
    project read(const std::string& text) const { return parse_project(text, "ringproof.toml", top); }
    std::string error(const std::string& text) const {
        try {
            read(text);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "no error";
    }
};

const std::string whole = R"(budget = 300
compile_commands = "build"
[defaults]
flags = ["-Iinclude"]
models = ["rc11", "tso"]
time = 20
assume = ["clock"]
options = ["--rounds", "4"]
[[program]]
name = "all"
sources = ["tests/*.cpp", "tests/a.cpp"]
flags = ["-DN=2"]
[[program]]
name = "broken"
sources = ["tests/c.c"]
expect = "refuted"
models = ["sc"]
time = 1.5
options = ["--leaks"]
compile_commands = ""
)";

} // namespace

TEST_CASE("a program has what the file says of it, behind the defaults") {
    const sources here;
    const project all = here.read(whole);
    CHECK(all.budget == 300);
    CHECK(all.folder == here.top);
    REQUIRE(all.programs.size() == 2);
    const project_program &first = all.programs[0], &second = all.programs[1];
    CHECK(first.sources == strings{"tests/a.cpp", "tests/b.cpp"}); // in order, and none twice
    CHECK(first.flags == strings{"-Iinclude", "-DN=2"});
    CHECK(first.models == strings{"rc11", "tso"});
    CHECK(first.options == strings{"--assume", "clock", "--rounds", "4"});
    CHECK(first.seconds == 20);
    CHECK(first.compile_commands == "build");
    CHECK(first.expect.empty());
    CHECK(first.place == "ringproof.toml:9:1");
    CHECK(second.models == strings{"sc"});
    CHECK(second.options == strings{"--assume", "clock", "--rounds", "4", "--leaks"});
    CHECK(second.seconds == 1.5);
    CHECK(second.expect == "refuted");
    CHECK(second.compile_commands.empty());
}

TEST_CASE("what is wrong is said with line and column, and with what may be meant") {
    const sources here;
    const std::string program = "[[program]]\nname = \"p\"\n", good = program + "sources = [\"tests/c.c\"]\n";
    CHECK_THAT(here.error("budget = = 3\n"), StartsWith("ringproof.toml:1:10: "));
    CHECK(here.error("bugdet = 3\n" + good) ==
          "ringproof.toml:1:1: unknown key 'bugdet': did you mean 'budget'?");
    CHECK(here.error(program + "source = [\"tests/c.c\"]\n") ==
          "ringproof.toml:3:1: unknown key 'source': did you mean 'sources'?");
    CHECK_THAT(here.error(good + "frobnicate = 1\n"),
               StartsWith("ringproof.toml:4:1: unknown key 'frobnicate'; a program has name, "));
    CHECK(here.error("[defaults]\nname = \"p\"\n" + good).find("ringproof.toml:2:1: unknown key 'name'") ==
          0);
    CHECK_THAT(here.error(program + "sources = \"tests/c.c\"\n"),
               StartsWith("ringproof.toml:3:11: 'sources' must be an array of strings"));
    CHECK_THAT(here.error(program + "sources = [\"tests/c.c\",\n 3]\n"),
               StartsWith("ringproof.toml:4:2: 'sources' must be an array of strings"));
    CHECK_THAT(here.error(program + "sources = [\"tests/*.cxx\"]\n"),
               StartsWith("ringproof.toml:3:12: no file matches 'tests/*.cxx' in "));
    CHECK_THAT(here.error(program + "sources = [\"tests/*\"]\n"),
               StartsWith("ringproof.toml:3:12: tests/notes.txt is no source in C or C++"));
    CHECK_THAT(here.error(program), StartsWith("ringproof.toml:1:1: program 'p' has no sources"));
    CHECK_THAT(here.error("[[program]]\nsources = [\"tests/c.c\"]\n"),
               StartsWith("ringproof.toml:1:1: this program has no name"));
    CHECK(here.error(good + good) ==
          "ringproof.toml:4:1: a program named 'p' is at ringproof.toml:1:1 already");
    CHECK_THAT(here.error("budget = 3\n"), StartsWith("ringproof.toml: there is no program in this file"));
    CHECK_THAT(here.error("program = []\n"), StartsWith("ringproof.toml: there is no program in this file"));
    CHECK_THAT(here.error("[program]\nname = \"p\"\n"), Contains("[[program]], in two brackets"));
    CHECK_THAT(here.error("program = [1]\n"), StartsWith("ringproof.toml:1:12: a program must be a table"));
    CHECK(here.error(good + "models = [\"rc12\"]\n") ==
          "ringproof.toml:4:11: unknown model 'rc12': did you mean 'rc11'?");
    CHECK_THAT(here.error(good + "assume = [\"clocks\"]\n"),
               StartsWith("ringproof.toml:4:11: unknown assumption 'clocks': did you mean"));
    CHECK_THAT(here.error(good + "expect = \"inconclusive\"\n"),
               StartsWith("ringproof.toml:4:10: unknown verdict 'inconclusive'"));
    for (const char* seconds : {"0", "-1", "\"3\"", "inf", "nan", "true"})
        CHECK_THAT(here.error(good + "time = " + seconds + "\n"),
                   StartsWith("ringproof.toml:4:8: 'time' must be a number of seconds above 0"));
    CHECK_THAT(here.error(good + "options = [\"--sarif\", \"a\"]\n"),
               StartsWith("ringproof.toml:4:12: '--sarif' is not for one program"));
    CHECK_THAT(here.error(good + "options = [\"--\", \"-DX\"]\n"),
               Contains("the compiler's flags are 'flags'"));
    CHECK_THAT(here.error(good + "options = [\"--replay=T\"]\n"), Contains("with --program NAME"));
    CHECK_THAT(here.error(good + "options = [\"--roundz\", \"3\"]\n"),
               StartsWith("ringproof.toml:4:11: these options are not understood"));
    CHECK_THAT(here.error(good + "flags = [\"-DX\\u0000\"]\n"), Contains("zero byte"));
    CHECK(here.error(good) == "no error");
}

TEST_CASE("a file that cannot be read is named") {
    CHECK_THROWS_WITH(read_project("/no/such/ringproof.toml"),
                      Contains("/no/such/ringproof.toml: cannot read"));
}

TEST_CASE("of 3,000 damaged files each is read or refused with its place") {
    const sources here;
    std::mt19937 random(7);
    const std::string letters = "[]{}\"'=.,#\\\n \t-09aez\x80\xff";
    unsigned refused = 0, read = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = whole;
        for (unsigned change = 0; change <= i % 4u; ++change) {
            const std::size_t at = random() % text.size();
            switch (random() % 4) {
            case 0:
                text.erase(at, 1 + random() % 12);
                break;
            case 1:
                text.insert(at, 1, letters[random() % letters.size()]);
                break;
            case 2:
                text[at] = letters[random() % letters.size()];
                break;
            default:
                text.insert(at, text.substr(random() % text.size(), random() % 40));
            }
            if (text.empty()) text = "\n";
        }
        const std::string error = here.error(text);
        INFO(text);
        if (error == "no error")
            ++read;
        else
            CHECK_THAT(error, StartsWith("ringproof.toml:"));
        refused += error != "no error";
    }
    CHECK(refused > 1000);
    CHECK(read > 30);
}

TEST_CASE("programs share a budget: what one leaves goes to those behind it") {
    CHECK(share_of(300, 3, 1, 0) == 100);
    CHECK(share_of(290, 2, 1, 0) == 145); // the first took 10
    CHECK(share_of(300, 3, 2, 0) == 50);  // two models
    CHECK(share_of(300, 3, 1, 20) == 20); // its own limit is less
    CHECK(share_of(-5, 3, 1, 0) > 0);     // 0 would be no limit
    CHECK_FALSE(budget(0).used_up());
    CHECK(budget(0).for_each_search(3, 1, 20) == 20);
    CHECK(budget(0).for_each_search(3, 1, 0) == 0);
    CHECK(budget(1e-9).used_up());
    CHECK(budget(3000).for_each_search(3, 1, 0) <= 1000);
}
