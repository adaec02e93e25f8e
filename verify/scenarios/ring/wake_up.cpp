// SPDX-License-Identifier: Apache-2.0
// A consumer that only looks when it has been woken gets everything above the watermark: no wake-up is lost.

#include "sleeper.hpp"

#include <ringproof/record_ring.hpp>
#include <ringproof/wake/watermark.hpp>

#include <thread>

namespace {

using ringproof::scenarios::watched_flag;

/// Every record crosses the watermark, so each must reach the consumer that sleeps between them.
template <class Producer, class Barriers>
void no_wake_up_is_lost() {
    using ring_type = ringproof::record_ring<Producer, Barriers, ringproof::refuse, ringproof::padded,
                                             ringproof::watermark<watched_flag>>;
    ring_type ring(ringproof::ring_memory::heap(64), {0, 0, 8});
    std::thread producer([&] {
        for (std::uint64_t i = 1; i <= 2; ++i) VERIFY_THAT(ring.try_write(std::as_bytes(std::span(&i, 1))));
    });
    for (std::uint64_t expected = 1; expected <= 2;) {
        ring.wait();
        for (const auto record : ring.read()) VERIFY_THAT(record.template as<std::uint64_t>() == expected++);
    }
    producer.join();
}

/// Of two producers one is held up between its reservation and its commit; the other crosses the watermark.
template <class Barriers>
void a_commit_that_was_waited_for_wakes() {
    using ring_type = ringproof::record_ring<ringproof::shared, Barriers, ringproof::refuse,
                                             ringproof::padded, ringproof::watermark<watched_flag>>;
    ring_type ring(ringproof::ring_memory::heap(64), {0, 0, 32});
    auto first = ring.try_begin(8);
    const std::uint64_t two = 2;
    VERIFY_THAT(ring.try_write(std::as_bytes(std::span(&two, 1)))); // crosses
    std::thread producer([&] {
        const std::uint64_t one = 1;
        first.copy_from(std::as_bytes(std::span(&one, 1)));
        first.commit();
    });
    for (std::uint64_t expected = 1; expected <= 2;) {
        ring.wait();
        for (const auto record : ring.read()) VERIFY_THAT(record.template as<std::uint64_t>() == expected++);
    }
    producer.join();
}

using ringproof::scenarios::watched;

/// Nothing between the commit and the look at the flag, nor between lowering it and the look at the record.
struct without_settling : watched {
    static void settle() noexcept {}
    static std::uint32_t lower(std::atomic<std::uint32_t>& flag, std::uint32_t value) noexcept {
        return flag.exchange(value, std::memory_order_relaxed);
    }
};
using ringproof::scenarios::raised_relaxed;

} // namespace

VERIFY("wake-up, one producer: none is lost", .models = {rc11, sc, tso}, .covers = {"slept"}) {
    no_wake_up_is_lost<ringproof::single, watched>();
}
VERIFY("wake-up, nested producer: none is lost", .models = {rc11, sc, tso}, .covers = {"slept"}) {
    no_wake_up_is_lost<ringproof::nested, watched>();
}
VERIFY("wake-up, many producers: none is lost", .models = {rc11, sc, tso}, .covers = {"slept"}) {
    no_wake_up_is_lost<ringproof::shared, watched>();
}
VERIFY("wake-up, two producers: a commit that was waited for wakes", .models = {rc11, sc, tso},
       .covers = {"slept"}) {
    a_commit_that_was_waited_for_wakes<watched>();
}
VERIFY("wake-up, a commit that was waited for, without the fences", .expect = refuted) {
    a_commit_that_was_waited_for_wakes<without_settling>();
}
VERIFY("wake-up, one producer, flag relaxed", .expect = refuted) {
    no_wake_up_is_lost<ringproof::single, raised_relaxed>();
}
