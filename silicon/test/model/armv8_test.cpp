// SPDX-License-Identifier: Apache-2.0
// Rules of Armv8 one by one, on the events of a thread.
#include <ringproof/silicon/model.hpp>

#include <catch2/catch.hpp>
#include <initializer_list>

using namespace ringproof::silicon;

namespace {

event read(std::uint64_t address) {
    event e;
    e.is_read = true;
    e.address = address;
    return e;
}
event write(std::uint64_t address) {
    event e;
    e.is_write = true;
    e.address = address;
    return e;
}
event fence(const barrier& what) {
    event e;
    e.fence = what;
    return e;
}
const barrier full{true, true, true, true, false}, loads{true, true, false, false, false},
    stores{false, false, false, true, false}, isb{false, false, false, false, true};

index_set of(std::initializer_list<std::size_t> members) {
    index_set s;
    for (const std::size_t m : members) s.insert(m);
    return s;
}

/// Are the first and the last event ordered?
bool ordered(thread_events events) {
    for (std::size_t i = 0; i < events.size(); ++i)
        if (events[i].instruction == 0) events[i].instruction = static_cast<std::uint32_t>(i + 1);
    return armv8().local_order(events).has(0, events.size() - 1);
}

constexpr std::uint64_t x = 1, y = 2, z = 3;

} // namespace

TEST_CASE("accesses to different locations are not ordered and a write is behind accesses to its location") {
    CHECK_FALSE(ordered({read(x), read(y)}));
    CHECK_FALSE(ordered({read(x), write(y)}));
    CHECK_FALSE(ordered({write(x), write(y)}));
    CHECK_FALSE(ordered({read(x), read(x)}));
    CHECK_FALSE(ordered({write(x), read(x)}));
    CHECK(ordered({read(x), write(x)}));
    CHECK(ordered({write(x), write(x)}));
}

TEST_CASE("dependencies: addresses and data order, branches order writes only") {
    event e = read(y);
    e.address_from = of({0});
    CHECK(ordered({read(x), e}));
    CHECK(ordered({read(x), e, write(z)}));
    CHECK_FALSE(ordered({read(x), e, read(z)}));
    e = write(y);
    e.data_from = of({0});
    CHECK(ordered({read(x), e}));
    CHECK(ordered({read(x), e, read(y)}));
    e = write(y);
    e.control_from = of({0});
    CHECK(ordered({read(x), e}));
    e = read(y);
    e.control_from = of({0});
    CHECK_FALSE(ordered({read(x), e}));
}

TEST_CASE("a branch and ISB order what follows") {
    event barrier_event = fence(isb), later = read(y);
    barrier_event.control_from = of({0});
    later.control_from = of({0});
    CHECK(ordered({read(x), barrier_event, later}));
    CHECK_FALSE(ordered({read(x), fence(isb), read(y)}));
}

TEST_CASE("what a select chooses orders later writes, and no reads") {
    event e = write(y);
    e.picked_data = of({0});
    CHECK(ordered({read(x), e}));
    e = write(y);
    e.picked_control = of({0});
    CHECK(ordered({read(x), e}));
    e = read(y);
    e.picked_address = of({0});
    CHECK_FALSE(ordered({read(x), e}));
    CHECK(ordered({read(x), e, write(z)}));
}

TEST_CASE("acquire and release") {
    event a = read(x), q = read(x), l = write(y);
    a.acquire = true;
    q.acquire_pc = true;
    l.release = true;
    CHECK(ordered({a, read(y)}));
    CHECK(ordered({q, write(y)}));
    CHECK(ordered({read(x), l}));
    CHECK(ordered({write(x), l}));
    CHECK_FALSE(ordered({l, read(z)}));
    CHECK(ordered({l, a}));
    CHECK_FALSE(ordered({l, q}));
}

TEST_CASE("barriers order by kind") {
    CHECK(ordered({write(x), fence(full), read(y)}));
    CHECK(ordered({read(x), fence(loads), write(y)}));
    CHECK_FALSE(ordered({write(x), fence(loads), write(y)}));
    CHECK(ordered({write(x), fence(stores), write(y)}));
    CHECK_FALSE(ordered({read(x), fence(stores), write(y)}));
    event dropped = read(x);
    dropped.no_return = true;
    CHECK_FALSE(ordered({dropped, fence(loads), write(y)}));
    CHECK(ordered({dropped, fence(full), write(y)}));
}

TEST_CASE("a read-modify-write is ordered with its own halves, and if it acquires and releases with all that "
          "follows") {
    event r = read(x), w = write(x);
    r.instruction = w.instruction = 7;
    w.rmw_read = 0;
    w.data_from = of({0});
    CHECK(ordered({r, w}));
    CHECK_FALSE(ordered({w, read(y)}));
    r.acquire = w.release = true;
    const thread_events events{r, w, read(y)};
    CHECK(armv8().local_order(events).has(1, 2));
}

TEST_CASE("the halves of LDP are not ordered by program order") {
    event a = read(x), b = read(x);
    a.acquire = true;
    b.beside = of({0});
    CHECK_FALSE(ordered({a, b}));
}
