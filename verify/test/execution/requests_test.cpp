// SPDX-License-Identifier: Apache-2.0
#include "../../src/execution/requests.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace ringproof::verify;

namespace {

request asking(action act, value_t expected = 0) {
    request r;
    r.act = act;
    r.size = 4;
    r.expected = expected;
    return r;
}

/// As a semaphore's: takes one if there is one.
going take_one(value_t seen, value_t, value_t& next) {
    if (seen == 0) return going::wait;
    next = seen - 1;
    return going::change;
}

} // namespace

TEST_CASE("read-modify-writes compute within the size of their operand") {
    constexpr value_t most = std::numeric_limits<std::uint8_t>::max();
    CHECK((apply(rmw_op::exchange, 3, 7, 1) == 7));
    CHECK((apply(rmw_op::add, most, 1, 1) == 0));
    CHECK((apply(rmw_op::add, most, 1, 2) == most + 1));
    CHECK((apply(rmw_op::sub, 0, 1, 1) == most));
    CHECK((apply(rmw_op::bit_and, 6, 3, 1) == 2));
    CHECK((apply(rmw_op::bit_or, 6, 3, 1) == 7));
    CHECK((apply(rmw_op::bit_xor, 6, 3, 1) == 5));
    CHECK((apply(rmw_op::bit_nand, 6, 3, 1) == (most & ~value_t{2})));
}

TEST_CASE("values of 16 bytes are not cut") {
    const value_t all = ~value_t{0};
    CHECK((truncated(all, 16) == all));
    CHECK((truncated(all, 8) == std::numeric_limits<std::uint64_t>::max()));
    CHECK((apply(rmw_op::add, all, 1, 16) == 0));
}

TEST_CASE("a compare-exchange writes where it sees what it expects, a lock where it is free") {
    CHECK(exclusive(asking(action::modify), 5));
    CHECK(exclusive(asking(action::compare, 5), 5));
    CHECK(!exclusive(asking(action::compare, 5), 6));
    CHECK(exclusive(asking(action::lock), 0));
    CHECK(!exclusive(asking(action::lock), 1));
    CHECK(!exclusive(asking(action::load), 0));
}

TEST_CASE("a lock that is taken waits, and one that is only tried does not") {
    CHECK(must_wait(asking(action::lock), 1));
    CHECK(!must_wait(asking(action::lock), 0));
    CHECK(!must_wait(asking(action::try_lock), 1));
    request semaphore = asking(action::lock);
    semaphore.rule = take_one;
    CHECK(must_wait(semaphore, 0));
    CHECK(!must_wait(semaphore, 2));
    CHECK(exclusive(semaphore, 2));
    CHECK(!exclusive(semaphore, 0));
}
