// SPDX-License-Identifier: Apache-2.0
#include "ringproof/spsc_queue.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <iterator>
#include <memory>
#include <numeric>
#include <vector>

#include "counting_barriers.hpp"
#include "test_items.hpp"

using ringproof::spsc_queue;

namespace {
constexpr std::uint64_t near_the_wrap = 0 - std::uint64_t{3};
}

TEST_CASE("items leave a single-producer queue in the order they came, also across the 2^64 wrap") {
    for (const std::uint64_t start : {std::uint64_t{0}, near_the_wrap}) {
        spsc_queue<int> queue(4, start);
        for (int round = 0; round != 40; round += 2) {
            REQUIRE(queue.try_push(round));
            REQUIRE(queue.try_push(round + 1));
            CHECK(queue.size_guess() == 2);
            CHECK(queue.try_pop() == round);
            CHECK(queue.try_pop() == round + 1);
            CHECK(queue.try_pop() == std::nullopt);
            CHECK(queue.empty_guess());
        }
    }
}

TEST_CASE("every slot of a single-producer queue can be used, and one more item is refused untouched") {
    spsc_queue<std::unique_ptr<int>> queue(2, near_the_wrap);
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

TEST_CASE("a popped-from empty single-producer queue leaves the destination alone") {
    spsc_queue<int> queue(2);
    int out = 7;
    CHECK_FALSE(queue.try_pop(out));
    CHECK(out == 7);
}

TEST_CASE("only push_or_lose counts a refusal of a single-producer queue as a loss") {
    spsc_queue<int> queue(2);
    CHECK(queue.push_or_lose(1));
    CHECK(queue.push_or_lose(2));
    CHECK_FALSE(queue.try_push(3));
    CHECK(queue.lost() == 0);
    CHECK_FALSE(queue.push_or_lose(3));
    CHECK_FALSE(queue.push_or_lose(4));
    CHECK(queue.lost() == 2);
}

TEST_CASE("a batch into a single-producer queue takes what fits and is published by one store") {
    spsc_queue<int, counting_barriers> queue(4, near_the_wrap);
    std::array<int, 6> items{};
    std::iota(items.begin(), items.end(), 0);
    counting_barriers::take();
    CHECK(queue.try_push_n(items.begin(), 3) == 3);
    CHECK(counting_barriers::take() == counting_barriers::tally{0, 1, 0, 0, 0});
    CHECK(queue.try_push_n(items.begin() + 3, 3) == 1);
    CHECK(counting_barriers::take() == counting_barriers::tally{1, 1, 0, 0, 0});
    CHECK(queue.try_push_n(items.begin(), 2) == 0);
    CHECK(queue.try_push_n(items.begin(), 0) == 0);
    std::vector<int> out;
    counting_barriers::take();
    CHECK(queue.try_pop_n(std::back_inserter(out), 3) == 3);
    CHECK(counting_barriers::take() == counting_barriers::tally{0, 0, 1, 1, 0});
    CHECK(queue.consume([&](int& item) { out.push_back(item); }) == 1);
    CHECK(out == std::vector<int>{0, 1, 2, 3});
    CHECK(queue.consume([](int&) {}) == 0);
    CHECK(queue.try_pop_n(std::back_inserter(out), 0) == 0);
}

TEST_CASE("a side of a single-producer queue looks at the other's line only when what it knows is used up") {
    spsc_queue<int, counting_barriers> queue(2);
    counting_barriers::take();
    CHECK(queue.try_push(1));
    CHECK(queue.try_push(2));
    CHECK(counting_barriers::take() == counting_barriers::tally{0, 2, 0, 0, 0});
    CHECK(queue.try_pop() == 1);
    CHECK(queue.try_pop() == 2);
    CHECK(counting_barriers::take() == counting_barriers::tally{0, 0, 1, 2, 0});
    CHECK(queue.try_push(3));
    CHECK(counting_barriers::take() == counting_barriers::tally{1, 1, 0, 0, 0});
}

TEST_CASE("what is popped one by one is given back in pieces, and all of it at the end") {
    const std::size_t give_back = GENERATE(std::size_t{64}, std::size_t{0});
    spsc_queue<int, counting_barriers> queue(32, {near_the_wrap, give_back}); // a sixteenth are two slots
    for (int i = 0; i != 32; ++i) REQUIRE(queue.try_push(i));
    counting_barriers::take();
    CHECK(queue.try_pop() == 0);
    CHECK(queue.try_push(32) == (give_back == 0));
    CHECK(queue.size_guess() == 32);
    CHECK(queue.try_pop() == 1);
    CHECK(queue.try_push(33));
    CHECK(counting_barriers::take().d == (give_back == 0 ? 2 : 1));
    std::vector<int> out;
    CHECK(queue.try_pop_n(std::back_inserter(out), 29) == 29); // an odd one is left of those known at first
    CHECK(queue.try_pop().has_value());
    CHECK(queue.size_guess() == (give_back == 0 ? 2u : 1u));
    while (queue.try_pop()) {
    }
    CHECK(queue.empty_guess());
}

TEST_CASE("an item whose constructor throws was not pushed, and those before it in the batch were") {
    spsc_queue<touchy> queue(4);
    REQUIRE(queue.try_emplace(1));
    CHECK_THROWS(queue.try_emplace(-1));
    CHECK(queue.size_guess() == 1);
    const std::array<int, 3> batch{2, -1, 3};
    CHECK_THROWS(queue.try_push_n(batch.begin(), 3));
    CHECK(queue.try_pop()->value == 1);
    CHECK(queue.try_pop()->value == 2);
    CHECK_FALSE(queue.try_pop());
}

TEST_CASE("an item that can't be moved out of a single-producer queue is still there") {
    spsc_queue<touchy> queue(4);
    REQUIRE(queue.try_emplace(1));
    REQUIRE(queue.try_emplace(2));
    touchy out(9);
    touchy::copies_throw = true;
    CHECK_THROWS(queue.try_pop(out));
    touchy::copies_throw = false;
    int seen = 0;
    CHECK_THROWS(queue.consume([&](touchy& item) {
        seen += item.value;
        if (item.value == 2) throw std::runtime_error("no");
    }));
    CHECK(seen == 3);
    REQUIRE(queue.try_pop(out));
    CHECK(out.value == 2);
    CHECK_FALSE(queue.try_pop(out));
}

TEST_CASE("a single-producer queue destroys each item once") {
    counted::alive = 0;
    {
        spsc_queue<counted> queue(4, near_the_wrap);
        for (int i = 0; i != 4; ++i) REQUIRE(queue.try_emplace(i));
        CHECK(counted::alive == 4);
        CHECK(queue.try_pop()->value == 0);
        CHECK(counted::alive == 3);
        CHECK(queue.consume([](counted&) {}, 1) == 1);
        CHECK(counted::alive == 2);
        REQUIRE(queue.try_emplace(4));
    }
    CHECK(counted::alive == 0);
}

TEST_CASE("a single-producer queue keeps the alignment of its items") {
    struct alignas(256) wide {
        int value;
    };
    spsc_queue<wide> queue(2);
    REQUIRE(queue.try_emplace(wide{1}));
    queue.consume([](wide& item) { CHECK(reinterpret_cast<std::uintptr_t>(&item) % 256 == 0); });
}

TEST_CASE("a single-producer queue refuses a capacity it can't have") {
    CHECK_THROWS_AS(spsc_queue<int>(1), std::invalid_argument);
    CHECK_THROWS_AS(spsc_queue<int>(3), std::invalid_argument);
    CHECK_THROWS_AS(spsc_queue<int>(std::size_t{1} << 62), std::invalid_argument);
}
