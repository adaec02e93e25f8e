// SPDX-License-Identifier: Apache-2.0
// Test cases of each kind, in Catch2 version 3.
#include <atomic>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <stdexcept>
#include <thread>

struct flag_passed {
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

TEST_CASE_METHOD(flag_passed, "publishes") {
    CHECK(pass(std::memory_order_release, std::memory_order_acquire) == 1);
}
TEST_CASE_METHOD(flag_passed, "races") {
    REQUIRE(pass(std::memory_order_relaxed, std::memory_order_relaxed) == 1);
}
template <class Number>
static Number count(bool at_once) {
    std::atomic<Number> n{0};
    const auto add = [&] { at_once ? n.fetch_add(1) : n = n + 1; };
    std::thread other(add);
    add();
    other.join();
    return n;
}
TEST_CASE("loses one", "[counter]") {
    INFO("two threads");
    CHECK(count<int>(false) == 2);
}
TEMPLATE_TEST_CASE("counts in", "[counter]", int, long) { CHECK(count<TestType>(true) == 2); }
TEST_CASE("a section fails") {
    SECTION("holds") { CHECK(count<int>(true) == 2); }
    SECTION("outer") {
        SECTION("fails") { CHECK(count<int>(false) == 2); }
    }
}
TEST_CASE("values") {
    const int a = GENERATE(1, 2, 3);
    const int b = GENERATE_COPY(a, 10);
    SECTION("x") { CHECK((a < b || a == b)); }
    SECTION("y") { CHECK(a + b != 13); }
}
TEST_CASE("all values hold") { CHECK(GENERATE(range(0, 4)) < 4); }
TEST_CASE("a value behind a section") {
    SECTION("a") {}
    CHECK(GENERATE(1, 2) > 0);
}
TEST_CASE("is hidden", "[.]") { FAIL(); }
TEST_CASE("may fail", "[!mayfail]") { FAIL(); }
TEST_CASE("fails") { FAIL("said so"); }
TEST_CASE("is skipped") {
    SKIP("not here");
    FAIL();
}
TEST_CASE("throws") { throw std::runtime_error("thrown"); }
TEST_CASE("exceptions") {
    CHECK_THROWS_AS(throw std::runtime_error("x"), std::runtime_error);
    CHECK_THROWS_WITH(throw std::runtime_error("xy"), Catch::Matchers::ContainsSubstring("y"));
    CHECK_NOTHROW(count<int>(true));
    CHECK_NOFAIL(1 == 2);
    CHECKED_IF(1 == 1) { SUCCEED(); }
    CHECK_FALSE(1 == 2);
    CHECK_THAT("abc", Catch::Matchers::ContainsSubstring("b") && !Catch::Matchers::ContainsSubstring("d"));
}
TEST_CASE("none is thrown") { CHECK_THROWS(count<int>(true)); }
TEST_CASE("many executions") {
    std::atomic<int> n{0};
    const auto add = [&] {
        for (int i = 0; i < 8; ++i) n.fetch_add(1);
    };
    std::thread other(add);
    add();
    other.join();
    CHECK(n == 16);
}
