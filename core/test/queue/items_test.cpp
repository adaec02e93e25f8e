// SPDX-License-Identifier: Apache-2.0
// Items live from their push to their pop, and slots come back in pieces.
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>

#include "../counting_barriers.hpp"
#include "ringproof/mpsc_queue.hpp"
#include "ringproof/spsc_queue.hpp"

using namespace ringproof;

namespace {

/// Counts how many of it there are, those that were moved from too.
struct counted {
    static inline int alive = 0;
    int value = 0;

    explicit counted(int number = 0) noexcept : value(number) { ++alive; }
    counted(counted&& other) noexcept : value(other.value) { ++alive; }
    counted& operator=(counted&&) noexcept = default;
    ~counted() { --alive; }
};

} // namespace

TEMPLATE_TEST_CASE("an item is destroyed when it has been taken out, however it is", "", spsc_queue<counted>,
                   (spsc_queue<counted, acquire_release, in_band>),
                   (spsc_queue<counted, acquire_release, batched<1>>), mpsc_queue<counted>) {
    REQUIRE(counted::alive == 0);
    {
        TestType queue(4);
        for (int lap = 0; lap != 5; ++lap) {
            for (int i = 0; i != 4; ++i) REQUIRE(queue.try_emplace(i));
            CHECK(counted::alive == 4);
            {
                counted out;
                REQUIRE(queue.try_pop(out));
                CHECK(counted::alive == 3 + 1);
                std::optional<counted> next = queue.try_pop();
                REQUIRE(next);
                CHECK(next->value == 1);
                CHECK(counted::alive == 2 + 2);
            }
            CHECK(queue.consume([](counted&) {}, 1) == 1);
            CHECK(counted::alive == 1);
            CHECK(queue.consume([](counted&) {}) == 1);
            CHECK(counted::alive == 0);
        }
        REQUIRE(queue.try_emplace(1));
    }
    CHECK(counted::alive == 0);
}

TEST_CASE("slots popped one by one come back in pieces, each once") {
    spsc_queue<int, counting_barriers> queue(64);
    for (int i = 0; i != 64; ++i) REQUIRE(queue.try_push(i));
    counting_barriers::take();
    for (int i = 0; i != 16; ++i) REQUIRE(queue.try_pop() == i);
    CHECK(counting_barriers::take().d == 4); // a sixteenth of the capacity each
    for (int i = 16; i != 62; ++i) REQUIRE(queue.try_pop() == i);
    CHECK(counting_barriers::take().d == 11);
    REQUIRE(queue.try_pop() == 62);
    REQUIRE(queue.try_pop() == 63); // the last one known of: at once
    CHECK(counting_barriers::take().d == 1);
    CHECK(queue.size_guess() == 0);
}

TEST_CASE("consuming gives back one lap at the most") {
    mpsc_queue<int> queue(2);
    REQUIRE(queue.try_push(0));
    int next = 1;
    const auto feeds = [&](int&) {
        // Whoever is being handed an item may push another: it has its slot only after this one is vacant.
        if (next < 100 && queue.try_push(next)) ++next;
    };
    CHECK(queue.consume(feeds) <= 2);
    CHECK(next < 5);
}
