// SPDX-License-Identifier: Apache-2.0
// Which values locations have had.
#include "../../src/reduction/known_values.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;

namespace {

location at(std::uintptr_t address) {
    location l;
    l.address = address;
    return l;
}

} // namespace

TEST_CASE("values are noted only where somebody has asked for them") {
    known_values values;
    CHECK_FALSE(values.note_first(at(64), 1));
    CHECK(values.find(64) == nullptr);
    CHECK(values.note_from_now_on(64));
    CHECK(values.note_first(at(64), 1));
    CHECK(values.find(64)->all == std::vector<value_t>{1});
    CHECK_FALSE(values.note_first(at(64), 1)); // no news
    CHECK_FALSE(values.note_first(at(72), 1));
}
TEST_CASE("of a location with many values it is known that there are too many") {
    known_values values;
    values.note_from_now_on(64);
    unsigned known = 0;
    while (known < 1'000 && !values.find(64)->too_many) values.note_first(at(64), known++);
    CHECK(known < 100);
    CHECK_FALSE(values.note_first(at(64), 1'000));
    CHECK(values.changes() == known);
}
TEST_CASE("there is room for the values of some locations") {
    known_values values;
    std::uintptr_t next = 64;
    while (next < 64'000 && values.note_from_now_on(next)) next += 8;
    CHECK(next < 64'000);
    CHECK(values.note_from_now_on(64)); // which has its room
}
TEST_CASE("what main wrote before there were threads is read by none but for the last of it") {
    location l = at(64);
    l.co = {3, 5, 9, 12};
    CHECK(*known_values::first_for_all(l, 8) == 5);
    CHECK(*known_values::first_for_all(l, 10) == 9);
    CHECK(*known_values::first_for_all(l, none) == 12);
}
