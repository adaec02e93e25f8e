// SPDX-License-Identifier: Apache-2.0
#include "ringproof/trace_source/etr.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <iterator>
#include <random>
#include <set>
#include <vector>

#include "ringproof/aux/aux_trace.hpp"
#include "ringproof/aux/aux_window.hpp"

using namespace ringproof;

namespace {

using ring_type = record_ring<>;

/// 16 bytes that say which they are, and can't be anything else.
struct frame {
    std::uint64_t number, check;
    static frame of(std::uint64_t number) { return {number, number * 0x9e37'79b9'7f4a'7c15U ^ 0x5555}; }
    [[nodiscard]] bool good() const { return check == of(number).check; }
};

std::vector<frame> frames_from(std::uint64_t number, std::size_t count) {
    std::vector<frame> result;
    for (std::size_t i = 0; i != count; ++i) result.push_back(frame::of(number + i));
    return result;
}

void trace(etr_device& device, std::uint64_t number, std::size_t count) {
    const auto frames = frames_from(number, count);
    device.trace(std::as_bytes(std::span(frames)));
}

/// Reads trace as a decoder does: anew behind each barrier packet, and only there may anything be missing.
struct decoder {
    std::uint64_t next = 0, frames = 0, barriers = 0, missing = 0;
    bool gap_announced = false, good = true;
    void decode(std::span<const std::byte> trace) {
        good = good && trace.size() % 16 == 0;
        for (; trace.size() >= 16; trace = trace.subspan(16)) {
            if (std::memcmp(trace.data(), barrier_packet.data(), 16) == 0) {
                ++barriers;
                gap_announced = true;
                continue;
            }
            frame one{};
            std::memcpy(&one, trace.data(), sizeof one);
            good = good && one.good() && (one.number == next || (gap_announced && one.number > next));
            missing += one.number - next;
            next = one.number + 1;
            ++frames;
            gap_announced = false;
        }
    }
};

struct consumer {
    std::vector<std::byte> trace;
    std::vector<trace_part> parts;
    void on_record(const record&) {}
    void on_trace(const auxtrace& one) {
        for (const auto part : {one.bytes.first, one.bytes.second})
            trace.insert(trace.end(), part.begin(), part.end());
    }
    void on_part(const trace_part& one) { parts.push_back(one); }
};

} // namespace

TEST_CASE("tables lead a device to each page of its buffer, and to no page twice") {
    const auto mode = GENERATE(etr_mode::flat, etr_mode::scatter_gather, etr_mode::catu);
    const std::size_t pages =
        GENERATE(1U, 2U, 255U, 256U, 257U, 1023U, 1024U, 1025U, 2500U); // around a table's ends
    physical_memory memory;
    const etr_translation buffer(memory, mode, pages * 4096);
    std::set<const std::byte*> seen;
    for (std::size_t i = 0; i<pages; i += pages> 300 ? 101 : 1) seen.insert(buffer.at(i * 4096).data());
    seen.insert(buffer.at(pages * 4096 - 1).data() - 4095);
    CHECK(seen.size() ==
          (pages - 1) / (pages > 300 ? 101 : 1) + 1 + ((pages - 1) % (pages > 300 ? 101 : 1) != 0));
    CHECK(buffer.at(pages * 4096 - 10).size() == 10);
    CHECK_THROWS(buffer.at(pages * 4096));
}

TEST_CASE("what is decoded is what was traced, minus gaps that are announced") {
    const std::uint64_t seed = GENERATE(range(0, 36));
    std::mt19937_64 random(seed);
    const etr_mode modes[] = {etr_mode::flat, etr_mode::scatter_gather, etr_mode::catu};
    const etr_mode mode = modes[seed % 3];
    const std::size_t alignment = seed / 3 % 2 == 0 ? 16 : 32;
    const std::size_t area_size = std::size_t{4096} << random() % 3;
    physical_memory memory;
    const etr_translation buffer(memory, mode,
                                 4096 * (1 + random() % 6)); // smaller, larger, and no power of two
    etr_device device(buffer);
    etr_sink sink(device, buffer, alignment);
    ring_type ring(1U << 16U);
    aux_area<ring_type> aux(ring, area_size);
    trace_reader reader(ring, aux);
    consumer seen;
    std::uint64_t traced = 0, copied = 0, truncations = 0;
    for (int session = 0; session != 60; ++session) {
        auto room = aux.begin();
        if (!sink.start(room)) {
            reader.round(seen); // makes room, and restarts the source
            continue;
        }
        std::size_t count = random() % (random() % 4 == 0 ? 3000 : 200);
        if (alignment == 32) count = count / 2 * 2; // what such a bus writes
        trace(device, traced, count);
        traced += count;
        const std::size_t granted = room.room();
        const std::size_t size = sink.stop(room);
        CHECK(size <= granted);
        CHECK(size % alignment == 0);
        const bool cut = size < count * 16 || count * 16 >= buffer.size();
        CHECK(aux.is_stopped() == cut);
        truncations += cut;
        copied += size / 16;
        if (random() % 3 == 0) reader.round(seen);
    }
    reader.finish(seen);
    reader.finish(seen);
    decoder judge;
    judge.decode(seen.trace);
    CHECK(judge.good);
    CHECK(judge.frames + judge.barriers == copied);
    CHECK(judge.next <= traced);
    CHECK(judge.frames + judge.missing == judge.next);
    // Each gap is in an AUX record that says so, and each of those has the packet where its trace begins.
    std::uint64_t said = 0;
    for (const trace_part& part : seen.parts) {
        if ((part.flags & aux_flag::truncated) == 0) continue;
        ++said;
        if (part.size == 0) continue;
        CHECK(std::memcmp(seen.trace.data() + part.offset, barrier_packet.data(), 16) == 0);
    }
    CHECK(said == truncations);
    CHECK(judge.barriers <= truncations);
}

TEST_CASE("of several tracers that share a sink the last one copies, and everything comes once") {
    physical_memory memory;
    const etr_translation buffer(memory, etr_mode::scatter_gather, 8 * 4096);
    etr_device device(buffer);
    etr_sink sink(device, buffer);
    std::mt19937_64 random(1);
    struct tracer {
        ring_type ring{4096};
        aux_area<ring_type> aux{ring, 1U << 15U};
        trace_reader<ring_type> reader{ring, aux};
        consumer seen;
    };
    std::array<tracer, 3> tracers;
    std::uint64_t traced = 0;
    std::vector<std::byte> all;
    for (int session = 0; session != 30; ++session) {
        auto a = tracers[0].aux.begin(), b = tracers[1].aux.begin(), c = tracers[2].aux.begin();
        CHECK(sink.start(a));
        CHECK(sink.start(b));
        CHECK(sink.start(c));
        decltype(a)* rooms[] = {&a, &b, &c};
        std::shuffle(std::begin(rooms), std::end(rooms), random);
        std::size_t copied = 0;
        for (auto* const room : rooms) {
            trace(device, traced, 100);
            traced += 100; // also by those who go on when others have stopped
            const std::size_t size = sink.stop(*room);
            CHECK((size != 0) == (room == rooms[2]));
            copied += size;
        }
        CHECK(copied == 300 * 16);
        for (tracer& one : tracers) {
            one.seen.trace.clear();
            one.reader.finish(one.seen);
            all.insert(all.end(), one.seen.trace.begin(), one.seen.trace.end());
        }
    }
    decoder judge;
    judge.decode(all);
    CHECK(judge.good);
    CHECK(judge.frames == traced);
    CHECK(judge.barriers == 0);
}

TEST_CASE("snapshots of a sink have the newest trace, and a barrier packet where the device went around") {
    const auto mode = GENERATE(etr_mode::flat, etr_mode::scatter_gather, etr_mode::catu);
    physical_memory memory;
    const etr_translation buffer(memory, mode, 2 * 4096);
    etr_device device(buffer);
    etr_sink sink(device, buffer);
    ring_type ring(1U << 16U);
    aux_window<ring_type> aux(ring, 8192);
    std::mt19937_64 random(2);
    std::uint64_t traced = 0, head = 0;
    decoder judge;
    for (int session = 0; session != 100; ++session) {
        auto room = aux.begin();
        CHECK(sink.start(room));
        const std::size_t count = random() % (random() % 5 == 0 ? 1500 : 100);
        trace(device, traced, count);
        traced += count;
        sink.stop(room);
        if (random() % 4 != 0) continue;
        const auto seen = aux.take_since(head);
        if (seen.missed_bytes() != 0) judge.gap_announced = true;
        judge.decode(seen.bytes());
        head = seen.head();
        CHECK((judge.next == traced || seen.bytes().empty())); // the newest is there: nothing stopped
    }
    CHECK(judge.good);
    CHECK(judge.barriers > 0);
    std::uint64_t truncated = 0;
    for (const auto one : ring.read()) truncated += one.as<aux_record>().value().flags & aux_flag::truncated;
    CHECK(truncated == 0);
}
