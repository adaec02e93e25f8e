// SPDX-License-Identifier: Apache-2.0
#include "run_binary.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

const std::string programs = RINGPROOF_TEST_PROGRAMS "/";

program_run check(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), RINGPROOF_TEST_CHECK);
    return run_binary(arguments);
}

} // namespace

TEST_CASE("a correct C program is verified") {
    const program_run run = check({programs + "message_passing.c"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified") && Contains("2 executions"));
    CHECK_THAT(run.out, !Contains("printed by the program"));
}

TEST_CASE("results name the compiler that the program's executions depend on") {
    const program_run run = check({programs + "message_passing.c", "--json", "-"});
    const std::string compiler = json::parse(run.out).at("environment").at("program_compiler");
    const char* chosen = std::getenv("CC");
    const bool clang = chosen && std::string(chosen).find("clang") != std::string::npos;
    CHECK_THAT(compiler, Contains(clang ? "clang" : "GCC") && Contains("."));
}

TEST_CASE("flags behind -- reach the compiler, and the race they open is found with its lines") {
    const program_run run = check({programs + "message_passing.c", "--", "-DPUBLISH=memory_order_relaxed"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("data race on data") && Contains("message_passing.c:17") &&
                            Contains("message_passing.c:26"));
}

TEST_CASE("under sc the same program holds") {
    CHECK(check({programs + "message_passing.c", "--model", "sc", "--", "-DPUBLISH=memory_order_relaxed"})
              .code == 0);
}

TEST_CASE("the counterexample calls C's variables by their names") {
    const program_run run = check({programs + "store_buffering.c"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out,
               Contains("store x := 1, relaxed") && Contains("load y = 0, relaxed (initial, not #7)"));
}

TEST_CASE("a copy that the compiler could expand in place is seen") {
    const program_run run = check({programs + "copied.cpp"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("data race") && Contains("copied.cpp:16"));
}

TEST_CASE("a read whose value is not used races all the same") {
    const program_run run = check({programs + "unused_read.c"});
    const char* chosen = std::getenv("CC");
    if (chosen && std::string(chosen).find("clang") != std::string::npos) return; // which leaves it out
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("data race on data") && Contains("unused_read.c:7"));
    for (const char* const how : {"-DBY_A_FUNCTION", "-DBEFORE_A_CALL"}) {
        CAPTURE(how);
        CHECK(check({programs + "unused_read.c", "--", how}).code == 1);
    }
}

TEST_CASE("thread_local variables too large for a thread's stack are refused with their size") {
    CHECK(check({programs + "thread_local.c", "--", "-DSIZE=100000"}).code == 0);
    const program_run run = check({programs + "thread_local.c", "--", "-DSIZE=2000000"});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("thread_local variables take 200") && Contains("room for"));
}

TEST_CASE("inline assembly that touches memory stands against verified, with its place") {
    CHECK(check({programs + "assembly.c"}).code == 0);
    const program_run run = check({programs + "assembly.c", "--", "-DBY_ASSEMBLY"});
    CHECK(run.code == 4);
    CHECK_THAT(run.out, Contains("inconclusive") && Contains("assembly.c:13. "));
    CHECK(check({programs + "assembly.c", "--trust-assembly", "--", "-DBY_ASSEMBLY"}).code == 0);
    CHECK_THAT(check({programs + "assembly.c", "--", "-DWRONG"}).out, !Contains("sight"));
}
TEST_CASE("an atomic operation that clang does not instrument stands against verified, with its place") {
    if (run_binary({"/usr/bin/env", "clang", "--version"}).code != 0) return;
    const program_run run =
        run_binary({"/usr/bin/env", "CC=clang", RINGPROOF_TEST_CHECK, programs + "clang_max.c"});
    CHECK(run.code == 4);
    CHECK_THAT(run.out, Contains("the compiler does not instrument") && Contains("clang_max.c:9"));
}
TEST_CASE("an error is shown with the assembly that may rule it out") {
    const program_run run = check({programs + "assembly.c", "--", "-DBY_ASSEMBLY", "-DWRONG", "-DREADS"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out,
               Contains("race on data") && Contains("out of the checker's sight, at assembly.c:13:"));
}

TEST_CASE("code that hides from the thread sanitizer does not hide from the checker, under gcc") {
    const char* chosen = std::getenv("CXX");
    if (chosen && std::string(chosen).find("clang") != std::string::npos) return; // docs/limits.md
    const program_run run = check({programs + "opts_out.cpp"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified") && Contains("2 executions"));
    const program_run broken = check({programs + "opts_out.cpp", "--", "-DORDER=std::memory_order_relaxed"});
    CHECK(broken.code == 1);
    CHECK_THAT(broken.out, Contains("data race on data"));
}

TEST_CASE("a main that returns another code than 0 is refuted, unless that code is asked for") {
    const program_run run = check({programs + "ends.cpp", "--", "-DCODE=3"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("REFUTED") && Contains("main returns 3"));
    CHECK(check({programs + "ends.cpp", "--exit-code", "3", "--", "-DCODE=3"}).code == 0);
    CHECK(check({programs + "ends.cpp", "--exit-code", "3"}).code == 1);
    CHECK(check({programs + "ends.cpp", "--", "-DRETURNING"}).code == 1);
    CHECK(check({programs + "ends.cpp", "--", "-DCODE=256"}).code == 0); // as the parent process sees it
}

TEST_CASE("NDEBUG among the flags does not take the property away, unless that is asked for") {
    CHECK(check({programs + "ends.cpp", "--", "-DFAILING", "-DNDEBUG"}).code == 1);
    const program_run kept = check({programs + "ends.cpp", "--keep-ndebug", "--", "-DFAILING", "-DNDEBUG"});
    CHECK(kept.code == 0);
    CHECK_THAT(kept.out, Contains("no assertion was evaluated"));
}

TEST_CASE("a verdict says when no property of the program's own was evaluated") {
    const std::string none = "races, memory errors and deadlocks only";
    CHECK_THAT(check({programs + "ends.cpp"}).out, Contains("verified") && Contains(none));
    CHECK_THAT(check({programs + "ends.cpp", "--", "-DASSERTING"}).out,
               Contains("verified") && !Contains(none));
    CHECK_THAT(check({programs + "ends.cpp", "--", "-DGIVING_UP"}).out,
               Contains("verified") && !Contains(none));
    CHECK_THAT(check({programs + "half.c", programs + "counter.cpp"}).out, !Contains(none));
}

TEST_CASE("an open assumption stands against verified, and is named when the user takes it") {
    const program_run open = check({programs + "counts.cpp"});
    CHECK(open.code == 4);
    CHECK_THAT(open.out, Contains("inconclusive") && Contains("counts.cpp:13") && Contains("--assume yield"));
    const program_run taken = check({programs + "counts.cpp", "--assume", "yield", "--json", "-"});
    CHECK(taken.code == 0);
    const json ledger = json::parse(taken.out)["results"][0]["assumptions"];
    const auto is_taken = [](const json& entry) {
        return entry["kind"] == "yield" && entry["standing"] == "assumed" && entry["times"] > 0;
    };
    CHECK(std::any_of(ledger.begin(), ledger.end(), is_taken));
    const program_run unknown = check({programs + "counts.cpp", "--assume", "luck"});
    CHECK(unknown.code == 2);
    CHECK_THAT(unknown.err, Contains("--assume"));
}

TEST_CASE("the clock and random numbers are open assumptions, deadlines of timed waits are explored") {
    const program_run times = check({programs + "chance.cpp", "--", "-DCLOCK"});
    CHECK(times.code == 4);
    CHECK_THAT(times.out, Contains("one sequence of times") && Contains("chance.cpp:17"));
    CHECK(check({programs + "chance.cpp", "--assume", "clock", "--", "-DCLOCK"}).code == 0);
    const program_run numbers = check({programs + "chance.cpp", "--", "-DCHANCE"});
    CHECK(numbers.code == 4);
    CHECK_THAT(numbers.out, Contains("random numbers") && Contains("chance.cpp:21"));
    const program_run waits = check({programs + "chance.cpp", "--", "-DTIMED_WAIT"});
    CHECK(waits.code == 0);
    CHECK_THAT(waits.out, Contains("deadline (explored"));
}

TEST_CASE("a library that was not compiled for the checker is an open assumption") {
    const program_run run = check({programs + "ends.cpp", "--", "-DASSERTING", "-ldw"});
    CHECK(run.code == 4);
    CHECK_THAT(run.out, Contains("-ldw") && Contains("--assume uninstrumented"));
    CHECK(check({programs + "ends.cpp", "--", "-DASSERTING", "-lm"}).code == 0);
}

TEST_CASE("a search for a lock that is tried in a loop ends at each level of optimisation") {
    const std::string level = GENERATE("-O0", "-O2");
    const program_run run = check({programs + "tried.cpp", "--max-executions", "100", "--", level});
    CHECK(run.code == 0);
    // Unoptimised, the first of a thread's looks may stay: a word that nobody will read looks like a pointer.
    if (level == "-O2") CHECK_THAT(run.out, Contains("; 6 executions,") || Contains("(6 executions,"));
}

TEST_CASE("polls, and two locks in both orders, end at each level of optimisation") {
    const std::string level = GENERATE("-O0", "-O2"), what = GENERATE("-DPOLLS", "-DIN_BOTH_ORDERS");
    const program_run run = check({programs + "polled.cpp", "--max-executions", "100", "--no-reduction",
                                   "multi-lock", "--", level, what});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("restored-iteration (proved at"));
}

TEST_CASE("docs/assumptions.md has the table that the command prints") {
    const program_run run = check({"--list-assumptions"});
    CHECK(run.code == 0);
    std::ifstream page(RINGPROOF_TEST_PROGRAMS "/../../../../docs/assumptions.md");
    const std::string text{std::istreambuf_iterator<char>(page), {}};
    CHECK_THAT(text, Contains(run.out));
}

TEST_CASE("store buffering is seen under tso, and not under sc") {
    CHECK(check({programs + "store_buffering.c", "--model", "tso"}).code == 1);
    CHECK(check({programs + "store_buffering.c", "--model", "sc"}).code == 0);
}

TEST_CASE("what the program prints is shown when asked for") {
    CHECK_THAT(check({programs + "message_passing.c", "--verbose"}).out, Contains("printed by the program"));
}

TEST_CASE("a program in C and C++ is compiled, linked and verified") {
    const program_run run = check({programs + "counter.cpp", programs + "half.c"});
    CAPTURE(run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified"));
}

TEST_CASE("a token replays the failing execution of a program compiled anew") {
    const std::vector<std::string> broken = {"--", "-DPUBLISH=memory_order_relaxed"};
    std::vector<std::string> arguments = {programs + "message_passing.c", "--json", "-"};
    arguments.insert(arguments.end(), broken.begin(), broken.end());
    const json result = json::parse(check(arguments).out).at("results").at(0);
    arguments = {programs + "message_passing.c", "--replay", result.at("counterexample").at("replay")};
    arguments.insert(arguments.end(), broken.begin(), broken.end());
    const program_run run = check(arguments);
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("data race on data"));
    CHECK(
        check({programs + "message_passing.c", "--replay", result.at("counterexample").at("replay")}).code ==
        2);
}

TEST_CASE("a program that does not compile is shown with the compiler's words and exits with 2") {
    const program_run run = check({programs + "broken.c"});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("broken.c:2") && Contains("not_declared") && Contains("behind --"));
}

TEST_CASE("a program without main is told so and exits with 2") {
    const program_run run = check({programs + "half.c"});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("needs a main()"));
}

TEST_CASE("a missing file or program, or a wrong option, exits with 2") {
    CHECK(check({programs + "no_such.c"}).code == 2);
    CHECK(check({}).code == 2);
    const program_run stray = check({programs + "CMakeLists.txt"});
    CHECK(stray.code == 2);
    CHECK_THAT(stray.err, Contains("no source in C or C++"));
    CHECK(check({programs + "half.c", "--model", "alpha"}).code == 2);
    CHECK(check({"--help"}).code == 0);
}

TEST_CASE("nothing is left behind") {
    const auto left = [] {
        int count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
            count += entry.path().filename().string().find("ringproof-check-") == 0;
        return count;
    };
    const std::string folder = "/tmp/ringproof-test-folder-" + std::to_string(getpid());
    std::filesystem::create_directory(folder);
    setenv("TMPDIR", folder.c_str(), 1);
    check({programs + "message_passing.c"});
    check({programs + "broken.c"});
    CHECK(left() == 0);
    CHECK(std::filesystem::remove(folder)); // only when empty
    unsetenv("TMPDIR");
}

TEST_CASE("static objects are in each execution as they were made, and end with it in order") {
    const program_run run = check({programs + "static_objects.cpp"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("2 executions"));
    const program_run late = check({programs + "static_objects.cpp", "--", "-DSTILL_RUNNING"});
    CHECK(late.code == 1);
    CHECK_THAT(late.out, Contains("data race on watched"));
}

TEST_CASE("destructors of objects from before main run at the end of each execution, and race there") {
    const std::string ends = programs + "static_ends.cpp";
    const program_run run = check({ends});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("2 executions"));
    CHECK(check({ends, "--", "-DBY_ANOTHER"}).code == 0); // as part of whichever thread calls exit()
    const program_run wrong = check({ends, "--", "-DENDS_BEFORE=4"});
    CHECK(wrong.code == 1);
    CHECK_THAT(wrong.out, Contains("assertion failed: ended == ENDS_BEFORE"));
    const program_run late = check({ends, "--", "-DSTILL_RUNNING"});
    CHECK(late.code == 1);
    CHECK_THAT(late.out, Contains("data race on watched") && Contains("static_ends.cpp:22"));
}

TEST_CASE("exit() in any thread ends the program for all of them, once") {
    const std::string exits = programs + "exits.cpp";
    const program_run run = check({exits});
    CHECK(run.code == 0);
    // The other exits after main, or before it; or it goes on, when only main does.
    CHECK_THAT(run.out, Contains("3 executions"));
    CHECK(check({exits, "--", "-DJOINS"}).code == 0);
    CHECK(check({exits, "--", "-DWAITS"}).code == 0);
    const program_run early = check({exits, "--", "-DTOO_EARLY"});
    CHECK(early.code == 2);
    CHECK_THAT(early.err, Contains("calls exit() before main()"));
}

TEST_CASE("keys made before main have their values there, and are deleted in each execution") {
    const program_run run = check({programs + "early_keys.c"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("2 executions"));
}

#if __has_include(<gtest/gtest.h>)
TEST_CASE("a GoogleTest program is built up before main and taken down in each execution") {
    // The framework times its tests; and it allocates and frees, so two allocators are explored.
    const std::vector<std::string> framework{"--assume", "clock", "--", "-lgtest"};
    const auto with = [&](const std::string& flag) {
        std::vector<std::string> all{programs + "googletest.cpp"};
        all.insert(all.end(), framework.begin(), framework.end());
        if (!flag.empty()) all.push_back(flag);
        return check(all);
    };
    const program_run run = with("");
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("4 executions"));
    CHECK(with("-DEXPECTED=1").code == 1);
}
TEST_CASE("each test of a GoogleTest program is a scenario with a verdict of its own") {
    const program_run run = check({programs + "googletest_suites.cpp", "--dialect", "gtest"});
    CHECK(run.code == 1);
    const auto has = [&](const std::string& verdict, const std::string& test) {
        CHECK_THAT(run.out,
                   Contains(verdict + std::string(22 - verdict.size(), ' ') + "rc11  " + test + "  ("));
    };
    has("verified", "flag_passed.Publishes");
    has("REFUTED", "flag_passed.Races");
    has("REFUTED", "Counter.LosesOne");
    has("verified", "Counter.IsSkipped");
    has("REFUTED", "Counter.Throws");
    has("verified", "Two/many.AreEqual/0");
    has("REFUTED", "Two/many.AreEqual/1");
    CHECK_THAT(run.out, !Contains("DISABLED"));
    CHECK_THAT(run.out, Contains("googletest_suites.cpp:35: Expected equality of these values"));
    CHECK_THAT(run.out, Contains("one is lost"));
}
#endif

#if !__has_include(                                                                                          \
    <catch2/catch_all.hpp>) // version 3, whose programs verify/test/compat/catch2_version3 checks
TEST_CASE(
    "each test case of a Catch2 program is a scenario, and each path through its sections is explored") {
    const program_run run = check({programs + "catch2_tests.cpp", "--catch2"});
    CHECK(run.code == 1);
    const auto has = [&](const std::string& verdict, const std::string& test, const std::string& executions) {
        CHECK_THAT(run.out, Contains(verdict + std::string(22 - verdict.size(), ' ') + "rc11  " + test +
                                     "  (" + executions));
    };
    has("verified", "publishes", "2 executions");
    has("REFUTED", "races", "");
    has("REFUTED", "loses one", "");
    has("verified", "each section is entered", "");
    has("REFUTED", "a section fails", "");
    has("REFUTED", "values", "");
    has("verified", "all values hold", "");
    has("error", "sections depend on the schedule", "");
    has("error", "a value behind a section", "");
    has("REFUTED", "fails", "");
    has("REFUTED", "throws", "");
    has("verified", "exceptions", "");
    has("REFUTED", "none is thrown", "");
    CHECK_THAT(run.out, !Contains("hidden") && !Contains("may fail"));
    CHECK_THAT(run.out, Contains("catch2_tests.cpp:37: CHECK( count(false) == 2 )"));
    CHECK_THAT(run.out, Contains("with message: two threads") && Contains("in outer / fails"));
    CHECK_THAT(run.out, Contains("in value 3 / value 2 / y"));
}

TEST_CASE("a Catch2 program may have a main() of its own") {
    const program_run run =
        check({programs + "catch2_main.cpp", programs + "catch2_more.cpp", "--dialect", "catch2"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("is set up") && Contains("of another file") && Contains("2 verified"));
}
#endif

TEST_CASE("a loop that goes round once more after a spurious failure does not wait for ever") {
    const program_run run = check({programs + "guarded_after_failure.cpp"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified") && Contains("weak-failures"));
}

TEST_CASE("a local that was never written to is no zero that its stack happens to hold") {
    const std::string local = programs + "uninitialised_local.cpp";
    const program_run run = check({local});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("assertion failed: got == 0"));
    CHECK(check({local, "--", "-ftrivial-auto-var-init=zero"}).code == 0); // the user's flags win
}

TEST_CASE("what a static object allocated is freed once") {
    const program_run run = check({programs + "static_objects.cpp", "--", "-DTWICE"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("double free") && Contains("static_objects.cpp:39"));
}

TEST_CASE("threads meet at static objects that were made before anybody watched") {
    const std::vector<std::string> command{programs + "static_sync.cpp", "--assume", "uninstrumented"};
    const program_run run = check(command);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified") && Contains("(1 execution,"));
    std::vector<std::string> leaks = command;
    leaks.emplace_back("--leaks");
    CHECK(check(leaks).code == 0); // what the checker notes is no leak
}

TEST_CASE("what the memory resources of std::pmr do is out of sight, so nothing is verified of them") {
    const program_run run = check({programs + "memory_resource.cpp"}); // it races
    CHECK(run.code == 4);
    CHECK_THAT(run.out,
               Contains("the resources of std::pmr in libstdc++") && Contains("--assume uninstrumented"));
    CHECK(check({programs + "memory_resource.cpp", "--", "-DVECTOR"}).code == 0); // those without a state
}

TEST_CASE("a thread of a static object's is refused") {
    const program_run run = check({programs + "static_sync.cpp", "--", "-DEARLY"});
    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("a thread before main()"));
}

TEST_CASE("a ring in the kernel's words needs each of its four barriers") {
    const program_run run = check({programs + "kernel_ring.c"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("9 executions,"));
    for (const char* without : {"-DA()=", "-DB()=", "-DC()=", "-DD()=barrier()"}) {
        const program_run broken = check({programs + "kernel_ring.c", "--", without});
        INFO(without << '\n' << broken.out);
        CHECK(broken.code == 1);
        CHECK_THAT(broken.out, Contains("data race on data"));
    }
}

TEST_CASE("the kernel's atomics do and order what its documentation says") {
    CHECK(check({programs + "kernel_atomics.c"}).code == 0);
    CHECK(check({programs + "kernel_atomics.c", "--", "-x", "c++", "-Wno-deprecated"}).code == 0);
    const program_run run = check({programs + "kernel_atomics.c", "--", "-DORDERS_NOTHING"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("assertion failed: guarded == 2 && (seen[0] || seen[1])"));
    const program_run taken = check({programs + "kernel_atomics.c", "--", "-DONE_REFERENCE_TOO_FEW"});
    CHECK(taken.code == 1);
    CHECK_THAT(taken.out, Contains("WARN_ON(was <= 0) does not fire"));
    const program_run warns = check({programs + "kernel_atomics.c", "--", "-DWARNS", "-DNDEBUG"});
    CHECK(warns.code == 1);
    CHECK_THAT(warns.out, Contains("WARN_ON(guarded == 0) does not fire"));
}
