// SPDX-License-Identifier: Apache-2.0
// Sessions, merges, trace sources and readers of trace used as they are not meant to be: docs/errors.md.
#include "ringproof/session/session.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../last_words.hpp"
#include "ringproof/aux/aux_trace.hpp"
#include "ringproof/aux/aux_window_reader.hpp"
#include "ringproof/trace_source/dispatch_trace_log.hpp"
#include "ringproof/trace_source/etr.hpp"

using namespace ringproof;
using Catch::Matchers::Contains;

namespace {

/// Says what the test wants, and never goes by itself.
struct set_clock {
    static inline std::uint64_t time = 0;
    static std::uint64_t now() noexcept { return time; }
};

const session_options of_threads{deployment::per_thread, {}};
constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

} // namespace

TEST_CASE("CPUs that a session can't have are refused with their number") {
    const auto by = [](std::vector<int> cpus) { session<> s({deployment::cpu_list, std::move(cpus)}); };
    CHECK_THROWS_WITH(by({}), Contains("needs at least one CPU"));
    CHECK_THROWS_WITH(by({0, -1}), Contains("not -1"));
    CHECK_THROWS_WITH(by({std::numeric_limits<int>::max()}), Contains("0 to 8191"));
    CHECK_THROWS_WITH(by({8192}), Contains("not 8192"));
    CHECK_NOTHROW(by({0, 0, 8191})); // named twice it is one; one that is not there is never written on
    session<> s({deployment::cpu_list, {0}});
    CHECK_THROWS_WITH(s.open({.cpu = 1}), Contains("no rings of CPU 1"));
    CHECK_THROWS_WITH(s.open({.cpu = -2}), Contains("no rings of CPU -2"));
    CHECK_THROWS_AS(s.open({.thread = 1}), std::invalid_argument);
    CHECK_THROWS_AS(session<>(of_threads).open({.cpu = 0}), std::invalid_argument);
    CHECK_NOTHROW(s.open({.cpu = 0}));
}

TEST_CASE("an event that a session doesn't have is refused by its number, and written nowhere") {
    session<> s(of_threads);
    auto writer = s.attach();
    CHECK_THROWS_WITH(s.map(0), Contains("a session with 0 events") && Contains("has no event 0"));
    const auto event = s.open();
    CHECK_THROWS_AS(s.map(1), std::out_of_range);
    CHECK_THROWS_AS(s.unmap(session<>::none), std::out_of_range);
    CHECK_THROWS_AS(s.redirect(event, 7), std::out_of_range);
    CHECK_THROWS_AS(s.redirect(7, event), std::out_of_range);
    CHECK_FALSE(writer.write(1, {}));
    CHECK_FALSE(writer.write(session<>::none, {}));
    s.unmap(event); // it has none: nothing happens
    s.map(event);
    s.map(event);
    CHECK(s.rings() == 1);
    for (std::size_t i = 1; i != session<>::most_events; ++i) static_cast<void>(s.open());
    CHECK_THROWS_AS(s.open(), std::length_error);
}

TEST_CASE("a record that fits no ring of a session is counted, however large it says it is") {
    session<> s({deployment::per_thread, {}, 128});
    const auto event = s.open();
    s.map(event);
    auto writer = s.attach();
    const std::vector<std::byte> some(100);
    CHECK(writer.write(event, {}));
    CHECK_FALSE(writer.write(event, some));
    // Nobody has so many bytes; they are refused before one is looked at.
    for (const std::size_t size : {most, most - 7, most - 15, most - 23})
        CHECK_FALSE(writer.write(event, {some.data(), size}));
    CHECK(s.lost() == 5);
    std::size_t records = 0;
    std::uint64_t told = 0;
    s.close([&](const session_record& one) {
        ++records;
        lost_record what{};
        if (one.type == record_type::lost)
            std::memcpy(&what, one.payload.data(), sizeof what), told += what.count;
    });
    CHECK(records == 2);
    CHECK(told == 5);
    CHECK(s.close([](const session_record&) {}) == 0); // again: there is nothing left
    CHECK_FALSE(writer.write(event, {}));
}

TEST_CASE(
    "a writer that was moved from writes nowhere, and one that outlives its session breaks a contract") {
    session<> s(of_threads);
    const auto event = s.open();
    s.map(event);
    auto writer = s.attach();
    auto moved = std::move(writer);
    CHECK_FALSE(writer.attached());
    CHECK(writer.number() == 0);
    CHECK_FALSE(writer.write(event, {}));
    CHECK(moved.write(event, {}));
    bool wrote = true;
    s.spawn(writer, [&](auto& its) { wrote = its.write(event, {}); }).join(); // of nobody, so nobody's
    CHECK_FALSE(wrote);
    CHECK_THAT(last_words([] {
                   std::optional<session<>> brief(std::in_place, of_threads);
                   auto longer = brief->attach();
                   brief.reset();
               }),
               Contains("while it has writers"));
}

TEST_CASE("a clock that goes back costs the order of what it stamped, and that is counted") {
    session<set_clock> s({deployment::per_thread, {}});
    const auto event = s.open();
    s.map(event);
    auto writer = s.attach();
    std::vector<std::uint64_t> times;
    const auto take = [&](const session_record& one) { times.push_back(one.time); };
    set_clock::time = 100;
    CHECK(writer.write(event, {}));
    set_clock::time = 200;
    s.read(take);
    set_clock::time = 50;
    CHECK(writer.write(event, {}));
    set_clock::time = 300;
    s.read(take);
    CHECK(times == std::vector<std::uint64_t>{100, 50});
    CHECK(s.late() == 1);
    s.close(take);
}

TEST_CASE("a reader whose function throws loses the record that it was given, and no other") {
    session<> s(of_threads);
    const auto event = s.open();
    s.map(event);
    auto writer = s.attach();
    for (int i = 0; i != 3; ++i) CHECK(writer.write(event, {}));
    CHECK_THROWS_AS(s.close([](const session_record&) { throw std::runtime_error("no"); }),
                    std::runtime_error);
    std::size_t rest = 0;
    s.close([&](const session_record&) { ++rest; });
    CHECK(rest == 2);
}

TEST_CASE("trace is handed out in multiples that an area can have, or its reader refuses them") {
    record_ring<> ring(256);
    aux_area area(ring, 64);
    for (const std::uint64_t alignment :
         {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{64}, ~std::uint64_t{0}})
        CHECK_THROWS_WITH(trace_reader(ring, area, {}, alignment), Contains("power of two"));
    CHECK_NOTHROW(trace_reader(ring, area, {}, 32));
    CHECK_THAT(last_words([] { aux_head_fix_up(aux_head_is::offset, 0); }), Contains("power of two"));
}

TEST_CASE("transactions of an AUX area that are more than their room, or over, do no harm") {
    record_ring<> ring(256);
    aux_area area(ring, 64);
    {
        auto room = area.begin();
        CHECK_FALSE(room.skip(most));
        CHECK_FALSE(room.skip(room.room() + 1));
        CHECK(area.begin().why() == aux_refusal::open);
        CHECK(room.commit(most) == 63); // cut
        CHECK(room.commit(1) == 0);
        CHECK(room.append(std::vector<std::byte>(1)) == 0);
        CHECK_FALSE(room.skip(1));
        CHECK(room.bytes().size() == 0);
        CHECK(room.position() == 0);
    }
    CHECK(area.begin().why() == aux_refusal::stopped);
    auto chunk = area.read();
    auto moved = std::move(chunk);
    CHECK(chunk.size() == 0);
    CHECK(chunk.bytes().size() == 0);
    moved.give_back(most); // cut as well
    CHECK(area.begin().room() == 63);
    CHECK(area.read().size() == 0);
}

TEST_CASE("trace sources refuse sizes that they can't have") {
    physical_memory memory;
    const auto mode = GENERATE(etr_mode::flat, etr_mode::scatter_gather, etr_mode::catu);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4097}, most})
        CHECK_THROWS_AS(etr_translation(memory, mode, size), std::invalid_argument);
    const etr_translation buffer(memory, mode, 4096);
    CHECK_THROWS_WITH(buffer.at(4096), Contains("beyond the end of a trace buffer"));
    CHECK_THROWS_AS(buffer.at(most), std::out_of_range);
    etr_device device(buffer);
    for (const std::size_t alignment :
         {std::size_t{0}, std::size_t{1}, std::size_t{24}, std::size_t{64}, most})
        CHECK_THROWS_WITH(etr_sink(device, buffer, alignment), Contains("16 or 32"));
    for (const std::size_t entries : {std::size_t{0}, std::size_t{1}, most, most / 6 + 2, most / 48 + 1})
        CHECK_THROWS_WITH(dispatch_log<>(entries), Contains("is not possible"));
    CHECK_NOTHROW(dispatch_log<>(2));
    record_ring<> ring(256);
    aux_area area(ring, 64);
    CHECK_THAT(last_words([&] { etr_sink(device, buffer).stop(area.begin()); }), Contains("has not started"));
}

TEST_CASE("a table that leads a device astray is an error, not an endless walk nor memory of others") {
    physical_memory memory;
    const etr_translation buffer(memory, etr_mode::scatter_gather, 4096);
    // A link to itself.
    memory.store(buffer.base(), static_cast<std::uint32_t>(buffer.base() >> 12U << 4U) | 3U);
    CHECK_THROWS_WITH(buffer.at(0), Contains("form a cycle"));
    memory.store(buffer.base(), std::uint32_t{0x10 | 2U}); // a page that nobody has
    CHECK_THROWS_WITH(buffer.at(0), Contains("no memory at this physical address"));
    CHECK_THROWS_WITH(memory.load<std::uint64_t>(buffer.base() + 4092),
                      Contains("crosses the end of its page"));
    CHECK_THROWS_AS(memory.load<std::uint64_t>(0), std::out_of_range);
    const etr_translation catu(memory, etr_mode::catu, 4096);
    memory.store(catu.base(), std::uint64_t{0});
    CHECK_THROWS_WITH(catu.at(0), Contains("not valid"));
}
