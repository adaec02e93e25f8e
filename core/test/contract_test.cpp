// SPDX-License-Identifier: Apache-2.0
#include "ringproof/contract.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

TEST_CASE("a contract that is kept costs nothing and says nothing") {
    int asked = 0;
    RINGPROOF_CONTRACT(++asked == 1, "never printed");
    CHECK(asked == 1);
}

TEST_CASE("a broken contract ends the program with its sentence") {
    int channel[2];
    REQUIRE(pipe(channel) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        dup2(channel[1], STDERR_FILENO);
        RINGPROOF_CONTRACT(1 == 2, "one is not two");
        _exit(0);
    }
    close(channel[1]);
    std::string said(200, '\0');
    const ssize_t got = read(channel[0], said.data(), said.size());
    close(channel[0]);
    REQUIRE(got > 0);
    CHECK_THAT(said, Catch::Matchers::Contains("contract_test.cpp:") &&
                         Catch::Matchers::Contains("contract broken: one is not two"));
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGABRT);
}
