// SPDX-License-Identifier: Apache-2.0
#include "source_lines.hpp"

#include "approval.hpp"

#include <filesystem>
#include <unistd.h>

using namespace ringproof::report;
namespace fs = std::filesystem;

namespace {

struct folder {
    fs::path path = fs::temp_directory_path() / ("ringproof-report-" + std::to_string(getpid()));
    folder() {
        fs::create_directories(path / "root");
        std::ofstream(path / "secret.txt") << "secret\n";
        std::ofstream text(path / "root" / "a.cpp");
        for (int i = 1; i <= 20; ++i) text << "line " << i << "\n";
    }
    ~folder() { fs::remove_all(path); }
};

std::vector<document> pointing_at(const std::string& file, long line) {
    std::vector<document> documents;
    const json event{{"id", 1}, {"thread", 1}, {"kind", "read"}, {"file", file}, {"line", line}};
    documents.push_back(accept(
        "v.json",
        {{"schema", "ringproof-verify/1"},
         {"tool", {{"name", "ringproof"}, {"version", "0"}}},
         {"results",
          {{{"name", "n"},
            {"model", "sc"},
            {"verdict", "refuted"},
            {"executions", 1},
            {"counterexample", {{"kind", "race"}, {"message", "m"}, {"events", json::array({event})}}}}}}}));
    return documents;
}

} // namespace

TEST_CASE("the lines around an event are taken, and no others") {
    const folder made;
    const json sources = source_lines(pointing_at("a.cpp", 2), made.path / "root");
    CHECK(sources ==
          json{{"a.cpp",
                {{"1", "line 1"}, {"2", "line 2"}, {"3", "line 3"}, {"4", "line 4"}, {"5", "line 5"}}}});
    CHECK(source_lines(pointing_at("a.cpp", 20), made.path / "root")["a.cpp"].size() == 4);
}

TEST_CASE("an absolute path below the root is the same file") {
    const folder made;
    const std::string file = (made.path / "root" / "a.cpp").string();
    CHECK(source_lines(pointing_at(file, 9), made.path / "root")[file]["9"] == "line 9");
}

TEST_CASE("no document can make the report show a file outside the root") {
    const folder made;
    fs::create_symlink(made.path / "secret.txt", made.path / "root" / "link.cpp");
    for (const std::string& name : {std::string("../secret.txt"), (made.path / "secret.txt").string(),
                                    std::string("link.cpp"), std::string("."), std::string("none.cpp")})
        CHECK(source_lines(pointing_at(name, 1), made.path / "root").empty());
}
