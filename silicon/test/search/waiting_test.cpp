// SPDX-License-Identifier: Apache-2.0
#include "../../src/search/waiting.hpp"
#include "../toy/toy_machine.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::silicon;
using namespace ringproof::silicon::toy;

namespace {

constexpr std::uint64_t x = 1, y = 2;

} // namespace

TEST_CASE("a read that a thread waits for comes first") {
    const part_of_execution part = started({{read(x)}, {read(x), read(y), end_if(1, 0), write(x, 1)}});
    CHECK(next_read(part) == event_id{1, 1});
    CHECK(next_read(started({{read(x)}, {read(y)}})) == event_id{0, 0});
}

TEST_CASE("a read can be put off only for another thread that waits for something else") {
    const part_of_execution one = started({{read(x), end_if(0, 0), write(y, 1)}, {write(x, 1)}});
    CHECK_FALSE(may_put_off(one, {0, 0}));
    const part_of_execution two =
        started({{read(x), end_if(0, 0), write(y, 1)}, {read(y), end_if(0, 0), write(x, 1)}});
    CHECK(may_put_off(two, {0, 0}));
    CHECK(may_put_off(two, {1, 0}));
}

TEST_CASE("two reads that are put off for each other never get a write") {
    part_of_execution part =
        started({{read(x), end_if(0, 0), write(y, 1)}, {read(y), end_if(0, 0), write(x, 1)}});
    CHECK(can_end(part));
    part.threads[0].reads[0].off = part.time;
    CHECK(can_end(part));
    CHECK(candidates(part, {0, 0}).empty());
    part.threads[1].reads[0].off = part.time;
    CHECK_FALSE(can_end(part));
}

TEST_CASE("a read is given writes that are placed, of its own thread those before it, and the initial one") {
    part_of_execution part = started({{write(x, 1), read(x), write(x, 2)}, {write(x, 3)}});
    part.order[x] = {{{0, 0}, 1}, {{0, 2}, 2}, {{1, 0}, 3}};
    CHECK(candidates(part, {0, 1}) == std::vector<event_id>{{}, {0, 0}, {1, 0}});
    part.threads[0].reads[1].off = 3;
    CHECK(candidates(part, {0, 1}) == std::vector<event_id>{{1, 0}});
}
