// SPDX-License-Identifier: Apache-2.0
// Test cases of each kind, with the main() of the framework.
#define CATCH_CONFIG_MAIN
#include <atomic>
#include <catch2/catch.hpp>
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
static int count(bool at_once) {
    std::atomic<int> n{0};
    const auto add = [&] { at_once ? n.fetch_add(1) : n = n + 1; };
    std::thread other(add);
    add();
    other.join();
    return n;
}
TEST_CASE("loses one", "[counter]") {
    INFO("two threads");
    CHECK(count(false) == 2);
}
TEST_CASE("each section is entered", "[section]") {
    static int entered = 0; // as main() left it, in each execution
    SECTION("first") {
        ++entered;
        SECTION("inner") { CHECK(count(true) == 2); }
        SECTION("other inner") { CHECK(count(true) == 2); }
    }
    SECTION("second") { ++entered; }
    for (const int i : {1, 2}) DYNAMIC_SECTION("number " << i) {
            entered += i > 0;
        }
    CHECK(entered == 1);
}
TEST_CASE("a section fails") {
    SECTION("holds") { CHECK(count(true) == 2); }
    SECTION("outer") {
        SECTION("fails") { CHECK(count(false) == 2); }
    }
}
TEST_CASE("values") {
    const int a = GENERATE(1, 2, 3);
    const int b = GENERATE_COPY(a, 10);
    SECTION("x") { CHECK((a < b || a == b)); }
    SECTION("y") { CHECK(a + b != 13); }
}
TEST_CASE("all values hold") { CHECK(GENERATE(range(0, 4)) < 4); }
TEST_CASE("sections depend on the schedule") {
    std::atomic<int> n{0};
    std::thread other([&] { n = 1; });
    const int seen = n;
    other.join();
    if (seen == 0) SECTION("late") {
        }
    CHECK(seen < 2);
}
TEST_CASE("a value behind a section") {
    SECTION("a") {}
    CHECK(GENERATE(1, 2) > 0);
}
TEST_CASE("is hidden", "[.]") { FAIL(); }
TEST_CASE("may fail", "[!mayfail]") { FAIL(); }
TEST_CASE("fails") { FAIL("said so"); }
TEST_CASE("throws") { throw std::runtime_error("thrown"); }
TEST_CASE("exceptions") {
    CHECK_THROWS_AS(throw std::runtime_error("x"), std::runtime_error);
    CHECK_THROWS_WITH(throw std::runtime_error("xy"), Catch::Contains("y"));
    CHECK_NOTHROW(count(true));
    CHECK_NOFAIL(1 == 2);
    CHECKED_IF(1 == 1) { SUCCEED(); }
    CHECK_FALSE(1 == 2);
    CHECK_THAT("abc", Catch::Contains("b") && !Catch::Contains("d"));
}
TEST_CASE("none is thrown") { CHECK_THROWS(count(true)); }
