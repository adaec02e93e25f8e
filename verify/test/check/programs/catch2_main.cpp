// SPDX-License-Identifier: Apache-2.0
// A main() of the program's own, which sets something up.
#define CATCH_CONFIG_RUNNER
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

static int set_up = 0;

TEST_CASE("is set up") {
    std::atomic<int> n{set_up};
    std::thread other([&] { ++n; });
    ++n;
    other.join();
    REQUIRE(n == 3);
}

int main(int argc, char** argv) {
    Catch::Session session;
    if (const int wrong = session.applyCommandLine(argc, argv)) return wrong;
    set_up = 1;
    return session.run();
}
