// SPDX-License-Identifier: Apache-2.0
#include "ringproof/contract.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "ringproof/record_ring.hpp"

using Catch::Matchers::Contains;

TEST_CASE("a contract that is kept costs nothing and says nothing") {
    int asked = 0;
    RINGPROOF_CONTRACT(++asked == 1, "never printed");
    CHECK(asked == 1);
}

namespace {

/// What `act` says on standard error before it aborts; empty if it doesn't abort.
template <class Act>
std::string last_words(Act act) {
    int channel[2];
    REQUIRE(pipe(channel) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        dup2(channel[1], STDERR_FILENO);
        act();
        _exit(0);
    }
    close(channel[1]);
    std::string said(200, '\0');
    const ssize_t got = read(channel[0], said.data(), said.size());
    close(channel[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT || got <= 0) return {};
    return said.substr(0, static_cast<std::size_t>(got));
}

} // namespace

TEST_CASE("a broken contract ends the program with its sentence") {
    CHECK_THAT(last_words([] { RINGPROOF_CONTRACT(1 == 2, "one is not two"); }),
               Contains("contract_test.cpp:") && Contains("contract broken: one is not two"));
    CHECK(last_words([] { RINGPROOF_CONTRACT(1 == 1, "one is one"); }).empty());
}

TEST_CASE("a second batch while one is open is a broken contract, one after the other is not") {
    ringproof::record_ring<> ring(64);
    CHECK_THAT(last_words([&] {
                   auto first = ring.read();
                   auto second = ring.read();
               }),
               Contains("one batch at a time"));
    CHECK(last_words([&] {
              { auto first = ring.read(); }
              auto second = ring.read();
          }).empty());
}
