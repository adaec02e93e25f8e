// SPDX-License-Identifier: Apache-2.0
#include "run_binary.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

program_run scenarios(std::vector<std::string> arguments, unsigned interrupt_after = 0) {
    arguments.insert(arguments.begin(), RINGPROOF_TEST_SCENARIOS);
    return run_binary(arguments, interrupt_after);
}

json results_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "-"});
    return json::parse(scenarios(arguments).out).at("results");
}

json only_result(const std::string& name) { return results_of({"=" + name}).at(0); }

} // namespace

TEST_CASE("what holds is verified with its figures and exits with 0") {
    const program_run run = scenarios({"holds:"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out,
               Contains("verified") && Contains("rc11") && Contains("sc") && Contains("3 executions"));
    CHECK_THAT(run.out, Contains("2 verified under rc11 and sc"));
}

TEST_CASE("a mutant is refuted, as expected, and exits with 0") {
    const program_run run = scenarios({"mutant:"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("refuted, as expected"));
    const json result = only_result("mutant: store buffering relaxed");
    CHECK(result.at("verdict") == "refuted");
    CHECK(result.at("expected") == "refuted");
    CHECK(result.at("ok") == true);
    CHECK(result.at("mutant") == "C");
}

TEST_CASE("a mutant under a model it does not name may hold") {
    const program_run run = scenarios({"=mutant: store buffering relaxed", "--model", "sc"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified"));
    CHECK(results_of({"=mutant: store buffering relaxed", "--model", "sc"}).at(0).count("expected") == 0);
}

TEST_CASE("ra is run when it is named, and the other models also for all") {
    const std::string store_buffering = "=holds: store buffering with seq_cst"; // no order of all under ra
    const json all = results_of({store_buffering, "--model", "all"});
    REQUIRE(all.size() == 3);
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(all[i].at("model") == std::array{"rc11", "tso", "sc"}[i]);
        CHECK(all[i].at("verdict") == "verified");
    }
    const json named = results_of({store_buffering, "--model", "ra"});
    REQUIRE(named.size() == 1);
    CHECK(named[0].at("model") == "ra");
    CHECK(named[0].at("verdict") == "refuted");
    CHECK(scenarios({store_buffering, "--model", "all", "--model", "ra", "--model", "sc"}).code == 1);
    CHECK(scenarios({store_buffering, "--model", "weakest"}).code == 2);
}

TEST_CASE("a mutant that holds fails the run") {
    const program_run run = scenarios({"a mutant that holds"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("VERIFIED, though to be refuted"));
}

TEST_CASE("every kind of failure is refuted with its kind and exits with 1") {
    const auto [name, kind] = GENERATE(table<std::string, std::string>({
        {"fails: store buffering relaxed is thought to hold", "assertion"},
        {"fails: a race on a member of a global", "race"},
        {"fails: a wild write", "wild access"},
        {"fails: a division by zero", "wild access"},
        {"fails: an endless recursion", "wild access"},
        {"fails: an exception no one catches", "unhandled exception"},
        {"fails: two locks in two orders", "deadlock"},
    }));
    CAPTURE(name);
    CHECK(scenarios({"=" + name}).code == 1);
    const json result = only_result(name);
    CHECK(result.at("verdict") == "refuted");
    CHECK(result.at("counterexample").at("kind") == kind);
}

TEST_CASE("a scenario whose required situation never happens fails and names it") {
    const program_run run = scenarios({"never happens"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("rain"));
    const json covered = only_result("fails: what it has to cover never happens").at("covered");
    CHECK(covered.at("sun") == true);
    CHECK(covered.at("rain") == false);
}

TEST_CASE("without a complete execution nothing is verified") {
    const program_run run = scenarios({"never complete", "ever complete"});
    CHECK(run.code == 4);
    CHECK_THAT(run.out, Contains("no execution was complete"));
}

TEST_CASE("a bound that ends the search makes it inconclusive, and is named") {
    const std::string name = "=inconclusive: far more executions than anyone has time for";
    const program_run run = scenarios({name, "--max-executions", "50"});
    CHECK(run.code == 4);
    CHECK_THAT(run.out, Contains("inconclusive") && Contains("--max-executions"));
    CHECK(results_of({name, "--max-executions", "50"}).at(0).at("bounds").at("executions") == 50);
    CHECK_THAT(scenarios({name, "--time", "0.2"}).out, Contains("--time"));
}

TEST_CASE("what the checker cannot judge is an error, not a verdict") {
    const program_run run = scenarios({"two sizes"});
    CHECK(run.code == 2);
    CHECK_THAT(run.out, Contains("error") && Contains("mixed sizes"));
}

TEST_CASE("an interrupt leaves a partial report and exits with 130") {
    const std::string path = "/tmp/ringproof-test-partial-" + std::to_string(getpid()) + ".json";
    const program_run run = scenarios({"holds:", "far more", "--json", path}, 1500);
    CHECK(run.code == 130);
    const json document = json::parse(content_of(path));
    unlink(path.c_str());
    CHECK(document.at("interrupted") == true);
    CHECK(document.at("results").size() == 3);
    CHECK(document.at("results").at(2).at("verdict") == "inconclusive");
}

TEST_CASE("a search that holds more memory than it may ends with a sentence, in one process and in several") {
    for (const char* const jobs : {"1", "2"}) {
        const program_run run = scenarios({"far more", "--max-memory", "1", "--jobs", jobs});
        CHECK(run.code == 4);
        CHECK_THAT(run.out, Contains("ended by --max-memory, which is three quarters of what is free"));
    }
    CHECK(scenarios({"far more", "--max-memory", "0"}).code == 2);
}

TEST_CASE("a reduction is switched off by its name, and the results say so") {
    const std::string name = "=" + std::string("holds: store buffering with seq_cst");
    const json result = results_of({name, "--no-reduction", "idle-iteration,vain-wake"}).at(0);
    CHECK(result.at("not_reduced") == json({"idle-iteration", "vain-wake"}));
    CHECK(result.at("verdict") == "verified");
    CHECK(results_of({name}).at(0).count("not_reduced") == 0);
    CHECK(scenarios({name, "--no-reduction", "iterations"}).code == 2);
    CHECK(scenarios({name, "--no-reduction", "vain-wake", "--checkpoint", "/tmp/none"}).code == 2);
}

TEST_CASE("nothing matched exits with 5, a wrong option with 2") {
    CHECK(scenarios({"no such name"}).code == 5);
    CHECK(scenarios({"--model", "alpha"}).code == 2);
    CHECK(scenarios({"--no-such-option"}).code == 2);
    CHECK(scenarios({"--time", "-1"}).code == 2);
    CHECK(scenarios({"--help"}).code == 0);
}

TEST_CASE("results that cannot be written are an error") {
    CHECK(scenarios({"holds:", "--json", "/no/such/folder/x.json"}).code == 2);
    CHECK(scenarios({"holds:", "--junit", "/no/such/folder/x.xml"}).code == 2);
}

TEST_CASE("a list names the scenarios and what is expected of them") {
    const program_run run = scenarios({"--list", "mutant:"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("mutant: store buffering relaxed  [rc11]  to be refuted"));
    const json list = json::parse(scenarios({"--list", "--json", "-"}).out);
    CHECK(list.at("scenarios").size() == 22);
}

TEST_CASE("JUnit has one case per scenario and model, and the failures in it") {
    const program_run run = scenarios({"holds:", "thought to hold", "--junit", "-", "--quiet"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("tests=\"3\" failures=\"1\" errors=\"0\""));
    CHECK_THAT(run.out,
               Contains("<failure type=\"refuted\" message=\"VERIFY_THAT failed: seen + mine &gt; 0"));
}

TEST_CASE("color only where it is asked for") {
    CHECK(scenarios({"holds:"}).out.find('\x1b') == std::string::npos);
    CHECK(scenarios({"holds:", "--color", "always"}).out.find('\x1b') != std::string::npos);
}

TEST_CASE("the token of a refuted scenario shows the same counterexample again") {
    const json example = only_result("mutant: store buffering relaxed").at("counterexample");
    const program_run run = scenarios({"--replay", example.at("replay")});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains(example.at("message").get<std::string>()));
    json again = results_of({"--replay", example.at("replay")}).at(0).at("counterexample");
    CHECK(again == example);
}

TEST_CASE("a damaged token is refused") {
    const std::string token =
        only_result("mutant: store buffering relaxed").at("counterexample").at("replay");
    for (std::size_t i = 0; i < token.size(); i += 3) {
        std::string damaged = token;
        damaged[i] = damaged[i] == 'A' ? 'B' : 'A';
        CAPTURE(damaged);
        CHECK(scenarios({"--replay", damaged}).code == 2);
    }
    CHECK(scenarios({"--replay", token.substr(0, token.size() / 2)}).code == 2);
    CHECK(scenarios({"--replay", "!"}).code == 2);
    CHECK(scenarios({"--replay", "@/no/such/file"}).code == 2);
}
