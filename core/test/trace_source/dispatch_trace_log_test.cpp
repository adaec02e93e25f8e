// SPDX-License-Identifier: Apache-2.0
#include "ringproof/trace_source/dispatch_trace_log.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "ringproof/aux/aux_trace.hpp"
#include "ringproof/wake/futex.hpp"

using namespace ringproof;

namespace {

using ring_type = record_ring<>;
using area_type = aux_area<ring_type>;

dispatch_entry entry(std::uint64_t number) {
    const auto mixed = number * 0x9e37'79b9'7f4a'7c15U;
    return {1,
            2,
            3,
            static_cast<std::uint32_t>(mixed),
            static_cast<std::uint32_t>(mixed >> 32U),
            4,
            number + 1,
            mixed,
            ~mixed,
            mixed ^ number};
}

/// What comes out is the header once, then entries whole and in order; one may only be missing where a record says so.
struct consumer {
    std::vector<std::byte> trace;
    std::vector<trace_part> parts;
    void on_record(const record&) {}
    void on_trace(const auxtrace& one) {
        for (const auto part : {one.bytes.first, one.bytes.second})
            trace.insert(trace.end(), part.begin(), part.end());
    }
    void on_part(const trace_part& one) { parts.push_back(one); }

    std::uint64_t next = 0, entries = 0, missing = 0;
    void judge() {
        REQUIRE(trace.size() % 48 == 0);
        std::size_t at = 0;
        bool first = true;
        for (const trace_part& part : parts) {
            REQUIRE(part.told);
            REQUIRE(part.size % 48 == 0);
            const bool announced = (part.flags & aux_flag::partial) != 0;
            bool found = false;
            for (const std::size_t end = at + part.size; at != end; at += 48) {
                dispatch_entry one{};
                std::memcpy(&one, trace.data() + at, sizeof one);
                if (first) {
                    REQUIRE(one.timebase == 0);
                    dispatch_header header{};
                    std::memcpy(&header, trace.data() + at, sizeof header);
                    CHECK(header.timebase_frequency == 512);
                    first = false;
                    continue;
                }
                REQUIRE(one.timebase != 0);
                const std::uint64_t number = one.timebase - 1;
                const auto whole = entry(number);
                REQUIRE(std::memcmp(&one, &whole, sizeof one) == 0);
                REQUIRE((number == next || (announced && !found && number > next)));
                found = found || number != next;
                missing += number - next;
                next = number + 1;
                ++entries;
            }
            REQUIRE(found == announced);
        }
        CHECK(at == trace.size());
    }
};

} // namespace

TEST_CASE("entries of the log are captured once, in order, and what was overwritten is told") {
    const std::uint64_t seed = GENERATE(range(0, 30));
    std::mt19937_64 random(seed);
    dispatch_log<> log(4 + random() % 60);
    ring_type ring(1U << 16U);
    area_type aux(ring, std::size_t{128} << random() % 5); // no multiple of 48
    dispatch_capture<> capture(log, 7, 512);
    trace_reader reader(ring, aux);
    consumer seen;
    std::uint64_t logged = 0, captured = 0;
    for (int tick = 0; tick != 300; ++tick) {
        for (std::uint64_t n = random() % (random() % 10 == 0 ? 2 * log.size() : 8); n != 0; --n)
            log.log(entry(logged++));
        captured += capture.capture(aux);
        if (random() % 3 == 0) reader.round(seen);
    }
    while (captured + capture.lost() != logged) { // nothing is dropped for want of room
        reader.round(seen);
        captured += capture.capture(aux);
    }
    reader.finish(seen);
    seen.judge();
    CHECK(seen.next == logged);
    CHECK(seen.entries == captured);
    CHECK(seen.missing == capture.lost());
}

TEST_CASE("an overrun keeps all but one entry of the log") {
    dispatch_log<> log(16);
    ring_type ring(4096);
    area_type aux(ring, 4096);
    dispatch_capture<> capture(log, 7, 512);
    for (std::uint64_t i = 0; i != 40; ++i) log.log(entry(i));
    CHECK(capture.capture(aux) == 15);
    CHECK(capture.lost() == 25);
    for (const auto one : ring.read()) CHECK(one.as<aux_record>().value().flags == aux_flag::partial);
    CHECK(aux.read().size() == 16 * 48);
}

namespace {

/// The hypervisor goes on after so many words have been copied.
struct interrupted : acquire_release {
    static inline int words_left = -1;
    static inline dispatch_log<interrupted>* log = nullptr;
    static inline std::uint64_t* logged = nullptr;
    static inline int entries = 0;
    static std::uint64_t get_word(std::uint64_t& word) noexcept {
        if (words_left-- == 0)
            for (int i = 0; i != entries; ++i) log->log(entry((*logged)++));
        return acquire_release::get_word(word);
    }
};

} // namespace

TEST_CASE("wherever the hypervisor comes in, no entry is captured that it has touched") {
    const int at = GENERATE(range(0, 7 * 6));
    const int entries = GENERATE(1, 2, 7, 8, 20);
    dispatch_log<interrupted> log(8);
    using watched_ring = record_ring<single, interrupted>;
    watched_ring ring(4096);
    aux_area<watched_ring> aux(ring, 4096);
    dispatch_capture<interrupted> capture(log, 7, 512);
    std::uint64_t logged = 0;
    for (; logged != 7; ++logged) log.log(entry(logged));
    interrupted::log = &log, interrupted::logged = &logged, interrupted::entries = entries;
    interrupted::words_left = at;
    auto captured = capture.capture(aux);
    interrupted::words_left = -1;
    captured += capture.capture(aux);
    trace_reader reader(ring, aux);
    consumer seen;
    reader.finish(seen);
    seen.judge();
    CHECK(seen.entries == captured);
    CHECK(seen.missing == capture.lost());
    CHECK(seen.next == logged);
}

TEST_CASE("no entry is captured while the hypervisor overwrites it") {
    dispatch_log<> log(8);
    ring_type ring(1U << 20U);
    area_type aux(ring, 1U << 20U);
    dispatch_capture<> capture(log, 7, 512);
    constexpr std::uint64_t total = 20000;
    std::thread hypervisor([&] {
        for (std::uint64_t i = 0; i != total; ++i) {
            log.log(entry(i));
            if (i % 64 == 0) std::this_thread::yield();
        }
    });
    trace_reader reader(ring, aux);
    consumer seen;
    std::uint64_t captured = 0;
    while (captured + capture.lost() != total) {
        captured += capture.capture(aux);
        reader.round(seen);
    }
    hypervisor.join();
    reader.finish(seen);
    seen.judge();
    CHECK(seen.entries == captured);
    CHECK(seen.missing == capture.lost());
}
