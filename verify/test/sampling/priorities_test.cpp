// SPDX-License-Identifier: Apache-2.0
#include "../../src/sampling/priorities.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace ringproof::verify;

TEST_CASE("a thread keeps its priority until it is demoted, and then goes last") {
    priorities order(1, 1);
    order.begin();
    const std::vector<thread_id> all{0, 1, 2, 3};
    const thread_id first = order.next(all);
    CHECK(order.next(all) == first);
    order.demote(first);
    const thread_id second = order.next(all);
    CHECK(second != first);
    order.demote(second);
    CHECK(order.next({first, second}) == first); // demoted earlier
}

TEST_CASE("each thread goes first in some execution") {
    priorities order(3, 1);
    std::set<thread_id> first;
    for (int i = 0; i < 100; ++i) {
        order.begin();
        first.insert(order.next({0, 1, 2, 3}));
    }
    CHECK(first.size() == 4);
}

TEST_CASE("an execution has one change less than its depth, and bugs of depth 1 need none") {
    for (const unsigned depth : {1u, 2u, 4u}) {
        priorities order(5, depth);
        for (int i = 0; i < 20; ++i) {
            order.begin();
            unsigned changes = 0;
            for (int step = 0; step < 2000; ++step) changes += order.change_here();
            if (depth == 1) CHECK(changes == 0);
            CHECK(changes <= depth - 1); // two may fall on one step
        }
    }
}
