// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every record ring promises, in one body for each combination of protocol, full policy and barriers: nobody waits,
// so whatever does not fit is lost, and at rest every record is accounted for.

#include "sleeper.hpp"

#include <ringproof/full/keep_oldest.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/wake/watermark.hpp>

#include <thread>

namespace ringproof::scenarios {

/// Records of 32 bytes into 64, from 24 bytes before 2^64 on: the first is split, and its bytes are used again.
template <class Producer, class Full, class Barriers>
void accounted_for() {
    record_ring<Producer, Barriers, Full> ring{64, 0 - std::uint64_t{24}};
    constexpr unsigned producers = Producer::many_threads ? 2 : 1, records = Producer::many_threads ? 2 : 6;
    unsigned accepted[2] = {0, 0}, refused[2] = {0, 0};
    const auto produce = [&](unsigned id) {
        for (unsigned i = 1; i <= records; ++i) {
            const std::uint64_t number = 16 * id + i, body[3] = {number, number, number};
            auto room = ring.begin(sizeof body);
            if (!room) {
                verify::cover("full"), ++refused[id];
                continue;
            }
            room.copy_from(std::as_bytes(std::span(body)));
            if (i == 2 && id == 0)
                room.discard(), verify::cover("discard");
            else
                ++accepted[id];
        }
        ring.flush();
    };
    unsigned delivered = 0, bytes = 0, last[2] = {0, 0};
    std::uint64_t told = 0;
    const auto drain = [&] {
        unsigned count = 0;
        for (const auto record : ring.read()) {
            ++count;
            if (record.type() == record_type::lost) {
                const auto lost = record.template as<lost_record>();
                VERIFY_THAT(lost.has_value());
                told += lost->count, bytes += 24;
                verify::cover("told");
                continue;
            }
            const auto body = record.template as<std::array<std::uint64_t, 3>>();
            VERIFY_THAT(body && (*body)[0] == (*body)[1] && (*body)[1] == (*body)[2]); // P-whole, P-intact
            const auto number = static_cast<unsigned>((*body)[0]);
            VERIFY_THAT(number / 16 < producers && number % 16 > last[number / 16]); // P-once
            last[number / 16] = number % 16;
            if (!record.bytes().contiguous()) verify::cover("split");
            ++delivered;
            if ((bytes += 32) > 64) verify::cover("reuse");
        }
        VERIFY_THAT(ring.error() == read_error::none); // P-mono: head is never before tail
        if (count == 0) verify::cover("empty");
    };
    std::thread first([&] { produce(0); }), second;
    if (producers == 2) second = std::thread([&] { produce(1); });
    drain(), drain();
    first.join();
    if (producers == 2) second.join();
    drain(), drain();                                    // a batch may end with what the last one knew
    VERIFY_THAT(delivered == accepted[0] + accepted[1]); // P-final
    VERIFY_THAT(ring.lost() == refused[0] + refused[1]); // P-count
    if constexpr (Full::report_size != 0) VERIFY_THAT(told + ring.unreported() == ring.lost());
}

/// Every record crosses the watermark, so each must reach the consumer that sleeps between them: P-wake, P-live.
template <class Producer, class Full, class Barriers>
void awaited() {
    record_ring<Producer, Barriers, Full, padded, watermark<watched_flag>> ring(
        ring_memory::heap(128), {0 - std::uint64_t{16}, 0, 8});
    std::thread producer([&] {
        for (std::uint64_t i = 1; i <= 2; ++i) {
            VERIFY_THAT(ring.try_write(std::as_bytes(std::span(&i, 1))));
            ring.flush();
        }
    });
    for (std::uint64_t expected = 1; expected <= 2;) {
        ring.wait();
        for (const auto record : ring.read()) VERIFY_THAT(record.template as<std::uint64_t>() == expected++);
    }
    producer.join();
}

} // namespace ringproof::scenarios

#define RINGPROOF_SET_MUTANT(label, producer, full, weakened, letter)                                        \
    VERIFY("ring, " label ", " #weakened, .expect = refuted, .mutant = letter) {                             \
        ::ringproof::scenarios::accounted_for<producer, full, ::ringproof::scenarios::weakened>();           \
    }

/// The scenarios of one protocol with one full policy, and their mutants. What follows is what must be covered.
#define RINGPROOF_RING_SET(label, producer, full, ...)                                                       \
    VERIFY("ring, " label ", acquire_release: accounted for", .models = {rc11, sc, tso},                     \
           .covers = {__VA_ARGS__}) {                                                                        \
        ::ringproof::scenarios::accounted_for<producer, full, ::ringproof::scenarios::watched>();            \
    }                                                                                                        \
    VERIFY("ring, " label ", fences: accounted for", .models = {rc11, sc, tso}, .covers = {__VA_ARGS__}) {   \
        ::ringproof::scenarios::accounted_for<producer, full, ::ringproof::fences>();                        \
    }                                                                                                        \
    VERIFY("ring, " label ", control_dependency: accounted for", .models = {sc, tso},                        \
           .covers = {__VA_ARGS__}) {                                                                        \
        ::ringproof::scenarios::accounted_for<producer, full, ::ringproof::control_dependency>();            \
    }                                                                                                        \
    VERIFY("ring, " label ", control_dependency under the rules of ISO C++", .expect = refuted) {            \
        ::ringproof::scenarios::accounted_for<producer, full, ::ringproof::control_dependency>();            \
    }                                                                                                        \
    RINGPROOF_EACH_MUTANT(RINGPROOF_SET_MUTANT, label, producer, full)                                       \
    VERIFY("ring, " label ", acquire_release: no wake-up is lost", .models = {rc11, sc, tso},                \
           .covers = {"slept"}) {                                                                            \
        ::ringproof::scenarios::awaited<producer, full, ::ringproof::scenarios::watched>();                  \
    }                                                                                                        \
    VERIFY("ring, " label ", fences: no wake-up is lost", .models = {rc11, sc, tso}, .covers = {"slept"}) {  \
        ::ringproof::scenarios::awaited<producer, full, ::ringproof::fences>();                              \
    }                                                                                                        \
    VERIFY("ring, " label ", control_dependency: no wake-up is lost", .models = {sc, tso},                   \
           .covers = {"slept"}) {                                                                            \
        ::ringproof::scenarios::awaited<producer, full, ::ringproof::control_dependency>();                  \
    }                                                                                                        \
    VERIFY("ring, " label ", the flag raised relaxed", .expect = refuted) {                                  \
        ::ringproof::scenarios::awaited<producer, full, ::ringproof::scenarios::raised_relaxed>();           \
    }
