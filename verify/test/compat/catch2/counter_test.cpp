// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <catch2/catch_test_macros.hpp> // of either version
#include <thread>

TEST_CASE("counts both") {
    std::atomic<int> n{0};
    std::thread other([&] { n.fetch_add(1); });
    n.fetch_add(1);
    other.join();
    CHECK(n.load() == 2);
}
