// SPDX-License-Identifier: Apache-2.0
// Parts of executions put together by hand.
#include "../toy/toy_machine.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::silicon;
using namespace ringproof::silicon::toy;

namespace {

constexpr std::uint64_t x = 1, y = 2;

/// All writes are placed, in the order of the threads.
part_of_execution whole(std::vector<std::vector<step>> code) {
    part_of_execution part = started(std::move(code));
    for (std::size_t t = 0; t < part.threads.size(); ++t) {
        const thread_events& events = part.events(t);
        part.threads[t].placed = events.size();
        for (std::size_t i = 0; i < events.size(); ++i)
            if (events[i].is_write)
                part.order[events[i].address].push_back(
                    {{static_cast<std::int32_t>(t), static_cast<std::int32_t>(i)}, part.time++});
    }
    return part;
}
void reads_from(part_of_execution& part, event_id read, event_id write) {
    part.threads[static_cast<std::size_t>(read.thread)].reads[static_cast<std::size_t>(read.index)].from =
        write;
}

} // namespace

TEST_CASE("a thread does not read what it has overwritten, nor older than what it has read") {
    part_of_execution part = whole({{write(x, 1), read(x)}, {read(x), read(x)}});
    CHECK(allows(armv8(), part));
    reads_from(part, {0, 1}, {});
    CHECK_FALSE(allows(armv8(), part));
    reads_from(part, {0, 1}, {0, 0});
    reads_from(part, {1, 0}, {0, 0});
    CHECK(allows(armv8(), part));
    reads_from(part, {1, 1}, {});
    CHECK_FALSE(allows(armv8(), part));
}

TEST_CASE("a thread does not read what it writes later, and its writes are in its order") {
    part_of_execution part = whole({{read(x), write(x, 1), write(x, 2)}});
    reads_from(part, {0, 0}, {});
    CHECK(allows(armv8(), part));
    reads_from(part, {0, 0}, {0, 1});
    CHECK_FALSE(allows(armv8(), part));
    reads_from(part, {0, 0}, {});
    std::swap(part.order[x][0], part.order[x][1]);
    CHECK_FALSE(allows(armv8(), part));
}

TEST_CASE("message passing with barriers: the flag and not the message is a cycle") {
    part_of_execution part =
        whole({{write(x, 1), full_barrier(), write(y, 1)}, {read(y), full_barrier(), read(x)}});
    reads_from(part, {1, 0}, {0, 2});
    CHECK(allows(armv8(), part));
    reads_from(part, {1, 2}, {});
    CHECK_FALSE(allows(armv8(), part));
}

TEST_CASE("no write of another thread is between the halves of a read-modify-write, unless its thread wrote "
          "there") {
    step half = write(x, 1);
    half.more.rmw_read = 0;
    part_of_execution part = whole({{read(x), half}, {write(x, 5)}});
    reads_from(part, {0, 0}, {});
    CHECK(allows(armv8(), part));
    std::swap(part.order[x][0], part.order[x][1]);
    CHECK_FALSE(allows(armv8(), part));
    // What is placed is a write of a third thread.
    part_of_execution third = whole({{read(x), half}, {read(y)}, {write(x, 5)}});
    reads_from(third, {0, 0}, {});
    std::swap(third.order[x][0], third.order[x][1]);
    CHECK_FALSE(consistency(armv8()).allows(third, {2, 0}));
    part_of_execution own = whole({{write(x, 5)}, {read(x), write(x, 3), half}});
    reads_from(own, {1, 0}, {});
    CHECK(allows(armv8(), own));
}
