// SPDX-License-Identifier: Apache-2.0
// GoogleTest registers its tests, and makes keys and objects for them, before main().
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

#ifndef EXPECTED
#define EXPECTED 2
#endif

TEST(Counter, CountsBoth) {
    std::atomic<int> counter{0};
    std::thread one([&] { counter.fetch_add(1); });
    std::thread other([&] { counter.fetch_add(1); });
    one.join();
    other.join();
    EXPECT_EQ(counter.load(), EXPECTED);
}

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const int failed = RUN_ALL_TESTS();
    if (failed) std::exit(failed);
}
