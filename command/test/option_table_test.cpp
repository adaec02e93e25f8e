// SPDX-License-Identifier: Apache-2.0
// The table of a verb's options, and the help that is made from it.
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <catch2/catch.hpp>

using namespace ringproof::command;

namespace {

/// A verb with an option of each shape.
struct verb {
    CLI::App app{"Does something.", "ringproof something"};
    unsigned jobs = 3;
    std::string file, kind, token, hidden;
    std::vector<std::string> words;
    bool loud = false;
    std::string mode;
    verb() {
        app.add_option("-j,--jobs", jobs, "run N at once")->check(CLI::Range(1, 9))->capture_default_str();
        app.add_option("--json", file, "write the results")
            ->type_name("FILE")
            ->expected(0, 1)
            ->default_str("-");
        app.add_option("--kind", kind, "take this kind")->check(CLI::IsMember({"thin", "thick"}));
        app.add_option("--into", token, "write there")->type_name("DIR");
        app.add_option("WORD", words, "words");
        app.add_flag("!--no-noise", loud, "be quiet");
        app.add_flag("--mode{fast}", mode, "choose")->type_name("")->check(CLI::IsMember({"fast", "slow"}));
        app.add_option("--secret", hidden, "for tests")->group("");
        app.footer("exit codes: 0 done");
    }
    option_row row(const std::string& name) const {
        for (const option_row& one : rows_of(app))
            if (std::find(one.names.begin(), one.names.end(), name) != one.names.end()) return one;
        return {};
    }
};

/// What a parse that ends with help prints.
std::string printed(CLI::App& app, std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());
    try {
        app.parse(words);
    } catch (const CLI::ParseError& error) {
        std::ostringstream out, err;
        app.exit(error, out, err);
        return out.str();
    }
    return "";
}

} // namespace

TEST_CASE("a row says what an option takes") {
    const verb v;
    CHECK(v.row("--jobs").names == std::vector<std::string>{"-j", "--jobs"});
    CHECK(v.row("--jobs").value == "N");
    CHECK(v.row("--jobs").by_default == "3");
    CHECK(v.row("--json").value == "FILE");
    CHECK(v.row("--json").value_optional);
    CHECK(v.row("--json").path == path_kind::file);
    CHECK(v.row("--kind").choices == std::vector<std::string>{"thin", "thick"});
    CHECK(v.row("--kind").value == "thin|thick");
    CHECK(v.row("--into").path == path_kind::folder);
    CHECK(v.row("WORD").positional);
    CHECK(v.row("WORD").repeatable);
    CHECK(v.row("--no-noise").value.empty());
    CHECK(v.row("--mode").value_attached);
    CHECK(v.row("--mode").choices.size() == 2);
    CHECK(v.row("--secret").names.empty());
}
TEST_CASE("help names options as they are typed, and no type of the library") {
    verb v;
    add_common_options(v.app, {{"other", "do something else"}});
    const std::string help = printed(v.app, {"--help"});
    CHECK(help.find("usage: ringproof something [OPTIONS] [WORD...]\n") != std::string::npos);
    CHECK(help.find("ringproof something other ...") != std::string::npos);
    CHECK(help.find("-j, --jobs N                run N at once; default: 3\n") != std::string::npos);
    CHECK(help.find("--json [FILE]") != std::string::npos);
    CHECK(help.find("--mode[=fast|slow]") != std::string::npos);
    for (const char* internal : {"UINT", "INT", "TEXT:", ":{", "secret", "help-json", "Excludes"})
        CHECK(help.find(internal) == std::string::npos);
    std::size_t longest = 0, begin = 0;
    for (std::size_t end = 0; (end = help.find('\n', begin)) != std::string::npos; begin = end + 1)
        longest = std::max(longest, end - begin);
    CHECK(longest <= 100);
}
TEST_CASE("the table is printed although something required is missing") {
    verb v;
    v.app.add_option("--must", v.token, "be there")->required();
    add_common_options(v.app);
    const std::string table = printed(v.app, {"--help-json"});
    CHECK(table.find("\"name\": \"ringproof something\"") != std::string::npos);
    CHECK(table.find("\"--must\"") != std::string::npos);
    CHECK(table.find("\"choices\": [\n    \"thin\"") != std::string::npos);
    CHECK(table.find("--secret") == std::string::npos);
}
