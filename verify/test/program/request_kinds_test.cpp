// SPDX-License-Identifier: Apache-2.0
#include "../../src/program/request_kinds.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;

namespace {

template <class Function>
void each_kind(Function f) {
    for (auto i = static_cast<int>(action::nothing); i <= static_cast<int>(action::fail); ++i)
        f(kind_of(static_cast<action>(i)));
}

} // namespace

TEST_CASE("what reads becomes a read, what writes a write, and nothing does both") {
    each_kind([](const request_kind& k) {
        CAPTURE(k.name);
        if (k.reads) CHECK(k.event == event_kind::read);
        if (k.writes) CHECK(k.event == event_kind::write);
        CHECK(!(k.reads && k.writes));
    });
}

TEST_CASE("what goes on at once leaves nothing for the search to choose") {
    each_kind([](const request_kind& k) {
        CAPTURE(k.name);
        if (k.at_once) CHECK((!k.reads && !k.writes && !k.accesses));
    });
}

TEST_CASE("a read-modify-write asks once: its write has no address to look at, and no handler before it") {
    const request_kind& write = kind_of(action::write_part);
    CHECK(write.writes);
    CHECK(!write.accesses);
    CHECK(!write.place);
    CHECK(!write.repeats);
}

TEST_CASE("handlers come in before accesses, and not before a thread's begin or end") {
    for (const action a : {action::load, action::store, action::modify, action::fence, action::unlock})
        CHECK(kind_of(a).place);
    for (const action a : {action::begin, action::end, action::choose, action::fail})
        CHECK(!kind_of(a).place);
}
