// SPDX-License-Identifier: Apache-2.0
#include "../../src/race/access_history.hpp"

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

using namespace ringproof::verify;

namespace {

granule_accesses one(access_kind kind) {
    granule_accesses made;
    made.add(kind, 1);
    return made;
}

accessing_threads by(access_kind kind, std::uint8_t thread) {
    accessing_threads who;
    who.by[static_cast<unsigned>(kind)] = thread;
    return who;
}

constexpr std::uintptr_t granule = 0x1000, another = 0x1008;

} // namespace

TEST_CASE("without memory everything may race, and nothing is noted") {
    access_history history;
    CHECK_FALSE(history.note(granule, access_kind::plain_write, 1));
    CHECK(history.may_race(granule, one(access_kind::plain_read), 1));
}

TEST_CASE("accesses may race with those that another thread made of the same granule") {
    access_history history;
    history.map();
    CHECK_FALSE(history.may_race(granule, one(access_kind::plain_read), 1));
    history.note(granule, access_kind::plain_write, 1);
    CHECK_FALSE(history.may_race(granule, one(access_kind::plain_read), 1)); // its own
    CHECK(history.may_race(granule, one(access_kind::plain_read), 2));
    CHECK_FALSE(history.may_race(another, one(access_kind::plain_read), 2));
    history.note(granule, access_kind::plain_write, 2);
    CHECK(history.may_race(granule, one(access_kind::plain_read), 1));
    history.note(another, access_kind::plain_read, 1);
    CHECK_FALSE(history.may_race(another, one(access_kind::plain_read), 2)); // neither writes
    CHECK(history.may_race(another, one(access_kind::atomic_write), 2));
    history.note(another, access_kind::plain_read, accessing_threads::several);
    CHECK(history.may_race(another, one(access_kind::atomic_write), 1));
}

TEST_CASE("an access tells when it may race with one of a dropped branch") {
    access_history history;
    history.map();
    history.note_dropped(granule, by(access_kind::plain_write, 1));
    CHECK_FALSE(history.note(granule, access_kind::plain_read, 1));
    CHECK_FALSE(history.note(another, access_kind::plain_read, 2));
    CHECK(history.note(granule, access_kind::plain_read, 2));
    history.note_dropped(another, by(access_kind::plain_read, 1));
    CHECK_FALSE(history.note(another, access_kind::atomic_read, 2));
    CHECK(history.note(another, access_kind::atomic_write, 2));
}

TEST_CASE("what one process notes the others know") {
    access_history history;
    history.map();
    const pid_t child = fork();
    if (child == 0) {
        history.note(granule, access_kind::plain_write, 1);
        history.note_dropped(another, by(access_kind::plain_write, 1));
        _exit(0);
    }
    int status = 1;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
    CHECK(history.may_race(granule, one(access_kind::plain_read), 2));
    CHECK(history.note(another, access_kind::plain_read, 2));
}
