// SPDX-License-Identifier: Apache-2.0
// Wake-ups. A consumer sleeps until a watermark has been crossed; a wake-up that gets lost is a program that hangs with
// unread data in the ring. The mutants are wake-up policies of the core with one function changed, where they can be.

#include "../ring/sleeper.hpp"
#include "property.hpp"

#include <ringproof/producer/shared.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/wake/watermark.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <thread>

namespace {

using namespace ringproof::zoo;

using ringproof::scenarios::watched_flag;
using as_it_is = ringproof::watermark<watched_flag>;

/// W11. Symptom: a consumer that is never woken, on a full ring. Cause: the watermark is so near the capacity that the
/// ring is full before it is crossed. Source: perf, measured: with 4064 of 4096 bytes no wake-up, 273 of 400 records
/// lost. The core takes at most half the capacity.
struct any_watermark : as_it_is {
    template <class Barriers, class Producer>
    struct state : as_it_is::state<Barriers, Producer> {
        state(std::size_t capacity, std::uint64_t start, std::size_t wanted)
            : as_it_is::state<Barriers, Producer>(4 * capacity, start, wanted) {}
        void refused(bool) noexcept {}
    };
};
/// W12. Symptom: as W11, after a consumer that stopped half-way. Cause: a refused writer wakes nobody, and none but
/// refusals come any more. Source: kernel/events/ring_buffer.c. Here refusals wake, and W11 is harmless.
struct any_watermark_but_refusals_wake : as_it_is {
    template <class Barriers, class Producer>
    struct state : as_it_is::state<Barriers, Producer> {
        state(std::size_t capacity, std::uint64_t start, std::size_t wanted)
            : as_it_is::state<Barriers, Producer>(4 * capacity, start, wanted) {}
    };
};
/// W13. Symptom: a consumer that takes one record per wake-up sleeps on unread data. Cause: looking at readiness takes it
/// away, as perf's poll does. The core keeps it until the ring was found empty.
struct poll_takes_it : as_it_is {
    template <class Barriers, class Producer>
    struct state {
        state(std::size_t, std::uint64_t, std::size_t) noexcept {}
        void reserved(std::uint64_t) noexcept {}
        void published(bool, std::uint64_t, std::uint64_t) noexcept { raise(); }
        void refused(bool) noexcept { raise(); }
        void flushed(bool) noexcept {}
        template <class... Ignored>
        void drained(const Ignored&...) noexcept {}
        void wait() noexcept {
            while (flag_.load(std::memory_order_relaxed) == 0) ringproof::verify::pause();
            flag_.exchange(0, std::memory_order_acq_rel);
        }
        [[nodiscard]] bool ready() const noexcept { return flag_.load(std::memory_order_relaxed) != 0; }
        void raise() noexcept { flag_.exchange(1, std::memory_order_acq_rel); }
        std::atomic<std::uint32_t> flag_{0};
    };
};

/// A consumer that reads so many records at once and sleeps again. What is refused is not tried again.
template <class Wake>
void the_consumer_gets(unsigned needed, std::size_t watermark, unsigned written, std::size_t at_once) {
    using ring_type = ringproof::record_ring<ringproof::single, ringproof::acquire_release, ringproof::refuse,
                                             ringproof::padded, Wake>;
    ring_type ring(ringproof::ring_memory::heap(64), {0, 0, watermark});
    std::thread producer([&] {
        for (std::uint64_t i = 1; i <= written; ++i)
            static_cast<void>(ring.try_write(std::as_bytes(std::span(&i, 1))));
    });
    std::uint64_t seen = 0;
    while (seen < needed) {
        ring.wait();
        ring.consume(
            [&](const auto& record) { RINGPROOF_HOLDS(once, record.template as<std::uint64_t>() == ++seen); },
            at_once);
    }
    producer.join();
}

/// W14. Symptom: a poll that never returns after an event's output was redirected. Cause: it sleeps on the old ring and is
/// to be woken on the new one. Source: the comment at perf_poll in kernel/events/core.c. The remedy wakes the old one
/// after the change.
template <bool WakesTheOld>
void who_sleeps_on_the_old_ring_is_woken() {
    struct poll_flag {
        std::atomic<bool> raised{false};
    } rings[2];
    std::atomic<unsigned> current{0};
    std::thread redirect([&] {
        current.store(1);
        if (WakesTheOld) rings[0].raised.store(true);
        rings[1].raised.store(true); // the writer: a record for the new ring
    });
    for (bool woken_by_the_new = false; !woken_by_the_new;) {
        const unsigned mine = current.load();
        if (mine == 0) ringproof::verify::cover("polled the old ring");
        while (!rings[mine].raised.load()) ringproof::verify::pause();
        woken_by_the_new = mine == 1;
    }
    redirect.join();
}

/// W15. Symptom: tracing stops after a fork, and the reader sleeps. Cause: the wake-up goes to the child's event, which has
/// no ring of its own and nobody who waits. Source: Linux 961c39121759 (2022). (2011, 10c6db110d0e: only those who
/// waited on the writing event were woken, although the ring has others.)
template <bool Redirected>
void a_child_wakes_its_parents_reader() {
    struct event {
        event* parent;
        std::atomic<bool>* poll;
    };
    std::atomic<bool> poll{false};
    event original{nullptr, &poll}, inherited{&original, nullptr};
    std::thread child([&] {
        const event* target = Redirected && inherited.parent != nullptr ? inherited.parent : &inherited;
        if (target->poll != nullptr) target->poll->store(true);
    });
    while (!poll.load()) ringproof::verify::pause();
    child.join();
}

/// T5. Symptom: who waits for little sleeps, since somebody else waits for more. Cause: of several watermarks the longest
/// is kept, or the shortest is not set again after a wake-up. Source: ftrace, shortest_full (2023 and 2024).
template <bool Shortest>
void the_least_demanding_is_woken() {
    std::mutex mutex;
    std::condition_variable filled;
    unsigned fill = 0, wanted = 0;
    const auto sleep_until = [&](unsigned mine) {
        std::unique_lock lock(mutex);
        if (wanted == 0 || (Shortest ? mine < wanted : mine > wanted)) wanted = mine;
        while (fill < mine) {
            ringproof::verify::cover("slept");
            filled.wait(lock);
        }
    };
    std::thread demanding([&] {
        std::unique_lock lock(mutex);
        if (wanted == 0 || (Shortest ? 9 < wanted : 9 > wanted)) wanted = 9; // and goes to sleep for good
    });
    std::thread writer([&] {
        std::unique_lock lock(mutex);
        if (++fill >= wanted) filled.notify_all(), wanted = 0;
    });
    sleep_until(1);
    demanding.join();
    writer.join();
}

/// B5. Symptom: a consumer sleeps although a record was committed. Cause: the producer commits and looks how far the
/// consumer is, the consumer says how far it is and looks for a commit; without full fences both look too early. Source:
/// derived from kernel/bpf/ringbuf.c, whose exchange is a full fence on one side; libbpf's readiness is a level, which
/// forgives it.
/// The ring is the core's, whose full fence is `settle`.
struct no_full_fence : ringproof::acquire_release {
    static void settle() noexcept {}
};
template <class Barriers>
void commit_or_notice() {
    ringproof::record_ring<ringproof::shared, Barriers, ringproof::refuse, ringproof::padded, as_it_is> ring(
        ringproof::ring_memory::heap(64), {0, 0, 32});
    const auto bytes = [](const std::uint64_t& number) { return std::as_bytes(std::span(&number, 1)); };
    const std::uint64_t one = 1, two = 2;
    auto slow =
        ring.try_begin(8); // of another producer, which is held up; what crosses the watermark is behind it
    VERIFY_THAT(ring.try_write(bytes(two)));
    std::thread producer([&] {
        slow.copy_from(bytes(one));
        slow.commit();
    });
    for (std::uint64_t expected = 1; expected <= 2;) {
        ring.wait();
        for (const auto record : ring.read())
            RINGPROOF_HOLDS(once, record.template as<std::uint64_t>() == expected++);
    }
    producer.join();
}

} // namespace

VERIFY(
    "W11 with W12: a watermark is not crossed before the ring is full, and refusals do not wake the reader",
    .models = {sc}, .expect = refuted) {
    the_consumer_gets<any_watermark>(1, 64, 5, 9);
}
VERIFY("W12, right: refusals wake, whatever the watermark", .models = {rc11, sc}, .covers = {"slept"}) {
    the_consumer_gets<any_watermark_but_refusals_wake>(1, 64, 5, 9);
}
VERIFY("W11, right: a watermark is half the ring at the most", .models = {rc11, sc}, .covers = {"slept"}) {
    the_consumer_gets<as_it_is>(1, 64, 5, 9);
}
VERIFY("W13: looking at readiness takes it away", .models = {sc}, .expect = refuted) {
    the_consumer_gets<poll_takes_it>(2, 8, 2, 1);
}
VERIFY("W13, right: readiness stays until the ring was found empty", .models = {rc11, sc},
       .covers = {"slept"}) {
    the_consumer_gets<as_it_is>(2, 8, 2, 1);
}
VERIFY("W14: a ring is changed while a reader polls the old one", .models = {sc}, .expect = refuted) {
    who_sleeps_on_the_old_ring_is_woken<false>();
}
VERIFY("W14, right: the reader of the old ring is woken when it is changed", .models = {rc11, sc},
       .covers = {"polled the old ring"}) {
    who_sleeps_on_the_old_ring_is_woken<true>();
}
VERIFY("W15: a wake-up goes to an event without a ring", .models = {sc}, .expect = refuted) {
    a_child_wakes_its_parents_reader<false>();
}
VERIFY("W15, right: a wake-up goes to the event that has the ring", .models = {rc11, sc}) {
    a_child_wakes_its_parents_reader<true>();
}
VERIFY("T5: of several watermarks the longest counts", .models = {sc}, .expect = refuted) {
    the_least_demanding_is_woken<false>();
}
VERIFY("T5, right: of several watermarks the shortest counts", .models = {rc11, sc}, .covers = {"slept"}) {
    the_least_demanding_is_woken<true>();
}
VERIFY("B5: commit and look, without full fences", .models = {rc11, tso}, .expect = refuted) {
    commit_or_notice<no_full_fence>();
}
VERIFY("B5, right: commit and look, with full fences", .models = {rc11, tso, sc}, .covers = {"slept"}) {
    commit_or_notice<ringproof::acquire_release>();
}
