// SPDX-License-Identifier: Apache-2.0
// The AUX area: bulk bytes under two positions of their own, and a source that stops when there is no room and is
// restarted by whoever makes some.

#include "sleeper.hpp"

#include <ringproof/aux/aux_area.hpp>
#include <ringproof/wake/watermark.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <thread>

namespace verify = ringproof::verify;

namespace {

using ringproof::scenarios::watched_flag;

constexpr std::uint64_t start = 0 - std::uint64_t{48}; // the first transaction crosses 2^64
constexpr std::uint64_t total = 72;                    // 64 - 1 fit, so the rest has to wait for room

template <class Barriers, class Wake>
using ring_type =
    ringproof::record_ring<ringproof::single, Barriers, ringproof::refuse, ringproof::padded, Wake>;

/// Writes as much as there is room for, and sleeps when there is none. A consumer that found nothing may restart it for
/// nothing once: with the stop that it saw came the head that it will see the next time.
template <class Area>
void be_source(Area& aux) {
    std::array<std::byte, total> bytes;
    for (std::size_t i = 0; i != total; ++i) bytes[i] = static_cast<std::byte>(i + 1);
    int refused = 0;
    for (std::size_t done = 0; done != total;) {
        if (auto room = aux.begin()) {
            refused = 0;
            const auto size = std::min<std::size_t>(total - done, room.room());
            VERIFY_THAT(room.append(std::span(bytes).subspan(done, size)) == size);
            done += size;
        } else {
            verify::cover("full");
            VERIFY_THAT(++refused <= 2);
            aux.wait_for_restart();
        }
    }
}

/// What a chunk holds must be the stream from `read` on.
template <class Chunk>
void look(const Chunk& chunk, std::uint64_t& read) {
    VERIFY_THAT(chunk.offset() == start + read);
    for (const auto part : {chunk.bytes().first, chunk.bytes().second})
        for (const auto one : part) VERIFY_THAT(static_cast<std::uint64_t>(one) == ++read);
    if (chunk.bytes().second.size() != 0) verify::cover("wrap");
}

/// The consumer asks again and again.
template <class Barriers>
void bytes_arrive_whole() {
    ring_type<Barriers, ringproof::silent> ring(64);
    ringproof::aux_area aux(ring, 64, {start, 0});
    std::thread source([&] { be_source(aux); });
    std::uint64_t read = 0;
    while (read != total) {
        auto chunk = aux.read();
        if (!chunk) {
            verify::cover("empty");
            verify::pause();
        }
        look(chunk, read);
    }
    source.join();
}

/// The consumer only looks when it has been woken, and the source only writes when it has been restarted: a wake-up
/// lost on either side is a sleep without end.
template <class Barriers>
void neither_side_sleeps_for_ever() {
    ring_type<Barriers, ringproof::watermark<watched_flag>> ring(ringproof::ring_memory::heap(64),
                                                                 {0, 0, 32});
    ringproof::aux_area aux(ring, 64, {start, 8});
    std::thread source([&] { be_source(aux); });
    std::uint64_t read = 0;
    while (read != total) {
        ring.wait();
        for (const auto record : ring.read()) VERIFY_THAT(record.size() == sizeof(ringproof::aux_record));
        look(aux.read(), read);
    }
    source.join();
}

using ringproof::scenarios::watched;

using ringproof::scenarios::raised_relaxed;

} // namespace

RINGPROOF_RING_SCENARIO("AUX area: bytes arrive whole and in order", bytes_arrive_whole, "full", "empty",
                        "wrap")

VERIFY("AUX area: no wake-up and no restart is lost", .models = {rc11, sc, tso},
       .covers = {"slept", "full"}) {
    neither_side_sleeps_for_ever<watched>();
}
VERIFY("AUX area: no wake-up and no restart is lost, flag relaxed", .expect = refuted) {
    neither_side_sleeps_for_ever<raised_relaxed>();
}
