// SPDX-License-Identifier: Apache-2.0
// Paths in results are those of the repository.
#include <ringproof/command/repository.hpp>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

using namespace ringproof::command;
namespace fs = std::filesystem;

namespace {

/// A repository in a folder that is gone when the test is.
struct repository {
    fs::path top;
    repository() {
        std::string pattern = (fs::temp_directory_path() / "ringproof-test-repository-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()));
        top = fs::canonical(pattern);
        fs::create_directories(top / "tests/deep");
        fs::create_directories(top / ".git");
        std::ofstream(top / "tests/queue.cpp") << "int main() {}\n";
    }
    ~repository() { fs::remove_all(top); }
    repository(const repository&) = delete;
    repository& operator=(const repository&) = delete;
};

} // namespace

TEST_CASE("the nearest folder above is found, whether what marks it is a file or a folder") {
    const repository here;
    CHECK(folder_above_with(here.top / "tests/deep", ".git") == here.top);
    std::ofstream(here.top / "tests/.git") << "gitdir: elsewhere\n";
    CHECK(folder_above_with(here.top / "tests/deep", ".git") == here.top / "tests");
    CHECK(folder_above_with(here.top, ".git") == here.top);
    CHECK(folder_above_with(here.top / "tests", "no such file anywhere above").empty());
}
TEST_CASE("a path below the root is relative to it, by whatever links it is named") {
    const repository here;
    CHECK(path_below(here.top, (here.top / "tests/deep/../queue.cpp").string()) == "tests/queue.cpp");
    fs::create_directory_symlink(here.top / "tests", here.top / "link");
    const fs::path other = here.top / "tests/deep";
    CHECK(path_below(here.top / "tests", (here.top / "link/queue.cpp").string()) == "queue.cpp");
    CHECK(path_below(other, (here.top / "tests/queue.cpp").string()) ==
          (here.top / "tests/queue.cpp").string());
}
TEST_CASE("what lies outside, and what is no path, is left as it is") {
    const repository here;
    CHECK(path_below(here.top, "/usr/include/stdio.h") == "/usr/include/stdio.h");
    CHECK(path_below(here.top, "").empty());
    CHECK(path_below({}, "a.c") == "a.c");
    CHECK(path_below(here.top, here.top.string() + "-other/a.c") == here.top.string() + "-other/a.c");
}
