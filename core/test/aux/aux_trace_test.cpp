// SPDX-License-Identifier: Apache-2.0
#include "ringproof/aux/aux_trace.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <thread>
#include <vector>

#include "ringproof/wake/futex.hpp"
#include "trace_bytes.hpp"

using namespace ringproof;

namespace {

using ring_type = record_ring<single, acquire_release, refuse, padded, futex_wakeup>;
using area_type = aux_area<ring_type>;

struct collected {
    std::vector<std::byte> trace; ///< with its padding
    std::vector<auxtrace_header> pieces;
    std::vector<trace_part> parts;
    std::uint64_t start = 0, next = 0;
    std::size_t records = 0;
    bool whole = true, in_order = true, padded = true;

    explicit collected(std::uint64_t from) : start(from), next(from) {}
    void on_record(const record&) { ++records; }
    void on_trace(const auxtrace& one) {
        in_order = in_order && one.header.offset == next;
        padded = padded && one.header.size % 8 == 0 && one.header.size == one.bytes.size() + one.padding &&
                 one.padding < 8;
        whole = whole && trace_bytes::are_from(one.header.offset, one.bytes);
        pieces.push_back(one.header);
        next += one.bytes.size();
    }
    void on_part(const trace_part& one) { parts.push_back(one); }
};

void write(area_type& aux, std::size_t size, std::uint64_t flags = 0, std::uint64_t skip = 0) {
    auto room = aux.begin();
    REQUIRE(room);
    if (skip != 0) REQUIRE(room.skip(skip));
    room.append(trace_bytes::from(room.position(), size));
    room.flag(flags);
}

} // namespace

TEST_CASE("every byte of trace comes once, and is in a part that its AUX record told") {
    const std::uint64_t seed = GENERATE(range(0, 30));
    std::mt19937_64 random(seed);
    const std::uint64_t start = 0 - random() % 900;
    const std::uint64_t alignment = std::uint64_t{1} << random() % 6;
    ring_type ring(256); // 8 AUX records: some are lost
    area_type aux(ring, 512, {start, 0});
    trace_reader reader(ring, aux, {3, 4, 5}, alignment, start);
    collected seen(start);
    std::vector<aux_record> wrote;
    std::uint64_t at = start;
    const auto lost_before = [&] { return ring.lost(); };
    std::uint64_t untold = 0;
    for (int step = 0; step != 200; ++step) {
        if (random() % 6 == 0) {
            reader.round(seen);
            continue;
        }
        auto room = aux.begin();
        if (!room) {
            reader.round(seen);
            continue;
        }
        const std::size_t size = std::min<std::uint64_t>(random() % 60, room.room());
        room.append(trace_bytes::from(at, size));
        const std::uint64_t flags = random() % 5 == 0 ? aux_flag::partial : 0;
        room.flag(flags);
        const auto before = lost_before();
        room.commit();
        if (lost_before() == before) {
            if (size != 0 || flags != 0) wrote.push_back({at, size, flags});
        } else
            untold += size;
        at += size;
    }
    reader.finish(seen);
    CHECK(seen.whole);
    CHECK(seen.in_order);
    CHECK(seen.padded);
    CHECK(seen.next == at);
    CHECK(seen.records == wrote.size());
    for (std::size_t i = 0; i + 1 < seen.pieces.size(); ++i)
        CHECK(seen.pieces[i + 1].offset % alignment == 0);
    // The parts are the whole, without gaps, and say what was said of each byte.
    std::uint64_t end = start, of_lost = 0;
    std::size_t next = 0;
    std::uint64_t left = 0;
    for (const trace_part& part : seen.parts) {
        REQUIRE(part.offset == end);
        end += part.size;
        if (!part.told) {
            of_lost += part.size;
            continue;
        }
        if (left == 0) {
            REQUIRE(next < wrote.size());
            CHECK(wrote[next].offset == part.offset);
            left = wrote[next].size;
        }
        REQUIRE(part.size <= left);
        CHECK(part.flags == wrote[next].flags);
        left -= part.size;
        if (left == 0) ++next;
    }
    CHECK(end == at);
    CHECK(of_lost == untold);
    CHECK(next == wrote.size());
}

TEST_CASE("the headers are perf's: 48 bytes, numbered, with whose trace it is") {
    ring_type ring(4096);
    area_type aux(ring, 64);
    trace_reader reader(ring, aux, {3, 4, 5});
    collected seen(0);
    write(aux, 13);
    reader.round(seen);
    write(aux, 60);
    reader.round(seen);
    REQUIRE(seen.pieces.size() == 2);
    CHECK(seen.pieces[0].header.type == 71);
    CHECK(seen.pieces[0].header.size == 48);
    CHECK(seen.pieces[0].size == 16);
    CHECK(seen.pieces[0].offset == 0);
    CHECK(seen.pieces[0].index == 3);
    CHECK(seen.pieces[0].thread == 4);
    CHECK(seen.pieces[0].cpu == 5);
    CHECK(seen.pieces[1].offset == 13);
    CHECK(seen.pieces[1].size == 64);
    CHECK(seen.pieces[1].reference == 2);
}

TEST_CASE("what is missing is a discontinuity: truncated, partial, skipped, or never told") {
    ring_type ring(4096);
    area_type aux(ring, 256);
    trace_reader reader(ring, aux);
    collected seen(0);
    write(aux, 10);
    write(aux, 10, aux_flag::partial);
    write(aux, 10, aux_flag::collision);
    write(aux, 10, 0, 7); // skipped first
    write(aux, 10, aux_flag::truncated);
    reader.round(seen);
    CHECK(seen.parts.empty()); // perhaps not all of its records had been there
    reader.finish(seen);
    REQUIRE(seen.parts.size() == 6);
    CHECK_FALSE(seen.parts[0].discontinuous());
    CHECK(seen.parts[1].discontinuous());
    CHECK_FALSE(seen.parts[2].discontinuous());
    CHECK(seen.parts[3].discontinuous());
    CHECK(seen.parts[3].size == 7);
    CHECK_FALSE(seen.parts[4].discontinuous());
    CHECK(seen.parts[5].discontinuous());
}

TEST_CASE("a record that is told in two parts is truncated at the end of the second only") {
    trace_correlation correlation(100);
    std::vector<trace_part> parts;
    const auto keep = [&](const trace_part& one) { parts.push_back(one); };
    correlation.told({100, 30, aux_flag::truncated | aux_flag::collision});
    correlation.resolve(110, keep);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].size == 10);
    CHECK(parts[0].flags == aux_flag::collision);
    CHECK_FALSE(parts[0].discontinuous());
    correlation.resolve(130, keep);
    REQUIRE(parts.size() == 2);
    CHECK(parts[1].offset == 110);
    CHECK(parts[1].size == 20);
    CHECK(parts[1].flags == (aux_flag::truncated | aux_flag::collision));
}

TEST_CASE("of a record that begins before the trace, the bytes that are in it are told") {
    trace_correlation correlation(0);
    std::vector<trace_part> parts;
    const auto keep = [&](const trace_part& one) { parts.push_back(one); };
    correlation.told({0, 4, 0}); // nothing is left of this one
    correlation.told({4, 10, aux_flag::partial});
    correlation.skip_to(8);
    correlation.resolve(14, keep);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].offset == 8);
    CHECK(parts[0].size == 6);
    CHECK(parts[0].flags == aux_flag::partial);
    CHECK(parts[0].told);
}

TEST_CASE("with a source at work, trace is never untold when no record was lost") {
    ring_type ring(1U << 16U);
    area_type aux(ring, 256, {0, 32});
    constexpr std::uint64_t total = 20000;
    std::thread source([&] {
        std::mt19937_64 random(7);
        for (std::uint64_t at = 0; at != total;) {
            auto room = aux.begin();
            if (!room) {
                aux.wait_for_restart();
                continue;
            }
            const auto size = std::min<std::uint64_t>({total - at, 1 + random() % 70, room.room()});
            at += room.append(trace_bytes::from(at, static_cast<std::size_t>(size)));
        }
        ring.wake();
    });
    trace_reader reader(ring, aux, {}, 16);
    collected seen(0);
    while (reader.trace_bytes() / 16 != total / 16) {
        ring.wait();
        reader.round(seen);
    }
    source.join();
    reader.finish(seen);
    CHECK(seen.whole);
    CHECK(seen.in_order);
    CHECK(seen.next == total);
    CHECK(ring.lost() == 0);
    for (const auto& part : seen.parts) REQUIRE(part.told);
}
