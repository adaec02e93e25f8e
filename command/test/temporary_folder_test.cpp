// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/file.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

using namespace ringproof::command;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

TEST_CASE("a temporary folder is where it is asked for, and gone with all that is in it") {
    const temporary_folder outer("ringproof-test");
    const char* was = std::getenv("TMPDIR");
    const std::string before = was ? was : "";
    setenv("TMPDIR", outer.path().c_str(), 1);
    fs::path there;
    {
        const temporary_folder folder("ringproof-test");
        there = folder.path();
        CHECK(there.parent_path() == outer.path());
        CHECK_THAT(there.filename().string(), Contains("ringproof-test-"));
        write_text("text", folder / "file");
        CHECK(fs::exists(there / "file"));
        const temporary_folder another("ringproof-test");
        CHECK(another.path() != there);
    }
    CHECK_FALSE(fs::exists(there));
    setenv("TMPDIR", (outer / "none").c_str(), 1);
    CHECK_THROWS_WITH(temporary_folder("x"),
                      Contains("none/x-") && Contains("cannot make a temporary folder"));
    CHECK_THROWS_AS(temporary_folder("x"), file_error);
    was ? setenv("TMPDIR", before.c_str(), 1) : unsetenv("TMPDIR");
}
