// SPDX-License-Identifier: Apache-2.0
// The AUX area in snapshot mode: bytes are copied while the source goes around, and what it overwrites under the
// snapshot's eyes is left out.

#include "mutants.hpp"

#include <ringproof/aux/aux_window.hpp>

#include <array>
#include <span>
#include <thread>

namespace verify = ringproof::verify;

namespace {

constexpr std::uint64_t start = 0 - std::uint64_t{60}; // unaligned, and the area is full at 4 past 2^64

/// The byte at a position; after a lap each byte is another one.
std::byte byte_at(std::uint64_t position) { return static_cast<std::byte>((position - start) + 1); }

template <class Window>
void append(Window& aux, std::size_t size) {
    std::array<std::byte, 64> bytes;
    auto room = aux.begin();
    VERIFY_THAT(static_cast<bool>(room));
    for (std::size_t i = 0; i != size; ++i) bytes[i] = byte_at(room.position() + i);
    room.append(std::span(bytes).first(size));
}

/// The source overwrites the 20 oldest of 64 bytes, in a whole word and two that it shares with others, while the
/// newest are copied.
template <class Barriers>
void live_snapshot() {
    using ring_type = ringproof::record_ring<ringproof::single, Barriers>;
    ring_type ring(64);
    ringproof::aux_window<ring_type> aux(ring, 64, {start, ringproof::aux_head_is::position});
    append(aux, 64);
    std::thread source([&] { append(aux, 20); });
    const auto seen = aux.take(60);
    VERIFY_THAT(seen.head() == start + 64 || seen.head() == start + 84);
    VERIFY_THAT(seen.offset() + seen.bytes().size() == seen.head());
    VERIFY_THAT(seen.missed_bytes() == seen.offset() - start);
    for (std::size_t i = 0; i != seen.bytes().size(); ++i)
        VERIFY_THAT(seen.bytes()[i] == byte_at(seen.offset() + i));
    if (seen.head() == start + 84) verify::cover("newest seen");
    if (seen.bytes().size() < 60) verify::cover("left out");
    source.join();
}

using ringproof::scenarios::watched;

struct without_i : watched {
    static void intend(std::atomic<position>& intent, position value) noexcept { set_own(intent, value); }
};
struct without_j : watched {
    static position load_intent(const std::atomic<position>& intent) noexcept { return stat(intent); }
};

} // namespace

VERIFY("AUX window: a live snapshot has the newest bytes, whole", .models = {rc11, sc, tso},
       .covers = {"newest seen", "left out"}) {
    live_snapshot<watched>();
}
VERIFY("AUX window: a live snapshot has the newest bytes, whole, I relaxed", .expect = refuted) {
    live_snapshot<without_i>();
}
VERIFY("AUX window: a live snapshot has the newest bytes, whole, J relaxed", .expect = refuted) {
    live_snapshot<without_j>();
}
VERIFY("AUX window: a live snapshot has the newest bytes, whole, B relaxed", .expect = refuted,
       .mutant = 'B') {
    live_snapshot<ringproof::scenarios::without_b>();
}
VERIFY("AUX window: a live snapshot has the newest bytes, whole, C relaxed", .expect = refuted,
       .mutant = 'C') {
    live_snapshot<ringproof::scenarios::without_c>();
}
