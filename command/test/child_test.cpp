// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/child.hpp>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

using namespace ringproof::command;
using Catch::Matchers::Contains;

namespace {

child_answer shell(const std::string& commands, double seconds = 10) {
    return run_child({"/bin/sh", "-c", commands}, seconds);
}

} // namespace

TEST_CASE("a child's output and exit code come back") {
    const child_answer answer = shell("echo out; echo err >&2; exit 3");
    CHECK(answer.ended);
    CHECK(answer.exit_code == 3);
    CHECK(answer.output == "out\n");
}

TEST_CASE("long output is read to its end") {
    const child_answer answer = shell("yes 1234567 | head -n 50000");
    CHECK(answer.ended);
    CHECK(answer.output.size() == 8 * 50000);
}

TEST_CASE("a child reads nothing") { CHECK(shell("cat").output.empty()); }

TEST_CASE("a child that does not end is killed, and what it began with it") {
    const child_answer answer = shell("sleep 100 & echo $!; wait", 0.5);
    CHECK(answer.timed_out);
    CHECK_FALSE(answer.ended);
    CHECK_THAT(answer.why, Contains("was killed"));
    const auto grandchild = static_cast<pid_t>(std::atoi(answer.output.c_str()));
    REQUIRE(grandchild > 0);
    // Gone, or a zombie whose parent has not waited for it yet; on a busy machine not at once.
    std::string line;
    const auto alive = [&] {
        std::ifstream status("/proc/" + std::to_string(grandchild) + "/stat");
        return std::getline(status, line) && line.find(") Z ") == std::string::npos &&
               line.find(") X ") == std::string::npos;
    };
    for (int i = 0; i != 1000 && alive(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK_FALSE(alive());
}

TEST_CASE("a child that closes its output and goes on is killed") {
    CHECK(shell("exec >&-; sleep 100", 0.5).timed_out);
}

TEST_CASE("a signal is told by its number and name") {
    const child_answer answer = shell("kill -SEGV $$");
    CHECK_FALSE(answer.ended);
    CHECK_THAT(answer.why, Contains("signal 11 (Segmentation fault)"));
}

TEST_CASE("what cannot be executed is told by its name") {
    CHECK_THAT(run_child({"/no/such/program"}, 10).why, Contains("/no/such/program cannot be executed"));
}

TEST_CASE("what a child writes to standard error is its answer, too, where it is asked for") {
    const child_answer answer =
        run_child({"/bin/sh", "-c", "echo out; echo err >&2"}, 10, heard::output_and_errors);
    CHECK(answer.output == "out\nerr\n");
}

TEST_CASE("a program is found in PATH, and what cannot be run is none") {
    CHECK(is_program(program_in_path("sh")));
    CHECK(program_in_path("no-such-program").empty());
    CHECK_FALSE(is_program("/"));
    CHECK_FALSE(is_program("/proc/self/status"));
}
