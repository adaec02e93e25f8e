// SPDX-License-Identifier: Apache-2.0
// Families of programs whose execution counts follow a formula.
#include "enumerate.hpp"

#include <catch2/catch.hpp>
#include <functional>

namespace ringproof::verify::oracle {
namespace {

using namespace write;
constexpr int x = 0, y = 1;

program threads(int count, const std::function<thread_code(int)>& body) {
    program made;
    for (int i = 0; i < count; ++i) made.append(body(i));
    return made;
}

std::uint64_t count(const program& what, memory_model model = memory_model::rc11) {
    const enumeration found = enumerate(what, model);
    CAPTURE(to_string(what));
    CHECK_FALSE(found.race);
    CHECK_FALSE(found.cut_short);
    return found.executions;
}

std::uint64_t factorial(int n) { return n < 2 ? 1 : static_cast<std::uint64_t>(n) * factorial(n - 1); }
std::uint64_t power(std::uint64_t base, int exponent) {
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

program store_buffering(int n, order how) {
    return threads(n, [&](int i) { return thread_code{store(i, 1, how), load((i + 1) % n, how, 0)}; });
}

program readers_of_independent_writes(int readers, order writing, order reading) {
    program made{{store(x, 1, writing)}, {store(y, 1, writing)}};
    for (int i = 0; i < readers; ++i)
        made.append(i % 2 == 0 ? thread_code{load(y, reading, 0), load(x, reading, 1)}
                               : thread_code{load(x, reading, 0), load(y, reading, 1)});
    return made;
}

} // namespace

TEST_CASE("n threads of store buffering have 2^n executions, and all seq_cst one fewer") {
    for (int n = 2; n <= 5; ++n) {
        CHECK(count(store_buffering(n, rlx)) == power(2, n));
        CHECK(count(store_buffering(n, sc)) == power(2, n) - 1);
        CHECK(count(store_buffering(n, rlx), memory_model::sc) == power(2, n) - 1);
    }
}

TEST_CASE("n threads of load buffering have 2^n - 1 executions: nothing comes out of thin air") {
    for (int n = 2; n <= 5; ++n)
        CHECK(count(threads(n, [&](int i) {
                  return thread_code{load(i, rlx, 0), store((i + 1) % n, 1, rlx)};
              })) == power(2, n) - 1);
}

TEST_CASE("n readers of a published datum have 2^n executions, and those that see the flag see the datum") {
    for (int n = 1; n <= 4; ++n) {
        program mp{{plain_store(0, 1), store(x, 1, rel)}};
        for (int i = 0; i < n; ++i)
            mp.append({load(x, acq, 0), skip_if(0, comparison::equal, 0, 1), plain_load(0, 1)});
        CHECK(count(mp) == power(2, n));
        for (const outcome& one : enumerate(mp, memory_model::rc11).outcomes)
            for (const register_file& reader : one.registers) CHECK(reader[0] == reader[1]);
    }
}

TEST_CASE(
    "independent reads of independent writes: 4^n with release and acquire, 15 for two seq_cst readers") {
    for (int n = 1; n <= 3; ++n) CHECK(count(readers_of_independent_writes(n, rel, acq)) == power(4, n));
    CHECK(count(readers_of_independent_writes(2, sc, sc)) == 15);
}

TEST_CASE("n unread stores to one location are ordered in n! ways") {
    for (int n = 1; n <= 5; ++n)
        CHECK(count(threads(n, [](int i) { return thread_code{store(x, i + 1, rlx)}; })) == factorial(n));
}

TEST_CASE("n increments of one location have n! executions and all add n") {
    for (int n = 1; n <= 5; ++n) {
        const program ainc = threads(n, [](int) { return thread_code{fetch_add(x, 1, rlx, 0)}; });
        CHECK(count(ainc) == factorial(n));
        for (const outcome& one : enumerate(ainc, memory_model::rc11).outcomes) CHECK(one.atomics[x] == n);
    }
}

TEST_CASE("increments of two locations are ordered independently") {
    for (int n = 1; n <= 3; ++n)
        CHECK(count(threads(n, [](int) {
                  return thread_code{fetch_add(x, 1, rlx), fetch_add(y, 1, rlx)};
              })) == factorial(n) * factorial(n));
}

TEST_CASE("of n compare-exchanges from zero one wins and the losers read the winner") {
    for (int n = 1; n <= 5; ++n)
        CHECK(count(threads(n, [](int i) { return thread_code{cas(x, 0, i + 1, rlx, rlx)}; })) ==
              static_cast<std::uint64_t>(n));
}

TEST_CASE("rotating compare-exchanges have 2, 5, 14, 43, 144 executions") {
    const std::vector<std::uint64_t> known{2, 5, 14, 43, 144};
    for (int n = 2; n <= 6; ++n)
        CHECK(count(threads(n, [](int i) { return thread_code{cas(x, i, i + 1, rlx, rlx)}; })) ==
              known[static_cast<std::size_t>(n - 2)]);
}

TEST_CASE("compare-exchange followed by a store has 6 and 66 executions") {
    const auto casw = [](int i) { return thread_code{cas(x, 0, 1, rlx, rlx), store(x, i + 3, rel)}; };
    CHECK(count(threads(2, casw)) == 6);
    CHECK(count(threads(3, casw)) == 66);
}

TEST_CASE("n increments by load and store have (n!)^2 executions") {
    for (int n = 2; n <= 4; ++n)
        CHECK(count(threads(n, [](int i) {
                  return thread_code{load(x, rlx, 0), store(x, reg(0) + (1 << i), rel)};
              })) == factorial(n) * factorial(n));
}

TEST_CASE("n readers of one store have 2^n executions") {
    for (int n = 1; n <= 5; ++n) {
        program made{{store(x, 42, rel)}};
        for (int i = 0; i < n; ++i) made.append({load(x, acq, 0)});
        CHECK(count(made) == power(2, n));
    }
}

TEST_CASE("Dekker's entry with fences has 3 executions and never two threads inside") {
    constexpr int c = 2;
    const program dekker{{store(y, 1, rlx), fence(sc), load(x, rlx, 0),
                          skip_if(0, comparison::not_equal, 0, 2), store(c, 1, rlx), load(c, rlx, 1)},
                         {store(x, 1, rlx), fence(sc), load(y, rlx, 0),
                          skip_if(0, comparison::not_equal, 0, 2), store(c, 0, rlx), load(c, rlx, 1)}};
    CHECK(count(dekker) == 3);
    for (const outcome& one : enumerate(dekker, memory_model::rc11).outcomes)
        CHECK_FALSE((one.registers[0][0] == 0 && one.registers[1][0] == 0));
}

TEST_CASE("a mutex makes an increment by load and store whole, in n! orders") {
    for (int n = 1; n <= 4; ++n) {
        const program lockinc = threads(n, [](int) {
            return thread_code{lock(0), load(x, rlx, 0), store(x, reg(0) + 1, rlx), unlock(0)};
        });
        CHECK(count(lockinc) == factorial(n));
        for (const outcome& one : enumerate(lockinc, memory_model::rc11).outcomes) CHECK(one.atomics[x] == n);
    }
}

TEST_CASE("a ticket lock protects plain data in n! orders, and not without its release") {
    constexpr int next = 0, owner = 1;
    const auto ticket_lock = [&](order leave) {
        return [=](int) {
            return thread_code{fetch_add(next, 1, rlx, 0), await(owner, reg(0), acq),
                               plain_load(0, 1),           plain_store(0, reg(1) + 1),
                               load(owner, rlx, 2),        store(owner, reg(2) + 1, leave)};
        };
    };
    for (int n = 1; n <= 3; ++n) {
        CHECK(count(threads(n, ticket_lock(rel))) == factorial(n));
        for (const outcome& one : enumerate(threads(n, ticket_lock(rel)), memory_model::rc11).outcomes)
            CHECK(one.data[0] == n);
    }
    CHECK(enumerate(threads(2, ticket_lock(rlx)), memory_model::rc11).race);
}

TEST_CASE("two mutexes taken in opposite orders can block for ever") {
    const program crossed{{lock(0), lock(1), unlock(1), unlock(0)}, {lock(1), lock(0), unlock(0), unlock(1)}};
    const enumeration found = enumerate(crossed, memory_model::rc11);
    CHECK(found.executions == 2);
    CHECK(found.blocked == 1);
}

TEST_CASE("an await that nobody satisfies blocks, and a race before it still counts") {
    const enumeration waits = enumerate({{await(x, 1, acq)}}, memory_model::rc11);
    CHECK(waits.executions == 0);
    CHECK(waits.blocked == 1);
    const program races{{plain_store(0, 1), await(x, 1, acq)}, {plain_load(0, 0)}};
    CHECK(enumerate(races, memory_model::rc11).race);
    CHECK(enumerate_by_definition(races, memory_model::rc11).race);
}

TEST_CASE("an await that can miss its value counts as blocked, though it can also be satisfied") {
    const program missed{{store(x, 1, rlx), store(x, 2, rlx)}, {await(x, 1, rlx)}};
    const enumeration found = enumerate(missed, memory_model::rc11);
    CHECK(found.executions == 1);
    CHECK(found.blocked == 1); // both stores done, the first unseen
}

} // namespace ringproof::verify::oracle
