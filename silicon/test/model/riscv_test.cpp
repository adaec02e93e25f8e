// SPDX-License-Identifier: Apache-2.0
// Rules of RVWMO one by one, on the events of a hart.
#include <ringproof/silicon/model.hpp>

#include <catch2/catch.hpp>

using namespace ringproof::silicon;

namespace {

constexpr std::uint64_t x = 1, y = 2, z = 3;

event access(bool reads, bool writes, std::uint64_t address) {
    event e;
    e.is_read = reads;
    e.is_write = writes;
    e.address = address;
    return e;
}
event read(std::uint64_t address) { return access(true, false, address); }
event write(std::uint64_t address) { return access(false, true, address); }
event depending(event e, index_set event::*how, std::size_t on) {
    (e.*how).insert(on);
    return e;
}

thread_events numbered(thread_events events) {
    for (std::size_t i = 0; i < events.size(); ++i) events[i].instruction = static_cast<std::uint32_t>(i + 1);
    return events;
}
/// Are the first and the last event ordered directly?
bool ordered(thread_events events) {
    events = numbered(std::move(events));
    return riscv().local_order(events).has(0, events.size() - 1);
}
using order = std::vector<std::pair<std::size_t, std::size_t>>;

} // namespace

TEST_CASE("RVWMO: a write is behind accesses to its location and else nothing is ordered by itself") {
    CHECK(ordered({read(x), write(x)}));
    CHECK(ordered({write(x), write(x)}));
    CHECK_FALSE(ordered({write(x), read(x)}));
    CHECK_FALSE(ordered({read(x), read(y)}));
}

TEST_CASE("RVWMO: dependencies") {
    CHECK(ordered({read(x), depending(read(y), &event::address_from, 0)}));
    CHECK(ordered({read(x), depending(write(y), &event::data_from, 0)}));
    CHECK(ordered({read(x), depending(write(y), &event::control_from, 0)}));
    CHECK_FALSE(ordered({read(x), depending(read(y), &event::control_from, 0)}));
    CHECK(ordered({read(x), depending(read(y), &event::address_from, 0), write(z)}));
    CHECK_FALSE(ordered({read(x), depending(read(y), &event::address_from, 0), read(z)}));
}

TEST_CASE("RVWMO: annotations and fences") {
    event aq = read(x), rl = write(y), tso;
    aq.acquire = rl.release = true;
    tso.fence = {true, true, false, true, false};
    CHECK(ordered({aq, read(y)}));
    CHECK(ordered({read(x), rl}));
    CHECK_FALSE(ordered({rl, aq}));
    event first = access(true, true, x), second = access(true, true, y);
    first.atomic = second.atomic = true;
    first.release = second.acquire = true;
    CHECK(ordered({first, second}));
    CHECK(ordered({write(x), tso, write(y)}));
    CHECK(ordered({read(x), tso, write(y)}));
    CHECK_FALSE(ordered({write(x), tso, read(y)}));
}

TEST_CASE("RVWMO: two reads of a location are ordered unless they read one write") {
    const thread_events events = numbered({read(x), read(x)});
    const event_id initial, other{1, 0};
    CHECK(riscv().order_by_reads(events, 0, {initial, other}) == order{{0, 1}});
    CHECK(riscv().order_by_reads(events, 0, {other, other}).empty());
    CHECK(riscv().order_by_reads(events, 0, {std::nullopt, other}).empty());
    const thread_events between = numbered({read(x), write(x), read(x)});
    CHECK(riscv().order_by_reads(between, 0, {initial, std::nullopt, other}).empty());
}

TEST_CASE("RVWMO: what a hart reads of its own writes") {
    const thread_events data = numbered({read(y), depending(write(x), &event::data_from, 0), read(x)});
    const event_id own{0, 1};
    CHECK(riscv().order_by_reads(data, 0, {std::nullopt, std::nullopt, own}) == order{{0, 2}});
    CHECK(riscv().order_by_reads(data, 1, {std::nullopt, std::nullopt, own}).empty());
    thread_events atomic = numbered({read(y), access(true, true, x), read(x)});
    CHECK(riscv().order_by_reads(atomic, 0, {std::nullopt, std::nullopt, own}).empty());
    atomic[1].atomic = true;
    CHECK(riscv().order_by_reads(atomic, 0, {std::nullopt, std::nullopt, own}) == order{{1, 2}});
}
