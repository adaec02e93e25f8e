// SPDX-License-Identifier: Apache-2.0
// The four barriers. Each entry is the core's own ring with one letter relaxed (ring/mutants.hpp). All four need a
// model that reorders: under sc the same rings are right, which makes them a test of the checker, too. A and D show
// only when a slot is used again, so three records go through room for two.

#include "../ring/mutants.hpp"
#include "property.hpp"

#include <ringproof/record_ring.hpp>

#include <array>
#include <thread>

namespace {

using namespace ringproof::zoo;
namespace scenarios = ringproof::scenarios;

template <class Barriers>
void records_arrive_whole() {
    ringproof::record_ring<ringproof::single, Barriers> ring{64};
    std::thread producer([&] {
        for (std::uint64_t i = 1; i <= 3; ++i) {
            const std::uint64_t body[3] = {i, i, i};
            while (!ring.try_write(std::as_bytes(std::span(body)))) ringproof::verify::pause();
        }
    });
    for (std::uint64_t expected = 1; expected <= 3;) {
        bool any = false;
        for (const auto record : ring.read()) {
            const auto body = record.template as<std::array<std::uint64_t, 3>>();
            RINGPROOF_HOLDS(intact, body && (*body)[0] == expected && (*body)[2] == expected);
            if (expected++ == 3) ringproof::verify::cover("reuse");
            any = true;
        }
        if (!any) ringproof::verify::pause();
    }
    producer.join();
}

/// W9b. The check for room is made, and its result awaited, after the data has been written: what a compiler could make
/// of A as a mere branch.
template <bool Checked>
void written_behind_the_check() {
    int slot = 1; // full: the consumer has not read it
    std::atomic<unsigned> tail{0};
    std::thread consumer([&] {
        RINGPROOF_HOLDS(intact, slot == 1);
        tail.store(1, std::memory_order_release);
    });
    if (!Checked) slot = 2;
    while (tail.load(std::memory_order_acquire) == 0) ringproof::verify::pause();
    if (Checked) slot = 2;
    consumer.join();
}

} // namespace

// W7. Symptom: corrupt samples, on weakly ordered machines only. Cause: head and data reach the consumer in another
// order than they were written (b), or are loaded in another order (c). Source: Linux bf378d341e48 (2013), found on
// PowerPC.
VERIFY("W7b: head is published relaxed (B)", .expect = refuted, .mutant = 'B') {
    records_arrive_whole<scenarios::without_b>();
}
VERIFY("W7c: head is loaded relaxed (C)", .expect = refuted, .mutant = 'C') {
    records_arrive_whole<scenarios::without_c>();
}
// W8. Symptom: a record is overwritten while it is being read. Cause: tail is given back before the loads of the record
// are done. Source: perf's own tools until 2013, and other readers until there were helpers for it in 2018.
VERIFY("W8: tail is released relaxed (D)", .expect = refuted, .mutant = 'D') {
    records_arrive_whole<scenarios::without_d>();
}
// W9. Symptom: as W8, from the other side. Cause: nothing keeps the producer's stores behind its check for room. In
// Linux a control dependency does; ISO C++ has none, and compilers may hoist a store they can see on all ways.
VERIFY("W9: tail is loaded relaxed (A)", .expect = refuted, .mutant = 'A') {
    records_arrive_whole<scenarios::without_a>();
}
VERIFY("W9b: data is written above the check for room", .models = {rc11, sc}, .expect = refuted) {
    written_behind_the_check<false>();
}
VERIFY("W9b, right: data is written behind the check for room", .models = {rc11, sc}) {
    written_behind_the_check<true>();
}
VERIFY("W7 to W9, right: the ring with its four barriers", .models = {rc11, tso, sc}, .covers = {"reuse"}) {
    records_arrive_whole<scenarios::watched>();
}
VERIFY("W7b, where there are only interleavings: head is published relaxed", .models = {sc},
       .covers = {"reuse"}) {
    records_arrive_whole<scenarios::without_b>();
}
VERIFY("W7c, where there are only interleavings: head is loaded relaxed", .models = {sc},
       .covers = {"reuse"}) {
    records_arrive_whole<scenarios::without_c>();
}
VERIFY("W8, where there are only interleavings: tail is released relaxed", .models = {sc},
       .covers = {"reuse"}) {
    records_arrive_whole<scenarios::without_d>();
}
VERIFY("W9, where there are only interleavings: tail is loaded relaxed", .models = {sc},
       .covers = {"reuse"}) {
    records_arrive_whole<scenarios::without_a>();
}
