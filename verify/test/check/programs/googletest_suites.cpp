// SPDX-License-Identifier: Apache-2.0
// Tests of each kind, without a main(): that of gtest_main is linked.
#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

class flag_passed : public testing::Test {
  protected:
    static void SetUpTestSuite() { suites = 1; }
    void SetUp() override { ready = suites == 1; }
    static inline int suites = 0; // as main() left it, in each execution
    bool ready = false;
    int data = 0;
    std::atomic<bool> flag{false};
    int pass(std::memory_order store, std::memory_order load) {
        int seen = 1;
        std::thread writer([&] { data = 1, flag.store(true, store); });
        if (flag.load(load)) seen = data;
        writer.join();
        return seen;
    }
};

TEST_F(flag_passed, Publishes) {
    ASSERT_TRUE(ready);
    EXPECT_EQ(pass(std::memory_order_release, std::memory_order_acquire), 1);
}
TEST_F(flag_passed, Races) { EXPECT_EQ(pass(std::memory_order_relaxed, std::memory_order_relaxed), 1); }
TEST(Counter, LosesOne) {
    std::atomic<int> n{0};
    std::thread other([&] { n = n + 1; });
    n = n + 1;
    other.join();
    EXPECT_EQ(n.load(), 2) << "one is lost";
}
TEST(Counter, DISABLED_IsNotRun) { FAIL(); }
TEST(Counter, IsSkipped) { GTEST_SKIP() << "not here"; }
TEST(Counter, Throws) { throw std::runtime_error("thrown"); }
class many : public testing::TestWithParam<int> {};
TEST_P(many, AreEqual) { EXPECT_EQ(GetParam(), 3); }
INSTANTIATE_TEST_SUITE_P(Two, many, testing::Values(3, 4));
