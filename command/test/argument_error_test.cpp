// SPDX-License-Identifier: Apache-2.0
// Each error of the command line library, as it comes from there, in words that say what to do.
#include <ringproof/command/argument_error.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <catch2/catch.hpp>

using namespace ringproof::command;

namespace {

std::string said(std::vector<std::string> words) {
    CLI::App app;
    unsigned count = 0;
    double seconds = 0;
    std::string model, folder, file;
    bool flag = false;
    app.add_option("--count", count)->check(CLI::Range(1, 9));
    app.add_option("--share", seconds)->check(CLI::Range(0.001, 60.0));
    app.add_option("--time", seconds)->check(CLI::PositiveNumber);
    app.add_option("--model", model)->check(CLI::IsMember({"sc", "rc11"}));
    app.add_option("--seed", count);
    app.add_option("--root", folder)->check(CLI::ExistingDirectory);
    app.add_option("--json", file)->type_name("FILE");
    auto* alone = app.add_flag("--alone", flag);
    app.add_flag("--with", flag)->excludes(alone);
    app.add_flag("--needs", flag)->needs(alone);
    app.add_option("OLD", file)->required();
    std::reverse(words.begin(), words.end());
    try {
        app.parse(words);
    } catch (const CLI::ParseError& error) {
        return argument_sentence(error.get_name(), error.what());
    }
    return "";
}

} // namespace

TEST_CASE("a value that is refused is named with what would do") {
    CHECK(said({"--model", "rc12"}) == "--model: 'rc12' is none of sc, rc11: did you mean 'rc11'?");
    CHECK(said({"--model", "power"}) == "--model: 'power' is none of sc, rc11");
    CHECK(said({"--count", "0"}) == "--count: '0' is not a number from 1 to 9");
    CHECK(said({"--share", "61"}) == "--share: '61' is not a number from 0.001 to 60");
    CHECK(said({"--time", "-1"}) == "--time: '-1' is not a number above 0");
    CHECK(said({"--time", "soon"}) == "--time: 'soon' is not a number above 0");
    CHECK(said({"--seed", "x"}) == "--seed: 'x' is not a number that fits");
    CHECK(said({"--root", "none/such"}) == "--root: there is no folder none/such");
}
TEST_CASE("a range is understood as CLI11 2.3 writes it and as 2.5 does") {
    const auto range = [](const char* what) { return argument_sentence("ValidationError", what); };
    CHECK(range("--n: Value 0 not in range 1 to 9") == "--n: '0' is not a number from 1 to 9");
    CHECK(range("--n: Value 0 not in range [1 - 9]") == "--n: '0' is not a number from 1 to 9");
    CHECK(range("--n: Value -5 not in range [-1 - 1e+06]") == "--n: '-5' is not a number from -1 to 1000000");
    CHECK(range("--n: Value 1 - 2 not in range [0.001 - 60]") ==
          "--n: '1 - 2' is not a number from 0.001 to 60");
    CHECK(range("--n: Value -1 not in range [2.22507e-308 - 1.79769e+308]") ==
          "--n: '-1' is not a number above 0");
}
TEST_CASE("what is missing or too much is named") {
    CHECK(said({"--json"}) == "--json needs a value: --json FILE");
    CHECK(said({"--seed"}) == "--seed needs a value: --seed N");
    CHECK(said({}) == "OLD is missing");
    CHECK(said({"old", "new"}) == "'new' is not expected here");
}
TEST_CASE("options that do not go together are named") {
    CHECK(said({"old", "--with", "--alone"}) == "--alone and --with cannot be given together");
    CHECK(said({"old", "--needs"}) == "--needs is only for --alone");
}
TEST_CASE("a message that is not known is left as it is") {
    CHECK(argument_sentence("ValidationError", "something else") == "something else");
}
