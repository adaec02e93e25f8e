// SPDX-License-Identifier: Apache-2.0
// Which values locations have had, and what threads know that have acquired them.
#include "../../src/reduction/known_values.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;

namespace {

constexpr event_id second_thread = 0; ///< there are threads from the beginning on

/// Two locations, and what is known of their values.
struct noted {
    graph g;
    known_values values;
    location_id x = g.open(64, 4, true, 0), y = g.open(72, 4, true, 0);

    explicit noted(bool of_both = false) {
        for (const location_id l : {x, y})
            if (of_both) {
                values.note_from_now_on(g.loc(l).address);
                note(l, none);
            }
    }

    /// Thread `t` writes at the end of coherence order, or at `place`. It knows of `known`, and releases that if `releases`.
    event_id write(thread_id t, location_id l, value_t value, std::initializer_list<event_id> known = {},
                   bool releases = true, std::uint32_t place = 0) {
        event e;
        e.kind = event_kind::write;
        e.thread = t;
        e.index = static_cast<std::uint32_t>(g.thread_size(t) + 1);
        e.location = l;
        e.value = value;
        e.co_index = place != 0 ? place : static_cast<std::uint32_t>(g.loc(l).co.size());
        e.porf().clear(), e.hb().clear(), e.release().clear();
        e.porf().set(t, e.index);
        for (const event_id k : known) {
            e.porf().join(g.at(k).porf());
            if (releases) e.release().join(g.at(k).porf());
        }
        return g.push(e);
    }
    bool note(location_id l, event_id w, event_id threads_from = second_thread) {
        return values.note_access(g, g.loc(l), w == none ? nullptr : &g.at(w), threads_from);
    }
    bool note_write(thread_id t, location_id l, value_t value, std::initializer_list<event_id> known = {}) {
        return note(l, write(t, l, value, known));
    }
    /// Thread 1 writes 1 to x, then 42 to y, which releases that. @return the first
    event_id publish() {
        const event_id first = write(1, x, 1);
        note(x, first);
        note_write(1, y, 42, {first});
        return first;
    }
    const known_values::values& of(location_id l) const { return *values.find(g.loc(l).address); }
    known_values::value_number number(location_id l, value_t value, unsigned rank) const {
        return {values.number_of(of(l)), of(l).number_of({value, rank})};
    }
};

} // namespace

TEST_CASE("values are noted only where somebody has asked for them") {
    noted n;
    CHECK_FALSE(n.note(n.x, none));
    CHECK(n.values.find(64) == nullptr);
    CHECK(n.values.note_from_now_on(64));
    CHECK(n.note(n.x, none));
    CHECK(n.of(n.x).all == std::vector<known_values::value>{{0, 0}});
    CHECK_FALSE(n.note(n.x, none)); // no news
    CHECK_FALSE(n.note_write(1, n.y, 7));
    CHECK(n.note_write(1, n.x, 7));
    CHECK(n.of(n.x).all == std::vector<known_values::value>{{0, 0}, {7, 1}});
}
TEST_CASE("of a location with many values it is known that there are too many") {
    noted n(true);
    unsigned known = 1;
    while (known < 1'000 && !n.of(n.x).too_many) n.note_write(1, n.x, known++);
    CHECK(known < 100);
    CHECK_FALSE(n.note_write(1, n.x, 1'000));
}
TEST_CASE("a value that is not known when it is written makes too many") {
    noted n(true);
    const event_id w = n.write(1, n.x, 1);
    n.g.at(w).mo = order::plain;
    CHECK(n.note(n.x, w));
    CHECK(n.of(n.x).too_many);
}
TEST_CASE("there is room for the values of some locations") {
    known_values values;
    std::uintptr_t next = 64;
    while (next < 64'000 && values.note_from_now_on(next)) next += 8;
    CHECK(next < 64'000);
    CHECK(values.note_from_now_on(64)); // which has its room
}
TEST_CASE("what main wrote before there were threads is read by none but for the last of it") {
    location l;
    l.co = {3, 5, 9, 12};
    CHECK(*known_values::first_for_all(l, 8) == 5);
    CHECK(*known_values::first_for_all(l, 10) == 9);
    CHECK(*known_values::first_for_all(l, none) == 12);
}
TEST_CASE("of what main wrote before there were threads the last value is noted, once there are threads") {
    noted n;
    n.values.note_from_now_on(64);
    CHECK_FALSE(n.note(n.x, n.write(0, n.x, 5), none));
    const event_id last = n.write(0, n.x, 6);
    CHECK_FALSE(n.note(n.x, last, none));
    CHECK(n.note(n.x, none, last + 1));
    CHECK(n.of(n.x).all == std::vector<known_values::value>{{6, 2}});
}
TEST_CASE("equal values are told apart by how many writes they know of") {
    noted n(true);
    const event_id one = n.write(1, n.x, 4);
    CHECK(n.note(n.x, one));
    CHECK(n.note_write(2, n.x, 4, {one}));
    CHECK(n.of(n.x).all == std::vector<known_values::value>{{0, 0}, {4, 1}, {4, 2}});
    CHECK_FALSE(n.of(n.x).twins);
    CHECK(n.note_write(3, n.x, 4));
    CHECK(n.of(n.x).twins);
}
TEST_CASE("who has acquired a value reads nothing older than what it released") {
    noted n(true);
    const event_id began = n.publish();
    n.note_write(1, n.x, 2, {began});
    const auto acquired = n.number(n.y, 42, 1);
    CHECK_FALSE(n.values.may_be_read(n.number(n.x, 0, 0), acquired));
    CHECK(n.values.may_be_read(n.number(n.x, 1, 1), acquired));
    CHECK(n.values.may_be_read(n.number(n.x, 2, 2), acquired));
    CHECK(n.values.may_be_read(n.number(n.x, 0, 0), n.number(n.y, 0, 0)));
}
TEST_CASE("a value that was once released with less says no more than that") {
    noted n(true);
    const event_id began = n.publish();
    n.g.pop();
    CHECK(n.note(n.y, n.write(1, n.y, 42, {began}, false)));
    CHECK(n.values.may_be_read(n.number(n.x, 0, 0), n.number(n.y, 42, 1)));
}
TEST_CASE("a value that has come behind the released one may be read") {
    noted n(true);
    n.publish();
    n.note_write(2, n.x, 2);
    CHECK(n.values.may_be_read(n.number(n.x, 2, 1), n.number(n.y, 42, 1)));
}
TEST_CASE("a value that has come before the released one in all executions may not be read") {
    noted n(true);
    n.publish();
    const event_id before = n.write(2, n.x, 2, {}, true, 1);
    n.note(n.x, before);
    CHECK_FALSE(n.values.may_be_read(n.number(n.x, 2, 1), n.number(n.y, 42, 1)));
    n.g.pop();
    CHECK(n.note(n.x, n.write(2, n.x, 2))); // in another execution it comes behind
    CHECK(n.values.may_be_read(n.number(n.x, 2, 1), n.number(n.y, 42, 1)));
}
