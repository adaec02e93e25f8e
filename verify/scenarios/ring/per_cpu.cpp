// SPDX-License-Identifier: Apache-2.0
// The ring of one CPU, to which whatever thread is there writes. A restartable sequence is assembly and outside the
// checker's sight, so the policy here says what it does: it compares and stores with nobody of the same CPU in between,
// orders nothing, and may be told to look again. Where a thread is on another CPU by the time it commits, it is one more
// thread to the others, as all of them are here.

#include "mutants.hpp"

#include <ringproof/full/keep_oldest.hpp>
#include <ringproof/producer/one_cpu.hpp>
#include <ringproof/record_ring.hpp>

#include <array>
#include <thread>

namespace verify = ringproof::verify;

namespace {

using ringproof::local_change;

/// The base's barriers, with sequences as the kernel makes them.
template <class Base>
struct on_its_cpu : Base {
    using position = typename Base::position;
    static inline thread_local int attempts = 0;

    template <class>
    static local_change claim_on(unsigned, std::atomic<position>& reserved, position& expected,
                                 position desired) noexcept {
        if (++attempts == 2) { // preempted within the second, and started over
            verify::cover("started over");
            return local_change::elsewhere;
        }
        if (Base::claim(reserved, expected, desired)) return local_change::done;
        return local_change::changed;
    }
};

/// Not started over: whoever was on the CPU in between has changed the word.
struct divided : ringproof::scenarios::watched {
    template <class>
    static local_change claim_on(unsigned, std::atomic<position>& reserved, position& expected,
                                 position desired) noexcept {
        const position now = stat(reserved);
        if (now != expected) {
            expected = now;
            return local_change::changed;
        }
        set_own(reserved, desired);
        return local_change::done;
    }
};

/// Two threads write to the CPU's ring, from 24 bytes before 2^64 on, and nobody waits for room.
template <class Full, class Barriers>
void whoever_is_there() {
    ringproof::record_ring<ringproof::one_cpu, Barriers, Full> ring{64, 0 - std::uint64_t{24}};
    unsigned accepted[2] = {0, 0}, refused[2] = {0, 0}, last[2] = {0, 0}, delivered = 0;
    const auto produce = [&](unsigned id) {
        for (unsigned i = 1; i <= 2; ++i) {
            const std::uint64_t number = 16 * id + i, body[3] = {number, number, number};
            auto room = ring.begin(sizeof body);
            if (room.why() == ringproof::refusal::elsewhere) room = ring.begin(sizeof body);
            room.copy_from(std::as_bytes(std::span(body)));
            if (room)
                ++accepted[id];
            else
                verify::cover("full"), ++refused[id];
        }
    };
    std::uint64_t told = 0;
    const auto drain = [&] {
        bool any = false;
        for (const auto record : ring.read()) {
            any = true;
            if (record.type() == ringproof::record_type::lost) {
                told += record.template as<ringproof::lost_record>()->count;
                continue;
            }
            const auto body = record.template as<std::array<std::uint64_t, 3>>();
            VERIFY_THAT(body && (*body)[0] == (*body)[1] && (*body)[1] == (*body)[2]);
            const auto number = static_cast<unsigned>((*body)[0]);
            VERIFY_THAT(number / 16 < 2 && number % 16 > last[number / 16]);
            last[number / 16] = number % 16;
            if (++delivered > 2) verify::cover("reuse");
        }
        VERIFY_THAT(ring.error() == ringproof::read_error::none);
        if (!any) verify::cover("empty");
    };
    std::thread first([&] { produce(0); }), second([&] { produce(1); });
    drain(), drain();
    first.join(), second.join();
    drain(), drain();
    VERIFY_THAT(delivered == accepted[0] + accepted[1]);
    VERIFY_THAT(ring.lost() == refused[0] + refused[1]);
    if constexpr (Full::report_size != 0) VERIFY_THAT(told + ring.unreported() == ring.lost());
}

using ringproof::keep_oldest, ringproof::refuse;
using namespace ringproof::scenarios;

} // namespace

#define PER_CPU_SET(full)                                                                                    \
    VERIFY("ring, one_cpu, " #full ", acquire_release: accounted for", .models = {rc11, sc, tso},            \
           .covers = {"full", "empty", "reuse", "contention", "started over"}) {                             \
        whoever_is_there<full, on_its_cpu<watched>>();                                                       \
    }                                                                                                        \
    VERIFY("ring, one_cpu, " #full ", fences: accounted for", .models = {rc11, sc, tso},                     \
           .covers = {"full", "empty", "reuse", "started over"}) {                                           \
        whoever_is_there<full, on_its_cpu<ringproof::fences>>();                                             \
    }                                                                                                        \
    VERIFY("ring, one_cpu, " #full ", control_dependency: accounted for", .models = {sc, tso},               \
           .covers = {"full", "empty", "reuse", "started over"}) {                                           \
        whoever_is_there<full, on_its_cpu<ringproof::control_dependency>>();                                 \
    }                                                                                                        \
    VERIFY("ring, one_cpu, " #full ", a sequence that is not started over", .expect = refuted) {             \
        whoever_is_there<full, divided>();                                                                   \
    }                                                                                                        \
    VERIFY("ring, one_cpu, " #full ", A relaxed", .expect = refuted, .mutant = 'A') {                        \
        whoever_is_there<full, on_its_cpu<without_a>>();                                                     \
    }                                                                                                        \
    VERIFY("ring, one_cpu, " #full ", B relaxed", .expect = refuted, .mutant = 'B') {                        \
        whoever_is_there<full, on_its_cpu<without_b>>();                                                     \
    }                                                                                                        \
    VERIFY("ring, one_cpu, " #full ", C relaxed", .expect = refuted, .mutant = 'C') {                        \
        whoever_is_there<full, on_its_cpu<without_c>>();                                                     \
    }                                                                                                        \
    VERIFY("ring, one_cpu, " #full ", D relaxed", .expect = refuted, .mutant = 'D') {                        \
        whoever_is_there<full, on_its_cpu<without_d>>();                                                     \
    }

PER_CPU_SET(refuse)
PER_CPU_SET(keep_oldest)
