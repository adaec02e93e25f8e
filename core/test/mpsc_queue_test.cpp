// SPDX-License-Identifier: Apache-2.0
#include "ringproof/mpsc_queue.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "counting_barriers.hpp"
#include "test_items.hpp"

using ringproof::mpsc_queue;

namespace {

constexpr std::uint64_t near_the_wrap = 0 - std::uint64_t{3};

/// Runs something once, between a producer's look at the slot and its claim.
struct interrupting : ringproof::acquire_release {
    static inline void (*before_claim)() = nullptr;
    static bool claim(std::atomic<position>& reserved, position& expected, position desired) noexcept {
        if (auto* const run = std::exchange(before_claim, nullptr)) run();
        return acquire_release::claim(reserved, expected, desired);
    }
};

/// Runs something once, between a producer's look at the position and its look at the slot.
struct interrupting_earlier : ringproof::acquire_release {
    static inline void (*before_look)() = nullptr;
    static std::uint64_t load_vacancy(std::uint64_t& word) noexcept {
        if (auto* const run = std::exchange(before_look, nullptr)) run();
        return acquire_release::load_vacancy(word);
    }
};

} // namespace

TEST_CASE("items leave a many-producer queue in the order they were claimed, also across the 2^64 wrap") {
    for (const std::uint64_t start : {std::uint64_t{0}, near_the_wrap}) {
        mpsc_queue<int> queue(2, start);
        for (int round = 0; round != 40; round += 2) {
            REQUIRE(queue.try_push(round));
            REQUIRE(queue.try_push(round + 1));
            CHECK(queue.size_guess() == 2);
            CHECK(queue.try_pop() == round);
            CHECK(queue.try_pop() == round + 1);
            CHECK(queue.try_pop() == std::nullopt);
        }
    }
}

TEST_CASE("every slot of a many-producer queue can be used, and one more item is refused untouched") {
    mpsc_queue<std::unique_ptr<int>> queue(2, near_the_wrap);
    REQUIRE(queue.try_push(std::make_unique<int>(1)));
    REQUIRE(queue.try_emplace(new int(2)));
    auto third = std::make_unique<int>(3);
    CHECK_FALSE(queue.try_push(std::move(third)));
    REQUIRE(third != nullptr);
    std::unique_ptr<int> out;
    REQUIRE(queue.try_pop(out));
    CHECK(*out == 1);
    CHECK(queue.try_push(std::move(third)));
}

TEST_CASE("an item of a many-producer queue costs one claim and one access per letter") {
    mpsc_queue<int, counting_barriers> queue(2);
    counting_barriers::take();
    CHECK(queue.try_push(1));
    CHECK(counting_barriers::take() == counting_barriers::tally{1, 1, 0, 0, 1});
    CHECK(queue.try_pop() == 1);
    CHECK(counting_barriers::take() == counting_barriers::tally{0, 0, 1, 1, 0});
}

TEST_CASE("a batch into a many-producer queue takes one claim and what fits of it by halves") {
    mpsc_queue<int, counting_barriers> queue(8, near_the_wrap);
    const std::array<int, 9> items{0, 1, 2, 3, 4, 5, 6, 7, 8};
    counting_barriers::take();
    CHECK(queue.try_push_n(items.begin(), 5) == 5);
    CHECK(counting_barriers::take().claims == 1);
    CHECK(queue.try_push_n(items.begin() + 5, 4) == 2);
    CHECK(queue.try_push_n(items.begin() + 7, 2) == 1);
    CHECK(queue.try_push_n(items.begin() + 8, 1) == 0);
    std::vector<int> out;
    CHECK(queue.try_pop_n(std::back_inserter(out), 3) == 3);
    CHECK(queue.consume([&](int& item) { out.push_back(item); }) == 5);
    CHECK(out == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(queue.try_push_n(items.begin(), 9) == 8);
    CHECK(queue.try_push_n(items.begin(), 0) == 0);
}

TEST_CASE("a batch of items whose copies may throw loses none of those before") {
    mpsc_queue<std::string> queue(4);
    const std::vector<std::string> items{"a", "b", "c", "d", "e"};
    CHECK(queue.try_push_n(items.begin(), items.size()) == 4);
    CHECK(queue.try_pop() == "a");
}

TEST_CASE("a producer overtaken between its look and its claim takes the next slot") {
    static mpsc_queue<int, interrupting>* target = nullptr;
    mpsc_queue<int, interrupting> queue(4);
    target = &queue;
    interrupting::before_claim = [] { CHECK(target->try_push(1)); };
    CHECK(queue.try_push(2));
    CHECK(queue.try_pop() == 1);
    CHECK(queue.try_pop() == 2);
}

TEST_CASE("a producer overtaken by a whole lap is refused or goes on, but never overwrites") {
    static mpsc_queue<int, interrupting>* target = nullptr;
    mpsc_queue<int, interrupting> queue(2, near_the_wrap);
    target = &queue;
    SECTION("full by then") {
        interrupting::before_claim = [] {
            CHECK(target->try_push(1));
            CHECK(target->try_push(2));
        };
        CHECK_FALSE(queue.try_push(3));
    }
    SECTION("emptied and filled again by then, with one slot left") {
        interrupting::before_claim = [] {
            CHECK(target->try_push(0));
            CHECK(target->try_push(0));
            CHECK(target->consume([](int&) {}) == 2);
            CHECK(target->try_push(1));
        };
        CHECK(queue.try_push(2));
    }
    CHECK(queue.try_pop() == 1);
    CHECK(queue.try_pop() == 2);
    CHECK(queue.try_pop() == std::nullopt);
}

TEST_CASE("a producer whose view of the position is out of date tries again instead of refusing") {
    static mpsc_queue<int, interrupting_earlier>* target = nullptr;
    mpsc_queue<int, interrupting_earlier> queue(4);
    target = &queue;
    interrupting_earlier::before_look = [] { CHECK(target->try_push(1)); };
    const std::array<int, 2> batch{2, 3};
    CHECK(queue.try_push_n(batch.begin(), 2) == 2);
    interrupting_earlier::before_look = [] {
        CHECK(target->consume([](int&) {}) == 3);
        CHECK(target->try_push(4));
    };
    CHECK(queue.try_push(5));
    CHECK(queue.try_pop() == 4);
    CHECK(queue.try_pop() == 5);
}

TEST_CASE("an uncommitted slot hides what comes after it, and only until it is committed") {
    static mpsc_queue<int, interrupting>* target = nullptr;
    static int visible = -1;
    mpsc_queue<int, interrupting> queue(4);
    target = &queue;
    struct slow {
        int value = 0;
        operator int() const noexcept { // runs between claim and commit
            CHECK(target->try_push(2));
            visible = static_cast<int>(target->consume([](int&) {}));
            return value;
        }
    };
    CHECK(queue.try_emplace(slow{1}));
    CHECK(visible == 0);
    CHECK(queue.try_pop() == 1);
    CHECK(queue.try_pop() == 2);
}

TEST_CASE("a throwing constructor claims no slot of a many-producer queue") {
    mpsc_queue<touchy> queue(2);
    CHECK_THROWS(queue.try_emplace(-1));
    CHECK(queue.size_guess() == 0);
    REQUIRE(queue.try_emplace(1));
    touchy::copies_throw = true;
    const touchy item(2);
    CHECK_THROWS(queue.try_push(item));
    touchy out(9);
    CHECK_THROWS(queue.try_pop(out));
    touchy::copies_throw = false;
    REQUIRE(queue.try_pop(out));
    CHECK(out.value == 1);
    CHECK_FALSE(queue.try_pop(out));
}

TEST_CASE("only push_or_lose counts a refusal of a many-producer queue as a loss") {
    mpsc_queue<int> queue(2);
    CHECK(queue.push_or_lose(1));
    CHECK(queue.push_or_lose(2));
    CHECK_FALSE(queue.try_push(3));
    CHECK(queue.lost() == 0);
    CHECK_FALSE(queue.push_or_lose(3));
    CHECK(queue.lost() == 1);
}

TEST_CASE("a many-producer queue destroys each item once") {
    counted::alive = 0;
    {
        mpsc_queue<counted> queue(4, near_the_wrap);
        for (int i = 0; i != 4; ++i) REQUIRE(queue.try_emplace(i));
        CHECK_FALSE(queue.try_emplace(5));
        CHECK(queue.try_pop()->value == 0);
        CHECK(counted::alive == 3);
        REQUIRE(queue.try_emplace(4));
    }
    CHECK(counted::alive == 0);
}

TEST_CASE("a many-producer queue refuses a capacity it can't have") {
    CHECK_THROWS_AS(mpsc_queue<int>(1), std::invalid_argument);
    CHECK_THROWS_AS(mpsc_queue<int>(6), std::invalid_argument);
    CHECK_THROWS_AS(mpsc_queue<int>(std::size_t{1} << 61), std::invalid_argument);
}
