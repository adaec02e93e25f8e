// SPDX-License-Identifier: Apache-2.0
// A flight recorder that is read while it is written: whatever is overwritten under the snapshot's eyes is left out.

#include "mutants.hpp"

#include <ringproof/recorder.hpp>

#include <thread>

namespace verify = ringproof::verify;

namespace {

/// The writer writes over two records of 16 bytes in 64 while a snapshot is taken.
template <class Producer, class Direction, class Barriers>
void live_snapshot() {
    ringproof::recorder<Producer, Direction, Barriers> ring{64, std::uint64_t{0} - 16};
    const auto write = [&](std::uint64_t number) {
        VERIFY_THAT(ring.write(std::as_bytes(std::span(&number, 1))));
    };
    for (std::uint64_t i = 1; i <= 4; ++i) write(i);
    std::thread writer([&] { write(5); });
    const auto seen = ring.take();
    std::uint64_t newer = 0;
    for (const auto& record : seen.records()) {
        const auto number = record.template as<std::uint64_t>();
        VERIFY_THAT(number.has_value());
        VERIFY_THAT(newer == 0 ? *number >= 4 : *number + 1 == newer);
        newer = *number;
    }
    VERIFY_THAT(seen.error() == ringproof::snapshot_error::none);
    if (newer != 0 && seen.records()[0].template as<std::uint64_t>() == 5) verify::cover("newest seen");
    if (seen.records().size() < 64 / (16 + Direction::trailer_size)) verify::cover("left out");
    writer.join();
}

using ringproof::scenarios::watched;

struct without_i : watched {
    static void intend(std::atomic<position>& intent, position value) noexcept { set_own(intent, value); }
};
struct without_j : watched {
    static position load_intent(const std::atomic<position>& intent) noexcept { return stat(intent); }
};
struct without_b : watched {
    static void publish_head(std::atomic<position>& head, position value) noexcept { set_own(head, value); }
};
struct without_c : watched {
    static position load_head(const std::atomic<position>& head) noexcept { return stat(head); }
};

} // namespace

VERIFY("recorder, backward: a live snapshot has whole records only", .models = {rc11, sc, tso},
       .covers = {"newest seen", "left out"}) {
    live_snapshot<ringproof::single, ringproof::backward, watched>();
}
VERIFY("recorder, forward: a live snapshot has whole records only", .models = {rc11, sc, tso},
       .covers = {"newest seen"}) {
    live_snapshot<ringproof::single, ringproof::forward, watched>();
}
VERIFY("recorder, nested producer: a live snapshot has whole records only", .models = {rc11, sc, tso},
       .covers = {"newest seen", "left out"}) {
    live_snapshot<ringproof::nested, ringproof::backward, watched>();
}
VERIFY("recorder, I relaxed", .expect = refuted) {
    live_snapshot<ringproof::single, ringproof::backward, without_i>();
}
VERIFY("recorder, J relaxed", .expect = refuted) {
    live_snapshot<ringproof::single, ringproof::backward, without_j>();
}
VERIFY("recorder, B relaxed", .expect = refuted, .mutant = 'B') {
    live_snapshot<ringproof::single, ringproof::backward, without_b>();
}
VERIFY("recorder, C relaxed", .expect = refuted, .mutant = 'C') {
    live_snapshot<ringproof::single, ringproof::backward, without_c>();
}
