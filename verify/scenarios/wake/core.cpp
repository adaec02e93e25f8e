// SPDX-License-Identifier: Apache-2.0
// The wake-up policies as they ship, down to their system calls: a consumer that sleeps in std::atomic's wait, in poll or
// in epoll gets every record. The checker models futex, eventfd, poll and epoll (docs/how-to/find-lost-wake-ups.md).

#include "../ring/mutants.hpp"

#include <ringproof/record_ring.hpp>
#include <ringproof/wake/event_descriptor.hpp>
#include <ringproof/wake/futex.hpp>

#include <cerrno>
#include <cstdint>
#include <span>
#include <sys/epoll.h>
#include <thread>

namespace {

using ringproof::scenarios::watched;

template <class Producer, class Wake, class Barriers = watched>
using ring_of = ringproof::record_ring<Producer, Barriers, ringproof::refuse, ringproof::padded, Wake>;

template <class Ring>
void write(Ring& ring, std::uint64_t value) {
    VERIFY_THAT(ring.try_write(std::as_bytes(std::span(&value, 1))));
}
/// @return the number of the next record
template <class Ring>
std::uint64_t read_all(Ring& ring, std::uint64_t expected) {
    for (const auto record : ring.read()) VERIFY_THAT(record.template as<std::uint64_t>() == expected++);
    return expected;
}

/// Every record crosses the watermark, so each must reach the consumer that sleeps between them.
template <class Producer, class Wake, class Barriers = watched>
void wait_gets_all() {
    ring_of<Producer, Wake, Barriers> ring(ringproof::ring_memory::heap(64), {0, 0, 8});
    std::thread producer([&] { write(ring, 1), write(ring, 2); });
    for (std::uint64_t expected = 1; expected <= 2;) {
        ring.wait();
        expected = read_all(ring, expected);
    }
    producer.join();
}

/// The same for a consumer that looks at nothing but the descriptor, as an event loop does.
template <class Producer, class Wake, class Barriers = watched>
void event_loop_gets_all() {
    ring_of<Producer, Wake, Barriers> ring(ringproof::ring_memory::heap(64), {0, 0, 8});
    const int loop = epoll_create1(EPOLL_CLOEXEC);
    epoll_event event{};
    event.events = EPOLLIN;
    VERIFY_THAT(epoll_ctl(loop, EPOLL_CTL_ADD, ring.descriptor(), &event) == 0);
    std::thread producer([&] { write(ring, 1), write(ring, 2); });
    for (std::uint64_t expected = 1; expected <= 2;) {
        if (epoll_wait(loop, &event, 1, -1) == -1) {
            VERIFY_THAT(errno == EINTR);
            continue;
        }
        expected = read_all(ring, expected);
    }
    producer.join();
}

/// Of two producers one is held up between its reservation and its commit; the other crosses the watermark.
template <class Wake, class Barriers = watched>
void a_commit_that_was_waited_for_wakes() {
    ring_of<ringproof::shared, Wake, Barriers> ring(ringproof::ring_memory::heap(64), {0, 0, 32});
    auto first = ring.try_begin(8);
    write(ring, 2); // crosses
    std::thread producer([&] {
        const std::uint64_t one = 1;
        first.copy_from(std::as_bytes(std::span(&one, 1)));
        first.commit();
    });
    for (std::uint64_t expected = 1; expected <= 2;) {
        ring.wait();
        expected = read_all(ring, expected);
    }
    producer.join();
}

/// The flag is raised, and who sleeps on it is not told.
struct futex_without_notify : ringproof::futex {
    void raised(std::atomic<std::uint32_t>&) noexcept {}
};
struct descriptor_without_write : ringproof::event_descriptor {
    void raised(const std::atomic<std::uint32_t>&) noexcept {}
};
/// A producer that raises too late for the lowering consumer's read leaves a token that is owed; here the debt is
/// forgotten by a read that takes all that is there, the next raise with it.
struct descriptor_that_takes_all : ringproof::event_descriptor {
    void lowered() noexcept {
        ringproof::event_descriptor::lowered();
        std::uint64_t one = 0;
        while (::read(descriptor(), &one, sizeof one) == sizeof one) continue;
    }
};

/// Nothing between the commit and the look at the flag, nor between lowering it and the look at the record.
struct without_settling : watched {
    static void settle() noexcept {}
    static std::uint32_t lower(std::atomic<std::uint32_t>& flag, std::uint32_t value) noexcept {
        return flag.exchange(value, std::memory_order_relaxed);
    }
};

using ringproof::descriptor_wakeup;
using ringproof::futex_wakeup;
using ringproof::nested;
using ringproof::shared;
using ringproof::single;
using ringproof::watermark;

} // namespace

VERIFY("wake-up by futex, one producer: no record is left", .models = {rc11, sc, tso}) {
    wait_gets_all<single, futex_wakeup>();
}
VERIFY("wake-up by futex, many producers: no record is left", .models = {rc11, sc, tso}) {
    wait_gets_all<shared, futex_wakeup>();
}
VERIFY("wake-up by futex: a commit that was waited for wakes", .models = {rc11, sc, tso}) {
    a_commit_that_was_waited_for_wakes<futex_wakeup>();
}
VERIFY("wake-up by eventfd and poll, one producer: no record is left", .models = {rc11, sc, tso}) {
    wait_gets_all<single, descriptor_wakeup>();
}
VERIFY("wake-up by eventfd and poll, many producers: no record is left", .models = {rc11, sc, tso}) {
    wait_gets_all<shared, descriptor_wakeup>();
}
VERIFY("wake-up by eventfd and poll: a commit that was waited for wakes", .models = {rc11, sc, tso}) {
    a_commit_that_was_waited_for_wakes<descriptor_wakeup>();
}
// A file that is seen ready before its wake-up has come is reported early once; the ledger names what is left out.
VERIFY("wake-up by eventfd and epoll, one producer: no record is left", .models = {rc11, sc, tso},
       .assumes = {"spurious-wake"}) {
    event_loop_gets_all<single, descriptor_wakeup>();
}
VERIFY("wake-up by eventfd and epoll, nested producer: no record is left", .models = {rc11, sc, tso},
       .assumes = {"spurious-wake"}) {
    event_loop_gets_all<nested, descriptor_wakeup>();
}

VERIFY("wake-up by futex, nobody is notified", .models = {sc}, .expect = refuted) {
    wait_gets_all<single, watermark<futex_without_notify>>();
}
VERIFY("wake-up by eventfd, nothing is written", .models = {sc}, .expect = refuted) {
    wait_gets_all<single, watermark<descriptor_without_write>>();
}
VERIFY("wake-up by eventfd and epoll, the next raise is taken as well", .models = {sc}, .expect = refuted) {
    event_loop_gets_all<single, watermark<descriptor_that_takes_all>>();
}
VERIFY("wake-up by futex, a commit that was waited for, without the fences", .expect = refuted) {
    a_commit_that_was_waited_for_wakes<futex_wakeup, without_settling>();
}
VERIFY("wake-up by eventfd, a commit that was waited for, without the fences", .expect = refuted) {
    a_commit_that_was_waited_for_wakes<descriptor_wakeup, without_settling>();
}
