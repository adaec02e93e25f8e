// SPDX-License-Identifier: Apache-2.0
#include "ringproof/session/time_merge.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace ringproof;

TEST_CASE("a merge gives everything up to the horizon in the order of time, and in that of coming where "
          "times agree") {
    std::mt19937_64 random(5);
    time_merge<int> merge;
    std::vector<std::pair<std::uint64_t, int>> out;
    std::uint64_t horizon = 0;
    for (int round = 0, next = 0; round != 200; ++round) {
        // All that comes is later than the horizon before, as it must be.
        for (int i = 0; i != 10; ++i) merge.add(horizon + 1 + random() % 30, next++);
        horizon += random() % 20;
        merge.release(horizon, [&](int item, std::uint64_t time) {
            CHECK(time <= horizon);
            out.emplace_back(time, item);
        });
    }
    merge.release_all([&](int item, std::uint64_t time) { out.emplace_back(time, item); });
    CHECK(out.size() == 2000);
    CHECK(std::is_sorted(out.begin(), out.end()));
    CHECK(merge.late() == 0);
    CHECK(merge.waiting_items() == 0);
}

TEST_CASE("what comes too late is given out next, and counted") {
    time_merge<int> merge;
    std::vector<int> out;
    const auto keep = [&](int item, std::uint64_t) { out.push_back(item); };
    merge.add(10, 1);
    merge.add(20, 2);
    CHECK(merge.release(20, keep) == 2);
    merge.add(30, 4);
    merge.add(15, 3);
    CHECK(merge.late() == 1);
    CHECK(merge.release_all(keep) == 2);
    CHECK(out == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("what comes with the time of the last that was given out is not late") {
    time_merge<int> merge;
    std::vector<int> out;
    const auto keep = [&](int item, std::uint64_t) { out.push_back(item); };
    merge.add(10, 1);
    CHECK(merge.release(10, keep) == 1);
    merge.add(10, 2);
    CHECK(merge.late() == 0);
    CHECK(merge.release(10, keep) == 1);
    merge.add(9, 3);
    CHECK(merge.late() == 1);
    CHECK(out == std::vector<int>{1, 2});
}
