// SPDX-License-Identifier: Apache-2.0
// One CPU. Perf's writers interrupt each other on one CPU and never run beside each other; its reservation and its nest
// counter rest on that. The core's `nested` is the same, with a thread and its signal handlers.

#include "../ring/mutants.hpp"
#include "property.hpp"

#include <ringproof/record_ring.hpp>
#include <ringproof/verify/interrupt.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

namespace {

using namespace ringproof::zoo;

/// W17. Symptom: garbage records, then a ring that publishes nothing any more. Cause: two CPUs write into one ring, and
/// the nest counter loses a count. Source: Linux cd6fb677ce7e (2018), where tracepoints wrote another CPU's event.
template <class Producer>
void two_threads_write() {
    ringproof::record_ring<Producer, ringproof::scenarios::watched> ring{64};
    const auto write = [&](std::uint64_t number) {
        static_cast<void>(ring.try_write(std::as_bytes(std::span(&number, 1))));
    };
    std::thread other([&] { write(1); });
    write(2);
    other.join();
    std::uint64_t sum = 0;
    for (const auto record : ring.read()) sum += record.template as<std::uint64_t>().value_or(100);
    RINGPROOF_HOLDS(final_head, sum == 3);
}

/// B6. Symptom: a machine that stands still. Cause: an interrupt that comes in while its CPU holds the ring's lock takes
/// that lock. Source: kernel/bpf/ringbuf.c tries in an NMI, and drops the record if it can't have the lock.
template <bool Tries>
void a_handler_may_not_wait_for_its_thread() {
    std::atomic<bool> locked{false};
    std::atomic<unsigned> written{0}, dropped{0};
    const auto add = [](std::atomic<unsigned>& what) { what.fetch_add(1, std::memory_order_relaxed); };
    const auto write = [&](bool in_handler) {
        for (unsigned rounds = 0; locked.exchange(true, std::memory_order_acquire); ++rounds) {
            if (Tries && in_handler) return add(dropped), ringproof::verify::cover("dropped");
            RINGPROOF_HOLDS(live, rounds < 3); // nobody else can run
        }
        add(written);
        locked.store(false, std::memory_order_release);
        if (in_handler) ringproof::verify::cover("written by the handler");
    };
    unsigned attempted = 1;
    {
        const ringproof::verify::interrupt nmi([&] { ++attempted, write(true); });
        write(false);
    }
    RINGPROOF_HOLDS(count,
                    written.load(std::memory_order_relaxed) + dropped.load(std::memory_order_relaxed) ==
                        attempted);
}

} // namespace

VERIFY("W17: two threads write where one and its handlers may", .models = {rc11, sc}, .expect = refuted) {
    two_threads_write<ringproof::nested>();
}
VERIFY("W17, right: two threads write where many may", .models = {rc11, sc}, .covers = {"contention"}) {
    two_threads_write<ringproof::shared>();
}
VERIFY("B6: a handler waits for a lock that its thread holds", .models = {sc}, .expect = refuted) {
    a_handler_may_not_wait_for_its_thread<false>();
}
VERIFY("B6, right: a handler tries once, and drops its record", .models = {rc11, sc},
       .covers = {"dropped", "written by the handler"}) {
    a_handler_may_not_wait_for_its_thread<true>();
}
