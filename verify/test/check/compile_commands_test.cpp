// SPDX-License-Identifier: Apache-2.0
// Flags from the project's own build.
#include "../../check/compile_commands.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

using namespace ringproof::verify;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;
using strings = std::vector<std::string>;

namespace {

/// A build's folder beside its sources; gone when the test is.
struct build {
    fs::path top;
    build() {
        std::string pattern = (fs::temp_directory_path() / "ringproof-test-database-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()));
        top = fs::canonical(pattern);
        fs::create_directories(top / "build");
        std::ofstream(top / "a.cpp") << "\n";
        std::ofstream(top / "b.cpp") << "\n";
    }
    ~build() { fs::remove_all(top); }
    build(const build&) = delete;
    build& operator=(const build&) = delete;
    std::string source(const char* name) const { return (top / name).string(); }
    std::string database() const { return (top / "build/compile_commands.json").string(); }
    void write(const std::string& text) const { std::ofstream(database()) << text; }
};

} // namespace

TEST_CASE("a command is divided as a shell does") {
    CHECK(words_of_command("g++ -DA=\\\"x\\ y\\\" '-DB=\"$c\\'  \"-I a\\\"b\" \"\"") ==
          strings{"g++", "-DA=\"x y\"", "-DB=\"$c\\", "-I a\"b", ""});
    CHECK(words_of_command("  \n").empty());
}

TEST_CASE("of a command stay the flags that say what the code is") {
    const strings command{"/usr/bin/ccache",
                          "/usr/bin/c++",
                          "-DN=2",
                          "-I../include",
                          "-isystem",
                          "/opt/x",
                          "-O3",
                          "-g",
                          "-DNDEBUG",
                          "-std=gnu++17",
                          "-Wall",
                          "-Werror",
                          "-Wl,-z,now",
                          "-fsanitize=address",
                          "-flto",
                          "-MD",
                          "-MT",
                          "a.o",
                          "-MF",
                          "a.d",
                          "-march=native",
                          "-fno-exceptions",
                          "--coverage",
                          "-o",
                          "a.o",
                          "-c",
                          "../a.cpp"};
    CHECK(flags_of_command(command, "../a.cpp") == strings{"-DN=2", "-I../include", "-isystem", "/opt/x",
                                                           "-DNDEBUG", "-std=gnu++17", "-Wl,-z,now",
                                                           "-march=native", "-fno-exceptions"});
    CHECK(flags_of_command({}, "a.cpp").empty());
    CHECK(flags_of_command({"cc", "a.c", "-o"}, "a.c").empty());
}

TEST_CASE("a source is found by what it is, whatever it is called there, with the folder of its command") {
    const build here;
    here.write(R"([{"directory": ".", "file": "../b.cpp", "command": "c++ -DB -c ../b.cpp"},
                   {"directory": ")" +
               here.source("build") +
               R"(", "file": "../a.cpp", "arguments": ["c++", "-DA", "-c", "../a.cpp"]}])");
    for (const std::string& path : {here.database(), here.source("build")}) {
        const source_file found = source_in_database(path, here.source("a.cpp"));
        CHECK(found.path == here.source("a.cpp"));
        CHECK(found.flags == strings{"-DA"});
        CHECK(found.folder == here.source("build"));
    }
    const source_file other = source_in_database(here.database(), here.source("b.cpp"));
    CHECK(other.flags == strings{"-DB"});
    CHECK(other.folder == here.source("build"));
}

TEST_CASE("what is no such file, or does not know the source, is refused with its name") {
    const build here;
    const auto error = [&](const std::string& text) {
        here.write(text);
        try {
            source_in_database(here.database(), here.source("a.cpp"));
        } catch (const std::runtime_error& what) {
            return std::string(what.what());
        }
        return std::string("no error");
    };
    CHECK_THAT(error("[]"), Contains("compile_commands.json: has no entry for") && Contains("a.cpp"));
    CHECK_THAT(error("{}"), Contains("it is no array"));
    CHECK_THAT(error("[1, {\"file\": 3}, {\"directory\": \"/\"}]"), Contains("has no entry for"));
    CHECK_THAT(error("[{\n"), Contains("compile_commands.json:2:"));
    CHECK_THAT(error("[{\"directory\": \".\", \"file\": \"../a.cpp\"}]"),
               Contains("neither \"command\" nor \"arguments\""));
    CHECK_THROWS_WITH(source_in_database("/no/such/database.json", "a.cpp"), Contains("cannot read"));
}
