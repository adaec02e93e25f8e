// SPDX-License-Identifier: Apache-2.0
#include <ringproof/verify/hidden_races.hpp>

#include <catch2/catch.hpp>

using namespace ringproof::verify;

namespace {

constexpr std::uint8_t whole = 0xff;

granule_accesses one(access_kind kind, std::uint8_t mask = whole) {
    granule_accesses made;
    made.add(kind, mask);
    return made;
}

accessing_threads by(access_kind kind, std::uint8_t thread) {
    accessing_threads who;
    who.by[static_cast<unsigned>(kind)] = thread;
    return who;
}

} // namespace

TEST_CASE("two accesses conflict where one writes, one is plain, and both have a byte") {
    using enum access_kind;
    const auto conflicts = [](access_kind a, access_kind b) { return one(a).conflicts_with(one(b)); };
    for (const access_kind a : all_access_kinds)
        for (const access_kind b : all_access_kinds) {
            CHECK(conflicts(a, b) == conflict(a, b));
            CHECK(conflict(a, b) == conflict(b, a));
        }
    CHECK(conflict(plain_write, plain_write));
    CHECK(conflict(plain_write, plain_read));
    CHECK(conflict(plain_write, atomic_read));
    CHECK(conflict(plain_write, atomic_write));
    CHECK(conflict(plain_read, atomic_write));
    CHECK_FALSE(conflict(plain_read, plain_read));
    CHECK_FALSE(conflict(plain_read, atomic_read));
    CHECK_FALSE(conflict(atomic_write, atomic_write));
    CHECK_FALSE(one(plain_write, 0x0f).conflicts_with(one(plain_write, 0xf0)));
}

TEST_CASE("of threads that accessed a granule one is known, or that there were several") {
    accessing_threads who = by(access_kind::plain_read, 2);
    who.add(by(access_kind::plain_read, 2));
    CHECK(who.by == by(access_kind::plain_read, 2).by);
    who.add({});
    CHECK(who.by == by(access_kind::plain_read, 2).by);
    who.add(by(access_kind::plain_read, 3));
    CHECK(who.by == by(access_kind::plain_read, accessing_threads::several).by);
    who.add(by(access_kind::plain_read, 2));
    CHECK(who.by == by(access_kind::plain_read, accessing_threads::several).by);
}

TEST_CASE("what was left out may race with what is behind, on the same bytes and behind the same place") {
    using enum access_kind;
    const auto possible = [](std::uintptr_t granule, granule_accesses made, std::uint64_t sites) {
        hidden_races hidden;
        hidden.note_left_out(64, {one(plain_write), 2});
        hidden.note_left_out(80, {one(plain_write), 4}); // another loop's
        hidden.note_behind(granule, {made, sites});
        return hidden.possible();
    };
    CHECK(possible(64, one(plain_read), 2));
    CHECK(possible(hidden_races::any_granule, one(plain_read), 2));
    CHECK_FALSE(possible(72, one(plain_read), 2));
    CHECK_FALSE(possible(64, one(plain_read), 4));
    CHECK_FALSE(possible(64, one(plain_read, 0), 2));
    CHECK_FALSE(hidden_races{}.possible());
    // Reads at one place and writes at another: what another reads behind the first does not meet the writes.
    hidden_races both;
    both.note_left_out(64, {one(plain_write), 2});
    both.note_left_out(64, {one(plain_read), 4});
    both.note_behind(64, {one(plain_read), 4});
    CHECK_FALSE(both.possible());
    both.note_behind(hidden_races::any_granule, {one(plain_read), 4});
    CHECK_FALSE(both.possible());
    both.note_behind(64, {one(plain_write), 4});
    CHECK(both.possible());
}

TEST_CASE("beyond the granules that are told apart any of them may be meant") {
    hidden_races any, hidden;
    any.note_in_dropped(hidden_races::any_granule, by(access_kind::plain_write, 1));
    CHECK(any.dropped);
    for (std::size_t i = 0; i < hidden_races::most_granules; ++i) {
        hidden.note_left_out(8 * (i + 1), {one(access_kind::plain_write), 2});
        hidden.note_in_dropped(8 * (i + 1), by(access_kind::plain_write, 1));
    }
    CHECK(hidden.left_out.count(hidden_races::any_granule) == 0);
    CHECK_FALSE(hidden.dropped);
    hidden.note_in_dropped(8, by(access_kind::plain_write, 1)); // known
    CHECK_FALSE(hidden.dropped);
    hidden.note_left_out(8 * hidden_races::most_granules + 64, {one(access_kind::plain_write), 4});
    hidden.note_in_dropped(8 * hidden_races::most_granules + 64, by(access_kind::plain_write, 1));
    CHECK(hidden.left_out.count(hidden_races::any_granule) == 1);
    CHECK(hidden.dropped);
    hidden.note_behind(4, {one(access_kind::plain_read), 4});
    CHECK(hidden.possible());
}

TEST_CASE("what parts of a search have noted is noted by their sum") {
    hidden_races sum, left, behind;
    left.note_left_out(64, {one(access_kind::plain_write), 2});
    left.note_in_dropped(72, by(access_kind::plain_read, 1));
    behind.note_behind(64, {one(access_kind::plain_read), 2});
    behind.note_in_dropped(72, by(access_kind::plain_read, 2));
    behind.dropped = true;
    sum.add(left);
    CHECK_FALSE(sum.possible());
    sum.add(behind);
    CHECK(sum.possible());
    CHECK(sum.dropped);
    CHECK(sum.in_dropped.at(72).by == by(access_kind::plain_read, accessing_threads::several).by);
}
