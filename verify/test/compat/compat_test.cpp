// SPDX-License-Identifier: Apache-2.0
// Test programs in other checkers' words, through `ringproof check --dialect`.
#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using strings = std::vector<std::string>;

const std::string programs = RINGPROOF_TEST_PROGRAMS "/";

program_run check(const std::string& dialect, strings arguments) {
    arguments.insert(arguments.begin(), {RINGPROOF_TEST_CHECK, "--dialect", dialect});
    return run_binary(arguments);
}

std::map<std::string, json> by_name(const json& document) {
    std::map<std::string, json> all;
    for (const json& result : document["results"]) all[result["name"]] = result;
    return all;
}

} // namespace

TEST_CASE("each suite that a program in Relacy's words simulates is a test of its own") {
    const program_run run = check("relacy", {programs + "relacy/locks.cpp", "--json", "-"});
    CHECK(run.code == 0);
    const auto results = by_name(json::parse(run.out));
    REQUIRE(results.size() == 4); // one of them is simulated twice
    CHECK(results.at("ticket_lock_counts")["verdict"] == "verified");
    CHECK(results.at("ticket_lock_counts")["executions"] == 6);
    CHECK(results.at("petersons_lock")["verdict"] == "verified");
    for (const char* broken : {"relaxed_ticket_lock", "petersons_lock_without_seq_cst"}) {
        CHECK(results.at(broken)["verdict"] == "refuted");
        CHECK(results.at(broken)["expected"] == "refuted");
        CHECK(results.at(broken)["counterexample"]["kind"] == "race");
    }
}

TEST_CASE("a counterexample of a suite names the user's line and variable, and is shown again by its token") {
    const program_run run = check("relacy", {programs + "relacy/locks.cpp", "--verbose", "--filter",
                                             "=petersons_lock_without_seq_cst"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("data race on suite.inside") && Contains("locks.cpp:52") &&
                            !Contains("var.hpp") && !Contains("ticket"));
    const auto at = run.out.find("--replay ");
    REQUIRE(at != std::string::npos);
    const std::string token = run.out.substr(at + 9, run.out.find('\n', at) - at - 9);
    CHECK_THAT(check("relacy", {programs + "relacy/locks.cpp", "--replay", token}).out,
               Contains("data race on suite.inside"));
}

TEST_CASE("Relacy's words mean what they mean there, and suites end in the errors that they declare") {
    const program_run run = check("relacy", {programs + "relacy/words.cpp", "--json", "-"});
    CHECK(run.code == 0);
    const auto results = by_name(json::parse(run.out));
    CHECK(results.size() == 23);
    for (const auto& [name, result] : results) {
        INFO(name);
        CHECK(result["ok"] == true);
    }
    const auto kind = [&](const char* name) { return results.at(name)["counterexample"]["kind"]; };
    CHECK(kind("reads_before_a_write") == "assertion");
    CHECK(kind("forgets_memory") == "leak");
    CHECK(kind("locks_in_two_orders") == "deadlock");
    CHECK(kind("takes_one_for_both") == "race");
    CHECK(kind("takes_an_interrupt_for_a_wake_up") == "assertion");
    CHECK(kind("never_yields") == "livelock");
    CHECK(kind("never_yields_later") == "livelock");
    CHECK(results.at("meets_each_number")["executions"] == 3); // before the one that is looked for
    CHECK(results.at("locks_in_one_order")["executions"] == 2);
}

TEST_CASE("a suite that ends in another error than it declares fails") {
    const program_run run = check("relacy", {programs + "relacy/refused.cpp", "--", "-DOTHERWISE"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("REFUTED OTHERWISE") && Contains("expected is another kind of error: race"));
}

TEST_CASE("in Java's words nothing needs to be freed, unless C++'s words come before them, as in Relacy") {
    CHECK(check("relacy", {programs + "relacy/collected.cpp"}).code == 0);
    const program_run run =
        check("relacy", {programs + "relacy/collected.cpp", "--", "-include", "relacy/relacy.hpp"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("leak"));
}

TEST_CASE("what is not supported is refused in a sentence when the program is compiled") {
    for (const auto& [what, says] : std::map<std::string, std::string>{
             {"INVARIANT", "invariant() is not supported"},
             {"SYSTEMWIDE_FENCE", "FlushProcessWriteBuffers) is not supported"},
             {"SUSPENDED", "SuspendThread and ResumeThread are not supported"},
             {"LARGE", "types of 1, 2, 4, 8 or 16 bytes"},
             {"NOTHING", "main() ends without a call of rl::simulate"}}) {
        const program_run run = check("relacy", {programs + "relacy/refused.cpp", "--", "-D" + what});
        INFO(what << ": " << run.err);
        CHECK(run.code == 2);
        CHECK_THAT(run.err, Contains(says));
    }
}

TEST_CASE("a program in Relacy's words lists its suites") {
    const program_run run = check("relacy", {programs + "relacy/locks.cpp", "--list"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out,
               Contains("petersons_lock  [rc11]") && Contains("relaxed_ticket_lock  [rc11]  to be refuted"));
}

TEST_CASE("a C program in CDSChecker's words is checked from user_main on") {
    const program_run good = check("cdschecker", {programs + "cdschecker/mailbox.c"});
    CHECK(good.code == 0);
    CHECK_THAT(good.out, Contains("verified") && Contains("1 execution,"));
    const program_run bad =
        check("cdschecker", {programs + "cdschecker/mailbox.c", "--", "-DORDER=memory_order_relaxed"});
    CHECK(bad.code == 1);
    CHECK_THAT(bad.out, Contains("data race on letter") && Contains("mailbox.c:"));
}

TEST_CASE("a C++ program in CDSChecker's words waits with the mutex itself") {
    const program_run good =
        check("cdschecker", {programs + "cdschecker/waiting.cc", "--assume", "spurious-wake"});
    CHECK(good.code == 0);
    const program_run bad = check("cdschecker", {programs + "cdschecker/waiting.cc", "--", "-DUNTOLD"});
    CHECK(bad.code == 1);
    CHECK_THAT(bad.out, Contains("waits for ever on a condition variable") && Contains("waiting.cc:"));
}

TEST_CASE("another dialect is refused with those that there are") {
    const program_run run = check("spin", {programs + "cdschecker/mailbox.c"});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("relacy") && Contains("cdschecker"));
}
