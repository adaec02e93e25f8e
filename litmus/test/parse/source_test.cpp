// SPDX-License-Identifier: Apache-2.0
#include "parse/source.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace ringproof::litmus;

TEST_CASE("an error has its line and column, and shows the line with a caret below") {
    const source from{"t.litmus", "one\n two three\nfour"};
    const syntax_error second(from, 9, "no such word");
    CHECK(second.line() == 2);
    CHECK(second.column() == 6);
    CHECK(second.message() == "no such word");
    CHECK(second.what() == std::string("t.litmus:2:6: no such word\n   two three\n       ^"));
    CHECK(syntax_error(from, 0, "m").line() == 1);
    CHECK(syntax_error(from, from.text.size(), "m").line() == 3); // at the end
    CHECK(syntax_error(from, from.text.size(), "m").column() == 5);
    CHECK(syntax_error({"t", ""}, 0, "m").line() == 1);
}

TEST_CASE("a file is read whole, and one that cannot be read is named") {
    const auto file = std::filesystem::temp_directory_path() / ("source-" + std::to_string(getpid()));
    std::ofstream(file) << "a\nb";
    CHECK(read_source(file.string()).text == "a\nb");
    CHECK(read_source(file.string()).file == file.string());
    std::filesystem::remove(file);
    CHECK_THROWS_WITH(read_source(file.string()), Catch::Contains(file.string() + ": cannot read"));
    CHECK_THROWS_AS(read_source("/"), std::runtime_error);
}
