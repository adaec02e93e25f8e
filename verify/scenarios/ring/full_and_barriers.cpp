// SPDX-License-Identifier: Apache-2.0
// What a record ring does beyond carrying records: LOST records in band, the other barrier policies, and the producer
// protocol that signal handlers may interrupt, as its consumer sees it.

#include "mutants.hpp"

#include <ringproof/full/keep_oldest.hpp>
#include <ringproof/record_ring.hpp>

#include <thread>

namespace verify = ringproof::verify;

namespace {

/// A producer writes into a ring that holds four records, and nobody waits for room. At rest what was
/// delivered, what the LOST records say and what is still unreported add up to what was attempted.
template <class Producer, unsigned Records, class Barriers>
void every_loss_is_told_once() {
    ringproof::record_ring<Producer, Barriers, ringproof::keep_oldest> ring{64, 40};
    const auto produce = [&](unsigned count) {
        for (unsigned i = 0; i != count; ++i)
            if (!ring.write(std::as_bytes(std::span(&i, 1)))) verify::cover("full");
    };
    unsigned delivered = 0;
    std::uint64_t told = 0;
    const auto drain = [&] {
        for (const auto record : ring.read()) {
            if (record.type() != ringproof::record_type::lost) {
                ++delivered;
                continue;
            }
            const auto lost = record.template as<ringproof::lost_record>();
            VERIFY_THAT(lost.has_value());
            told += lost->count;
            verify::cover("told");
        }
        VERIFY_THAT(ring.error() == ringproof::read_error{});
    };
    std::thread producer([&] { produce(Records); });
    drain();
    producer.join();
    drain();
    drain(); // a batch may end with what was known when the one before it began
    VERIFY_THAT(told + ring.unreported() == ring.lost());
    VERIFY_THAT(delivered + ring.lost() == Records);
}

/// A record with one inside it, and one after both. Nobody waits for room: a refused nested producer publishes
/// again, so its waiting is no round without effect.
template <class Barriers>
void nested_to_its_consumer() {
    ringproof::record_ring<ringproof::nested, Barriers> ring{64, 40};
    std::thread producer([&] {
        for (std::uint64_t i = 1; i <= 2; ++i) {
            auto outer = ring.try_begin(8);
            VERIFY_THAT(bool(outer));
            const std::uint64_t twice[2] = {i, i};
            if (i == 1) VERIFY_THAT(ring.try_write(std::as_bytes(std::span(twice))));
            outer.copy_from(std::as_bytes(std::span(&i, 1)));
        }
    });
    for (std::uint64_t expected = 1; expected <= 2;) {
        bool any = false;
        for (const auto record : ring.read()) {
            any = true;
            if (const auto one = record.template as<std::uint64_t>()) {
                VERIFY_THAT(*one == expected++);
            } else {
                const auto two = record.template as<std::array<std::uint64_t, 2>>();
                VERIFY_THAT(two && (*two)[0] == 1 && (*two)[1] == 1 && expected == 2);
                verify::cover("nested");
            }
        }
        VERIFY_THAT(ring.error() == ringproof::read_error{});
        if (!any) verify::cover("empty"), verify::pause();
    }
    producer.join();
}

/// Three numbers through a ring of two, with the barriers given.
template <class Producer, class Barriers>
void numbers() {
    ringproof::record_ring<Producer, Barriers> ring{64};
    std::thread producer([&] {
        for (std::uint64_t i = 1; i <= 3; ++i) {
            const std::uint64_t body[3] = {i, i, i};
            while (!ring.try_write(std::as_bytes(std::span(body)))) verify::cover("full"), verify::pause();
        }
    });
    for (std::uint64_t expected = 1; expected <= 3;) {
        bool any = false;
        for (const auto record : ring.read()) {
            const auto body = record.template as<std::array<std::uint64_t, 3>>();
            VERIFY_THAT(body && (*body)[0] == expected && (*body)[2] == expected);
            ++expected;
            any = true;
        }
        if (!any) verify::cover("empty"), verify::pause();
    }
    producer.join();
}

using ringproof::scenarios::fences_without_a, ringproof::scenarios::fences_without_b;
using ringproof::scenarios::fences_without_c, ringproof::scenarios::fences_without_d;

/// The word that a record is committed by is plain memory again when the consumer zeroes it. So the store itself
/// has to be ordered, and a fence before it orders only what comes before the fence.
struct fences_before_a_relaxed_commit : ringproof::fences {
    static void commit(std::uint64_t& word, std::uint64_t value) noexcept {
        std::atomic_thread_fence(std::memory_order_release);
        put_word(word, value);
    }
};

} // namespace

VERIFY("record_ring, nested producer: only complete records are seen, inner ones too",
       .models = {rc11, sc, tso}, .covers = {"nested", "empty"}) {
    nested_to_its_consumer<ringproof::scenarios::watched>();
}
VERIFY("record_ring, nested producer, B relaxed", .expect = refuted, .mutant = 'B') {
    nested_to_its_consumer<ringproof::scenarios::without_b>();
}
VERIFY("record_ring, nested producer, C relaxed", .expect = refuted, .mutant = 'C') {
    nested_to_its_consumer<ringproof::scenarios::without_c>();
}

VERIFY("record_ring, keep_oldest, one producer: every loss is told once", .models = {rc11, sc, tso},
       .covers = {"full", "told"}) {
    every_loss_is_told_once<ringproof::single, 6, ringproof::scenarios::watched>();
}
VERIFY("record_ring, fences, one producer: records arrive whole", .models = {rc11, sc, tso},
       .covers = {"full", "empty"}) {
    numbers<ringproof::single, ringproof::fences>();
}
VERIFY("record_ring, fences, many producers: records arrive whole", .models = {rc11, sc, tso},
       .covers = {"full", "empty"}) {
    numbers<ringproof::shared, ringproof::fences>();
}
VERIFY("record_ring, fences, A's fence taken out", .expect = refuted, .mutant = 'A') {
    numbers<ringproof::single, fences_without_a>();
}
VERIFY("record_ring, fences, B's fence taken out", .expect = refuted, .mutant = 'B') {
    numbers<ringproof::single, fences_without_b>();
}
VERIFY("record_ring, fences, many producers: a fence before a relaxed commit is not enough",
       .expect = refuted, .mutant = 'B') {
    numbers<ringproof::shared, fences_before_a_relaxed_commit>();
}
VERIFY("record_ring, fences, C's fence taken out", .expect = refuted, .mutant = 'C') {
    numbers<ringproof::single, fences_without_c>();
}
VERIFY("record_ring, fences, D's fence taken out", .expect = refuted, .mutant = 'D') {
    numbers<ringproof::single, fences_without_d>();
}
VERIFY("record_ring, control_dependency: enough under sc", .models = {sc}, .covers = {"full", "empty"}) {
    numbers<ringproof::single, ringproof::control_dependency>();
}
VERIFY("record_ring, control_dependency: not enough by the rules of ISO C++", .expect = refuted) {
    numbers<ringproof::single, ringproof::control_dependency>();
}
