// SPDX-License-Identifier: Apache-2.0
// Command lines in results: as the user wrote them, and as they show a counterexample again.
#include "../../src/outcome/invocation.hpp"
#include "../../src/outcome/options.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;
using words = command_words;

TEST_CASE("a replay keeps what an execution means, and drops how it was searched for and written") {
    CHECK(replay_of({"ringproof", "check", "a.c", "--rounds", "3", "--time=5", "--json", "--leaks", "--sarif",
                     "out.sarif", "--show-executions", "4", "b.c", "--", "-DX=--time", "--json"},
                    "T") == words{"ringproof", "check", "a.c", "--rounds", "3", "--leaks", "b.c", "--replay",
                                  "T", "--", "-DX=--time", "--json"});
    CHECK(replay_of({"./mine", "--replay", "@old", "--quick", "--json", "-", "-j", "2"}, "T") ==
          words{"./mine", "--replay", "T"});
}
TEST_CASE("a replay's command line is one that can be parsed, whatever the search was") {
    const words search{"--model",      "tso",     "--time",      "5",        "--rounds",   "3",
                       "--max-events", "100",     "-j",          "2",        "--spurious", "--leaks",
                       "--json",       "a.json",  "--exit-code", "3",        "--expect",   "refuted",
                       "--quiet",      "--sarif", "a.sarif",     "--assume", "clock"};
    words replay = replay_of(search, "T");
    const parsed_command parsed = parse_command("ringproof check", replay, true);
    CHECK(parsed.exit == -1);
    CHECK(parsed.options.replay == "T");
    CHECK(parsed.options.rounds == 3);
    CHECK(parsed.options.exit_code == 3);
    CHECK(parsed.options.leaks);
    CHECK(parsed.options.json.empty());
    CHECK(parsed.options.expect.empty());
}
TEST_CASE("a verb is called as its user calls it, other programs by what they were started as") {
    const auto as_user = [](std::vector<std::string> argv) {
        std::vector<char*> pointers;
        for (std::string& word : argv) pointers.push_back(word.data());
        return user_command(static_cast<int>(pointers.size()), pointers.data());
    };
    CHECK(as_user({"verify", "nested"}) == words{"ringproof", "verify", "nested"});
    CHECK(as_user({"/opt/libexec/ringproof-zoo"}) == words{"ringproof", "zoo"});
    CHECK(as_user({"museum", "--available"}) == words{"ringproof", "museum", "--available"});
    CHECK(as_user({"./my_scenarios", "--list"}) == words{"./my_scenarios", "--list"});
}
TEST_CASE("what `ringproof check` says of a program's command line goes before the program's own") {
    char name[] = "/tmp/program";
    char* argv[] = {name, nullptr};
    commands_for_program({"ringproof", "check", "a \"b\".c", "--", "-DX='1'\n"},
                         {"ringproof", "check", "--program", "p"});
    const words said = user_command(1, argv);
    CHECK(said == words{"ringproof", "check", "a \"b\".c", "--", "-DX='1'\n"});
    CHECK(user_replay(said, "T") == words{"ringproof", "check", "--program", "p", "--replay", "T"});
    commands_for_program({}, {});
    CHECK(user_command(1, argv) == words{"/tmp/program"});
    CHECK(user_replay({"./mine", "--quiet"}, "T") == words{"./mine", "--replay", "T"});
    CHECK(user_replay({"ringproof", "verify", "nested", "--rounds", "3", "--filter", "~x", "other"}, "T") ==
          words{"ringproof", "verify", "--rounds", "3", "--replay", "T"}); // the token names the scenario
}
TEST_CASE("each option with a value of the command line is known to have one") {
    // An option that is not in the table would be taken for a flag, and its value for a word of its own.
    for (const char* option : {"--model",
                               "--time",
                               "--max-executions",
                               "--jobs",
                               "-j",
                               "--rounds",
                               "--max-events",
                               "--random",
                               "--pct",
                               "--seed",
                               "--checkpoint",
                               "--divide",
                               "--resume",
                               "--assume",
                               "--no-reduction",
                               "--exit-code",
                               "--save-replay",
                               "--replay",
                               "--junit",
                               "--sarif",
                               "--html",
                               "--markdown",
                               "--annotations",
                               "--code-quality",
                               "--color",
                               "--expect",
                               "--compile-commands",
                               "--project",
                               "--program",
                               "--budget"}) {
        INFO(option);
        const option_shape* shape = shape_of(option);
        REQUIRE(shape);
        CHECK(shape->takes == option_shape::value::needed);
        CHECK(parse_command("test", {option}, true).exit == 2); // it lacks its value
    }
    for (const char* option : {"--second-opinion", "--opinion-scheduler", "--opinion-time", "--opinion-runs",
                               "--opinion-context-bound"}) {
        INFO(option); // which only scenarios have
        const option_shape* shape = shape_of(option);
        REQUIRE(shape);
        CHECK(shape->takes == option_shape::value::needed);
        CHECK(parse_command("test", {option}, false).exit == 2);
    }
    CHECK(shape_of("--leaks") == nullptr);
    CHECK(shape_of("--time=5"));
}
