// SPDX-License-Identifier: Apache-2.0
#include "../../src/parallel/apart.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <stdexcept>

using ringproof::verify::run_apart;
using ringproof::verify::told_apart;

TEST_CASE("what another process returns comes over whole, and what it changes stays there") {
    int changed = 0;
    const told_apart told = run_apart(
        [&] {
            changed = 1;
            return std::string(100'000, 'x') + '\0' + "end";
        },
        5);
    CHECK(told.good());
    CHECK(told.text == std::string(100'000, 'x') + '\0' + "end");
    CHECK(changed == 0);
}

TEST_CASE("another process that throws, is killed or takes too long has told nothing") {
    const told_apart threw = run_apart([]() -> std::string { throw std::runtime_error("no"); }, 5);
    CHECK((!threw.good() && threw.threw && !threw.killed));
    const told_apart killed = run_apart(
        []() -> std::string {
            std::raise(SIGKILL);
            return "never";
        },
        5);
    CHECK((!killed.good() && killed.killed && killed.signal == SIGKILL && killed.text.empty()));
    const told_apart late = run_apart(
        []() -> std::string {
            for (;;) std::raise(SIGCONT);
        },
        1);
    CHECK((!late.good() && late.killed && late.signal == SIGALRM));
}
