// SPDX-License-Identifier: Apache-2.0
#include "ringproof/aux/aux_window.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <optional>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include "../interrupted_barriers.hpp"
#include "ringproof/aux/aux_window_reader.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mapped_memory.hpp"
#include "trace_bytes.hpp"

using namespace ringproof;

namespace {

using ring_type = record_ring<>;
using window_type = aux_window<ring_type>;
using perf_ring = record_ring<single, acquire_release, keep_oldest, perf_abi>;

template <class Window>
void trace(Window& aux, std::size_t size, std::uint64_t flags = 0) {
    auto room = aux.begin();
    REQUIRE(room);
    const auto bytes = trace_bytes::from(room.position(), size);
    // In pieces, which need not know of words.
    for (std::size_t done = 0; done != size;) {
        const std::size_t piece = std::min(size - done, 1 + done * 7 % 23);
        room.append(std::span(bytes).subspan(done, piece));
        done += piece;
    }
    room.flag(flags);
    CHECK(room.commit() == size);
}

} // namespace

TEST_CASE("wherever the source is with its words, a snapshot has none that it has touched") {
    using watched_ring = record_ring<single, interrupted_barriers>;
    std::mt19937_64 random(17);
    const std::uint64_t start = 0 - std::uint64_t{1001};
    watched_ring ring(1U << 16U);
    aux_window<watched_ring> aux(ring, 128, {start, aux_head_is::position});
    std::uint64_t snapshots = 0, cut = 0, last = start + 128;
    bool good = true;
    const auto look = [&] {
        const auto hold = std::exchange(interrupted_barriers::before_access, nullptr);
        const auto seen = aux.take();
        good = good && trace_bytes::are_from(seen.offset(), seen.bytes()) && seen.head() - last < 128;
        last = seen.head();
        ++snapshots;
        cut += seen.bytes().size() < 128;
        interrupted_barriers::before_access = hold;
    };
    trace(aux, 128);
    interrupted_barriers::before_access = look;
    for (int i = 0; i != 100; ++i) trace(aux, random() % 100);
    interrupted_barriers::before_access = nullptr;
    CHECK(good);
    CHECK(snapshots > 1000);
    CHECK(cut > snapshots / 4);
}

TEST_CASE("a snapshot of an AUX window has the newest bytes, whatever their alignment, past 2^64") {
    const std::uint64_t seed = GENERATE(range(0, 20));
    std::mt19937_64 random(seed);
    const std::uint64_t start = 0 - random() % 700;
    ring_type ring(64);
    window_type aux(ring, 256, {start, aux_head_is::position});
    std::uint64_t head = start, last = start;
    for (int step = 0; step != 100; ++step) {
        const std::size_t size = random() % (random() % 8 == 0 ? 700 : 100);
        trace(aux, size);
        head += size;
        const std::size_t newest = random() % 2 == 0 ? random() % 300 : 1000;
        const auto all = aux.take(newest);
        CHECK(all.head() == head);
        CHECK(all.bytes().size() == std::min<std::uint64_t>({newest, 256, head - start}));
        CHECK(all.missed_bytes() == all.offset() - start);
        REQUIRE(trace_bytes::are_from(all.offset(), all.bytes()));
        if (random() % 3 != 0) continue;
        const auto fresh = aux.take_since(last);
        CHECK(fresh.bytes().size() == std::min<std::uint64_t>(256, head - last));
        CHECK(fresh.missed_bytes() == head - last - fresh.bytes().size());
        REQUIRE(trace_bytes::are_from(fresh.offset(), fresh.bytes()));
        last = fresh.head();
    }
}

TEST_CASE("an AUX window never stops, and tells of every transaction with the flag of its mode") {
    ring_type ring(4096);
    window_type aux(ring, 64, {100, aux_head_is::position});
    trace(aux, 50, aux_flag::truncated | aux_flag::partial);
    trace(aux, 500, aux_flag::collision);
    trace(aux, 0); // nothing to tell
    trace(aux, 0, aux_flag::truncated);
    trace(aux, 0, aux_flag::collision);
    std::vector<aux_record> told;
    for (const auto one : ring.read()) told.push_back(one.as<aux_record>().value());
    REQUIRE(told.size() == 3);
    CHECK(told[0].offset == 150);
    CHECK(told[0].size == 50);
    CHECK(told[0].flags == (aux_flag::overwrite | aux_flag::partial));
    CHECK(told[1].offset == 650);
    CHECK(told[1].flags == (aux_flag::overwrite | aux_flag::collision));
    CHECK(told[2].size == 0);
    CHECK(aux.begin());
}

TEST_CASE("transactions of an AUX window don't nest, and the refused one does no harm") {
    ring_type ring(64);
    window_type aux(ring, 64);
    auto outer = aux.begin();
    outer.append(trace_bytes::from(0, 5));
    auto inner = aux.begin();
    CHECK_FALSE(inner);
    inner.append(trace_bytes::from(0, 5));
    CHECK(inner.commit() == 0);
    CHECK(aux.take().bytes().empty()); // not published yet
    CHECK(outer.commit() == 5);
    CHECK(aux.take().bytes().size() == 5);
}

TEST_CASE("from outside, either kind of aux_head gives each byte once, or says that it can't be sure") {
    const std::uint64_t seed = GENERATE(range(0, 40));
    std::mt19937_64 random(seed);
    const auto convention = random() % 2 == 0 ? aux_head_is::position : aux_head_is::offset;
    const bool zeros = random() % 4 == 0; // trace that looks like a fresh area
    auto ring_memory = mapped_memory::shared(4096);
    auto ring_seen = mapped_memory::attach(ring_memory.descriptor());
    auto area = mapped_memory::shared(4096);
    auto area_seen = mapped_memory::attach(area.descriptor());
    perf_ring ring(std::move(ring_memory));
    aux_window<perf_ring> aux(ring, std::move(area), {0, convention});
    perf_ring other_side(mapped_memory::attach(ring_seen.descriptor()));
    aux_window_reader reader(other_side.memory(), std::move(area_seen), convention);

    std::uint64_t head = 0, delivered = 0;
    for (int step = 0; step != 60; ++step) {
        const std::size_t transactions = random() % (random() % 10 == 0 ? 150 : 10); // 127 records fit
        std::uint64_t written = 0;
        for (std::size_t i = 0; i != transactions; ++i) {
            const std::size_t size = random() % (random() % 4 == 0 ? 3000 : 60);
            auto room = aux.begin();
            room.append(zeros ? std::vector<std::byte>(size) : trace_bytes::from(room.position(), size));
            room.commit();
            written += size;
        }
        head += written;
        const bool lost = ring.unreported() != 0; // told by the next record
        for (const auto one : other_side.read()) reader.told(one);
        if (lost) {
            trace(aux, 0, aux_flag::partial);
            for (const auto one : other_side.read()) reader.told(one);
        }
        const auto seen = reader.read();
        if (seen.certain) {
            CHECK(seen.offset == delivered + seen.missed);
            CHECK(seen.missed + seen.size == written);
            CHECK(seen.size == std::min<std::uint64_t>(written, 4096));
            CHECK(seen.bytes.size() == seen.size);
            if (!zeros) REQUIRE(trace_bytes::are_from(head - seen.size, seen.bytes));
            delivered += seen.size + seen.missed;
            CHECK((!lost || convention == aux_head_is::position));
        } else {
            CHECK(lost);
            CHECK(convention == aux_head_is::offset);
            CHECK(seen.size == 4096);
            if (head >= 4096 && !zeros) REQUIRE(trace_bytes::are_from(head - 4096, seen.bytes));
            delivered = seen.offset + seen.size;
        }
        if (convention == aux_head_is::position) delivered = head;
    }
}

TEST_CASE("from outside, only the newest bytes of what is new are given when fewer are asked for") {
    ring_memory memory = mapped_memory::shared(4096);
    auto area = mapped_memory::shared(4096);
    auto seen = mapped_memory::attach(area.descriptor());
    perf_ring ring(std::move(memory));
    aux_window<perf_ring> aux(ring, std::move(area));
    aux_window_reader reader(ring.memory(), std::move(seen), aux_head_is::position);
    trace(aux, 1000);
    const auto last = reader.read(100);
    CHECK(last.offset == 900);
    CHECK(last.size == 100);
    CHECK(last.missed == 900);
    CHECK(trace_bytes::are_from(900, last.bytes));
    CHECK(reader.read().size == 0);
}

TEST_CASE("records whose sum doesn't lead to aux_head are not believed") {
    aux_head_fix_up fix_up(aux_head_is::offset, 256);
    fix_up.told({10, 10, 0});
    CHECK(fix_up.look(10).certain);
    fix_up.told({40, 30, 0});
    const auto wrong = fix_up.look(41);
    CHECK_FALSE(wrong.certain);
    CHECK(wrong.size == 256);
    fix_up.told({41, 512, 0}); // twice around: head is where it was
    const auto twice = fix_up.look(41);
    CHECK(twice.certain);
    CHECK(twice.size == 256);
    CHECK(twice.missed == 256);
}

TEST_CASE("where records were lost, a sum that leads to aux_head by chance is not believed either") {
    aux_head_fix_up fix_up(aux_head_is::offset, 256);
    fix_up.told({10, 10, 0});
    fix_up.lost(); // of a whole lap, say
    const auto seen = fix_up.look(10);
    CHECK_FALSE(seen.certain);
    CHECK(seen.size == 256);
    fix_up.told({30, 20, 0}); // from then on it knows again
    CHECK(fix_up.look(30).certain);
}

TEST_CASE("an AUX window of more than 4 GiB keeps its positions, and a snapshot costs what it copies") {
    if constexpr (sizeof(std::size_t) == 8) {
        const std::size_t size = std::size_t{1} << 33U;
        ring_type ring(4096);
        std::optional<ring_memory> memory;
        try {
            memory.emplace(mapped_memory::shared(size));
        } catch (const std::system_error& error) {
            WARN("not here: " << error.what());
            return;
        }
        const std::uint64_t start = size - 1000; // only the pages that are touched cost anything
        window_type aux(ring, std::move(*memory), {start, aux_head_is::position});
        trace(aux, 3000);
        const auto seen = aux.take(2500); // around the end
        CHECK(seen.offset() == start + 500);
        CHECK(seen.bytes().size() == 2500);
        CHECK(trace_bytes::are_from(seen.offset(), seen.bytes()));
        CHECK(aux.take_since(start + 2900).bytes().size() == 100);
    }
}

TEST_CASE(
    "snapshots of an AUX window taken while it is written have only whole bytes, and miss what they say") {
    ring_type ring(64);
    window_type aux(ring, 1024, {0 - std::uint64_t{5000}, aux_head_is::position});
    std::atomic<bool> done{false};
    std::thread source([&] {
        std::mt19937_64 random(3);
        for (int i = 0; i != 4000; ++i) {
            auto room = aux.begin();
            room.append(trace_bytes::from(room.position(), random() % 200));
        }
        done = true;
    });
    std::uint64_t since = 0 - std::uint64_t{5000}, got = 0, missed = 0;
    bool whole = true;
    for (bool last = false; !last;) {
        last = done;
        const auto seen = aux.take_since(since);
        whole = whole && trace_bytes::are_from(seen.offset(), seen.bytes()) &&
                seen.offset() == since + seen.missed_bytes();
        got += seen.bytes().size(), missed += seen.missed_bytes();
        since = seen.head();
    }
    source.join();
    CHECK(whole);
    CHECK(got + missed == since + 5000);
}
