// SPDX-License-Identifier: Apache-2.0
// The reader of descriptions: what it understands, and where it says that something is wrong.
#include "exhibit.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <ringproof/command/file.hpp>
#include <stdexcept>

using namespace ringproof::verify;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
namespace fs = std::filesystem;

namespace {

const fs::path folder = RINGPROOF_TEST_EXHIBITS;

const std::string whole = R"(title = "a bug"
bug = "b"
production = "p"
links = ["https://example.org/1"]
url = "https://example.org"
driver = "boost-stack.cpp"
model = "rc11"
shows = "data race"
flags = ["-I{source}"]
[before]
source = "x"
commit = "0123456789012345678901234567890123456789"
paths = ["include"]
[after]
package = "libx-dev"
version = "1.2"
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

std::string error(const std::string& text) {
    try {
        parse_exhibit(text, folder / "name.toml");
    } catch (const ringproof::command::file_error& error) {
        return error.what();
    }
    return "no error";
}

} // namespace

TEST_CASE("a description is read, and is named after its file") {
    const exhibit read = parse_exhibit(whole, folder / "name.toml");
    CHECK(read.name == "name");
    CHECK(read.driver == (folder / "boost-stack.cpp").string());
    CHECK(read.flags == std::vector<std::string>{"-I{source}"});
    CHECK(read.before.from.source == "x");
    CHECK(read.before.from.paths == std::vector<std::string>{"include"});
    REQUIRE(read.after);
    CHECK(read.after->from.package == "libx-dev");
    CHECK(read.after->from.version == "1.2");
}

TEST_CASE("what is wrong with a description is said with its place") {
    CHECK_THAT(error(replaced(whole, "bug =", "bugs =")),
               Contains("name.toml:2:") && Contains("did you mean 'bug'"));
    CHECK_THAT(error(replaced(whole, "model = \"rc11\"\n", "")), Contains("'model' is missing"));
    CHECK_THAT(error(replaced(whole, "[\"https://example.org/1\"]", "[]")),
               Contains("where is this bug published?"));
    CHECK_THAT(error(replaced(whole, "boost-stack.cpp", "none.cpp")),
               Contains("name.toml:6:") && Contains("is no file"));
    CHECK_THAT(error(replaced(whole, "title = \"a bug\"", "title = 3")),
               Contains("'title' must be a string"));
    CHECK_THAT(error(replaced(whole, "flags = [\"-I{source}\"]", "flags = [3]")),
               Contains("array of strings"));
    CHECK_THAT(error("title = "), Contains("name.toml:1:"));
}

TEST_CASE("an edition is a version of a package or a whole commit") {
    CHECK_THAT(error(replaced(whole, "0123456789012345678901234567890123456789", "0123456")),
               Contains("all its 40 hexadecimal digits"));
    CHECK_THAT(error(replaced(whole, "paths = [\"include\"]\n", "")), Contains("needs 'paths'"));
    CHECK_THAT(error(replaced(whole, "version = \"1.2\"\n", "")), Contains("needs 'version'"));
    CHECK_THAT(error(replaced(whole, "package = \"libx-dev\"\nversion = \"1.2\"\n", "")),
               Contains("[after] needs 'package' or 'source'"));
    CHECK_THAT(error(replaced(whole, "url = \"https://example.org\"\n", "")), Contains("needs 'url'"));
}

TEST_CASE("the other tools that find the bug are read, with their seconds") {
    const exhibit read = parse_exhibit(whole + "[found_by]\nrelacy = 2\ntsan = 0.7\n", folder / "name.toml");
    REQUIRE(read.found_by.size() == 2);
    CHECK(name_of_tool(read.found_by[0].tool) == "ThreadSanitizer");
    CHECK(read.found_by[0].seconds == 0.7);
    CHECK(name_of_tool(read.found_by[1].tool) == "Relacy");
    CHECK(name_of_tool("genmc") == "GenMC");
    CHECK_THAT(error("found_by = 3\n" + whole), Contains("must be a table"));
    CHECK_THAT(error(whole + "[found_by]\ntsna = 1\n"), Contains("did you mean 'tsan'"));
    CHECK_THAT(error(whole + "[found_by]\ntsan = \"1\"\n"), Contains("'tsan' must be seconds"));
}

TEST_CASE("a fix is described, or the reason why it is not run") {
    CHECK_THAT(error("no_after = \"why\"\n" + whole), Contains("either [after]"));
    CHECK_THAT(error(whole.substr(0, whole.find("[after]"))), Contains("either [after]"));
    CHECK_FALSE(
        parse_exhibit("no_after = \"why\"\n" + whole.substr(0, whole.find("[after]")), folder / "name.toml")
            .after);
}

TEST_CASE("the museum's own descriptions are read, in the order of their names") {
    const std::vector<exhibit> all = read_exhibits(folder);
    REQUIRE(all.size() >= 29);
    for (std::size_t i = 1; i != all.size(); ++i) CHECK(all[i - 1].name < all[i].name);
    for (const exhibit& one : all) {
        CHECK_THAT(one.links.front(), StartsWith("https://"));
    }
}

TEST_CASE("a folder that cannot be read is named") {
    CHECK_THROWS_WITH(read_exhibits(folder / "none"), Contains("none: cannot read"));
}
