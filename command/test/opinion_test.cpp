// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/opinion.hpp>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/types.h>
#include <thread>

using namespace ringproof::command;
using Catch::Matchers::Contains;

namespace {

child_answer shell(const std::string& commands, double seconds = 10) {
    return run_child({"/bin/sh", "-c", commands}, seconds);
}

/// Neither gone, nor a zombie whose parent has not waited for it yet.
bool lives(pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    return std::getline(status, line) && line.find(") Z ") == std::string::npos &&
           line.find(") X ") == std::string::npos;
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
    // It is sent SIGKILL, and dies when it gets a CPU.
    for (int tries = 0; tries < 1000 && lives(grandchild); ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK_FALSE(lives(grandchild));
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

TEST_CASE("a program that a build has left out is told of, although an earlier one stands there") {
    std::string folder = (std::filesystem::temp_directory_path() / "ringproof-opinion-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    const auto put = [&](const char* name, const char* text) { std::ofstream(folder + "/" + name) << text; };
    CHECK(find_opinion(folder, "verify", "relacy").state == opinion_state::absent);
    CHECK_THAT(find_opinion(folder, "verify", "relacy").why, Contains("there is no verify-relacy"));
    put("verify-relacy", "");
    CHECK(find_opinion(folder, "verify", "relacy").state == opinion_state::ready);
    CHECK(find_opinion(folder, "verify", "relacy").program == folder + "/verify-relacy");
    put("verify-relacy.missing", "unusable\nit is too old\n");
    CHECK(find_opinion(folder, "verify", "relacy").state == opinion_state::unusable);
    CHECK(find_opinion(folder, "verify", "relacy").why == "it is too old");
    put("verify-relacy.missing", "absent\nno folder\n");
    CHECK(find_opinion(folder, "verify", "relacy").state == opinion_state::absent);
    std::filesystem::remove_all(folder);
}
