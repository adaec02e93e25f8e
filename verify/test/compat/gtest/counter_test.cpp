// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

TEST(Counter, CountsBoth) {
    std::atomic<int> n{0};
    std::thread other([&] { n.fetch_add(1); });
    n.fetch_add(1);
    other.join();
    EXPECT_EQ(n.load(), 2);
}
