// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include "../programs/programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <sys/eventfd.h>
#include <unistd.h>

namespace programs {
namespace {

/// eventfd_write() and write() are alike, so are their reads: each is used by some programs.
void add(int file, std::uint64_t n) { VERIFY_THAT(write(file, &n, sizeof n) == sizeof n); }
std::uint64_t take(int file) {
    std::uint64_t n = 0;
    VERIFY_THAT(read(file, &n, sizeof n) == sizeof n);
    return n;
}
/// @return whether there was anything
bool try_take(int file) {
    std::uint64_t n = 0;
    if (read(file, &n, sizeof n) == sizeof n) return true;
    VERIFY_THAT(errno == EAGAIN);
    return false;
}

} // namespace

void event_publishes() {
    const int event = eventfd(0, 0);
    int data = 0;
    together([&] { data = 1, add(event, 3); },
             [&] {
                 VERIFY_THAT(take(event) == 3);
                 VERIFY_THAT(data == 1);
             });
    close(event);
}

void event_write_waits_for_room() {
    const int event = eventfd(0, 0);
    add(event, UINT64_MAX - 1);
    int data = 0;
    together([&] { data = 1, take(event); },
             [&] {
                 add(event, 1);
                 VERIFY_THAT(data == 1);
             });
}

/// What was done before a write is ordered before what comes behind the next write.
void event_orders_both_ways() {
    const int event = eventfd(0, EFD_NONBLOCK);
    std::atomic<int> x{0}, y{0};
    int a = 0, b = 0;
    together(
        [&] { x.store(1, std::memory_order_relaxed), add(event, 1), a = y.load(std::memory_order_relaxed); },
        [&] { y.store(1, std::memory_order_relaxed), add(event, 1), b = x.load(std::memory_order_relaxed); });
    VERIFY_THAT(a == 1 || b == 1);
}

void events_order_nothing_between_them() {
    const int one = eventfd(0, EFD_NONBLOCK), two = eventfd(0, EFD_NONBLOCK);
    std::atomic<int> x{0}, y{0};
    int a = 0, b = 0;
    together(
        [&] { x.store(1, std::memory_order_relaxed), add(one, 1), a = y.load(std::memory_order_relaxed); },
        [&] { y.store(1, std::memory_order_relaxed), add(two, 1), b = x.load(std::memory_order_relaxed); });
    VERIFY_THAT(a == 1 || b == 1);
}

void failed_read_takes_the_lock() {
    const int event = eventfd(0, EFD_NONBLOCK);
    std::atomic<int> x{0};
    int seen = 0;
    bool got = false;
    together([&] { x.store(1, std::memory_order_relaxed), got = try_take(event); },
             [&] { add(event, 1), seen = x.load(std::memory_order_relaxed); });
    VERIFY_THAT(got || seen == 1);
}

void failed_reads_are_in_one_order() {
    const int one = eventfd(0, EFD_NONBLOCK), two = eventfd(0, EFD_NONBLOCK);
    bool first = false, second = false;
    together([&] { add(one, 1), second = try_take(two); }, [&] { add(two, 1), first = try_take(one); });
    VERIFY_THAT(first || second);
}

void event_counts() {
    const int event = eventfd(2, EFD_NONBLOCK);
    std::uint64_t n = 0;
    VERIFY_THAT(eventfd_write(event, 3) == 0);
    VERIFY_THAT(eventfd_read(event, &n) == 0 && n == 5);
    VERIFY_THAT(!try_take(event));
}

void event_as_semaphore() {
    const int event = eventfd(0, EFD_SEMAPHORE);
    together([&] { add(event, 2); }, [&] { VERIFY_THAT(take(event) == 1); },
             [&] { VERIFY_THAT(take(event) == 1); });
}

void event_full() {
    const int event = eventfd(0, EFD_NONBLOCK);
    std::uint64_t n = UINT64_MAX - 1;
    add(event, n);
    n = 1;
    VERIFY_THAT(write(event, &n, sizeof n) == -1 && errno == EAGAIN);
    n = UINT64_MAX;
    VERIFY_THAT(write(event, &n, sizeof n) == -1 && errno == EINVAL);
}

void event_never_written() {
    const int event = eventfd(0, 0);
    together([&] { take(event); }, [] {});
}

namespace {
void read_until_it_succeeds(bool yields) {
    const int event = eventfd(0, EFD_NONBLOCK);
    int data = 0;
    together([&] { data = 1, add(event, 1); },
             [&] {
                 while (!try_take(event))
                     if (yields) std::this_thread::yield();
                 VERIFY_THAT(data == 1);
             });
}
} // namespace

void event_read_until_it_succeeds() { read_until_it_succeeds(true); }
void event_read_again_at_once() { read_until_it_succeeds(false); }

void event_used_after_close() {
    const int event = eventfd(0, 0);
    together([&] { add(event, 1); }, [&] { close(event); });
}
void event_closed_in_a_wait() {
    const int event = eventfd(0, 0);
    together([&] { take(event); }, [&] { close(event); });
}

void event_of_wrong_size() {
    const int event = eventfd(0, 0);
    int n = 1;
    VERIFY_THAT(write(event, &n, sizeof n) == -1 && errno == EINVAL);
    VERIFY_THAT(read(event, &n, sizeof n) == -1 && errno == EINVAL);
    VERIFY_THAT(eventfd(0, 1 << 30) == -1 && errno == EINVAL);
}

namespace {
/// The consumer says that it sleeps and looks for work once more; the producer makes work and looks whether it sleeps.
void flag_and_event(std::memory_order order) {
    const int event = eventfd(0, 0);
    std::atomic<int> sleeps{0}, work{0};
    together(
        [&] {
            while (work.load(order) == 0) {
                sleeps.store(1, order);
                if (work.load(order) == 0) take(event);
                sleeps.store(0, order);
            }
        },
        [&] {
            work.store(1, order);
            if (sleeps.load(order) == 1) add(event, 1);
        });
}
} // namespace

void flag_and_event() { flag_and_event(std::memory_order_seq_cst); }
void flag_and_event_relaxed() { flag_and_event(std::memory_order_relaxed); }

} // namespace programs
