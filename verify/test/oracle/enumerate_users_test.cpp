// SPDX-License-Identifier: Apache-2.0
// What programs of users do beside the language, as the oracle sees it: waits that give up, pieces of plain memory,
// memory of a thread's own.
#include "enumerate.hpp"

#include <catch2/catch.hpp>

namespace ringproof::verify::oracle {
namespace {

using namespace write;

enumeration of(const program& what) {
    const enumeration grown = enumerate(what, memory_model::rc11);
    const enumeration defined = enumerate_by_definition(what, memory_model::rc11);
    CAPTURE(to_string(what));
    CHECK(grown.race == defined.race);
    if (grown.race) return grown;
    CHECK(grown.executions == defined.executions);
    CHECK(grown.outcomes == defined.outcomes);
    return grown;
}

std::set<std::string> texts(const program& what) {
    std::set<std::string> all;
    for (const outcome& one : of(what).outcomes) all.insert(to_string(one, what));
    return all;
}

} // namespace

TEST_CASE("a wait of n rounds for one store has n + 1 executions: seen in each round, or in none") {
    for (int rounds = 1; rounds <= 5; ++rounds) {
        const program waits{{store(0, 1, rlx)}, {counted_wait(0, comparison::not_equal, 0, rounds, rlx, 0)}};
        const enumeration found = of(waits);
        CHECK(found.executions == static_cast<std::uint64_t>(rounds) + 1);
        CHECK(found.blocked == 0);
        CHECK(texts(waits) == std::set<std::string>{"T1:r0=0 x0=1", "T1:r0=1 x0=1"});
    }
}

TEST_CASE("who gives up takes the slow path with what was seen last") {
    const program parks{{store(0, 1, rlx), store(0, 2, rlx)},
                        {counted_wait(0, comparison::equal, 2, 3, rlx, 0),
                         skip_if(0, comparison::equal, 2, 1), store(1, reg(0) + 5, rlx)}};
    CHECK(texts(parks) ==
          std::set<std::string>{"T1:r0=0 x0=2 x1=5", "T1:r0=1 x0=2 x1=6", "T1:r0=2 x0=2 x1=0"});
}

TEST_CASE("the rounds of two waits of one thread are counted apart") {
    const program twice{{counted_wait(0, comparison::not_equal, 0, 2, rlx, 0),
                         counted_wait(0, comparison::not_equal, 0, 3, rlx, 1)}};
    CHECK(of(twice).executions == 1);
    const program one{{store(0, 1, rlx)}, twice[0]};
    CHECK(of(one).executions == 2 + 3 + 1); // seen first in one of the five reads, or never
}

TEST_CASE("pieces of the window race where they have a byte in common, and hand over whole words otherwise") {
    const auto race = [](const operation& a, const operation& b) { return of({{a}, {b}}).race; };
    CHECK(race(bytes_store(0, 4, 1), bytes_store(3, 2, 1)));
    CHECK(race(bytes_store(5, 8, 1), bytes_load(12, 1)));
    CHECK_FALSE(race(bytes_store(0, 4, 1), bytes_store(4, 4, 1)));
    CHECK_FALSE(race(bytes_store(5, 8, 1), bytes_load(13, 1)));
    CHECK_FALSE(race(bytes_load(0, 8), bytes_load(0, 8)));

    const program mixed{
        {bytes_store(0, 4, 1), bytes_store(1, 1, 2), store(0, 1, rel)},
        {load(0, acq, 0), skip_if(0, comparison::equal, 0, 2), bytes_load(0, 2, 1), bytes_store(3, 1, 7)}};
    CHECK_FALSE(of(mixed).race);
    CHECK(texts(mixed) == std::set<std::string>{"T1:r0=0 T1:r1=0 x0=1 b=1,2,1,1,0,0,0,0,0,0,0,0,0,0,0,0",
                                                "T1:r0=1 T1:r1=7 x0=1 b=1,2,1,7,0,0,0,0,0,0,0,0,0,0,0,0"});
    const program relaxed{{bytes_store(0, 4, 1), store(0, 1, rlx)},
                          {load(0, acq, 0), skip_if(0, comparison::equal, 0, 1), bytes_load(3, 1, 1)}};
    CHECK(of(relaxed).race);
}

TEST_CASE("a thread's own word begins at 0, and again after each renewal") {
    const program own{{own_load(0), own_store(4), own_load(1), renew(), own_load(2), store(0, reg(1), rlx)},
                      {own_load(0), own_store(1)}};
    CHECK(of(own).executions == 1);
    CHECK(texts(own) == std::set<std::string>{"T0:r0=0 T0:r1=4 T0:r2=0 T1:r0=0 x0=4"});
}

TEST_CASE("where memory comes from and how wide atomics are changes nothing") {
    program code{{store(0, 1, rel), load(1, acq, 0)}, {store(1, 1, rel), load(0, acq, 0)}};
    const enumeration before = of(code);
    code.within.shared = code.within.own = storage::mapped;
    code.within.width = {1, 16, 8, 2, 4, 1};
    CHECK(of(code).outcomes == before.outcomes);
    CHECK(to_string(code).find("memory: mapped, own: mapped, bytes of atomics: 1 16 8 2 4 1") == 0);
}

} // namespace ringproof::verify::oracle
