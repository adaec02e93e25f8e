// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include "../programs/programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace programs {
namespace {

void add(int file) { VERIFY_THAT(eventfd_write(file, 1) == 0); }
void drain(int file) {
    std::uint64_t value = 0;
    VERIFY_THAT(eventfd_read(file, &value) == 0);
}
void watch(int instance, int operation, int file, unsigned events) {
    epoll_event e{};
    e.events = events;
    e.data.fd = file;
    VERIFY_THAT(epoll_ctl(instance, operation, file, &e) == 0);
}
/// @return the file that is ready
int wait_for(int instance) {
    epoll_event e{};
    int n = 0;
    do n = epoll_wait(instance, &e, 1, -1);
    while (n == -1 && errno == EINTR);
    VERIFY_THAT(n == 1);
    return e.data.fd;
}

struct watched_event {
    int event = eventfd(0, EFD_NONBLOCK), instance = epoll_create1(0);
    explicit watched_event(unsigned events) { watch(instance, EPOLL_CTL_ADD, event, events); }
};

} // namespace

void epoll_publishes() {
    const watched_event w(EPOLLIN);
    int data = 0;
    together([&] { data = 1, add(w.event); },
             [&] {
                 VERIFY_THAT(wait_for(w.instance) == w.event);
                 VERIFY_THAT(data == 1);
             });
    close(w.event);
    close(w.instance);
}

/// What was not read is reported again.
void epoll_level() {
    const watched_event w(EPOLLIN);
    together([&] { add(w.event); },
             [&] {
                 wait_for(w.instance);
                 wait_for(w.instance);
                 drain(w.event);
                 epoll_event e{};
                 VERIFY_THAT(epoll_wait(w.instance, &e, 1, 0) == 0);
             });
}

namespace {
/// Two bytes come; each event is followed by a read of one byte, or of all there are.
void edge_of_a_pipe(bool all) {
    int ends[2];
    VERIFY_THAT(pipe2(ends, O_NONBLOCK) == 0);
    const int instance = epoll_create1(0);
    watch(instance, EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLET);
    together([&] { VERIFY_THAT(write(ends[1], "ab", 2) == 2); },
             [&] {
                 char c = 0;
                 for (int n = 0; n < 2;) {
                     wait_for(instance);
                     if (all)
                         while (read(ends[0], &c, 1) == 1) ++n;
                     else
                         n += read(ends[0], &c, 1) == 1;
                 }
             });
}
} // namespace

void epoll_edge_reads_once() { edge_of_a_pipe(false); }
void epoll_edge_reads_all() { edge_of_a_pipe(true); }

/// A file that is ready when it is added is reported.
void epoll_edge_meets_what_came_first() {
    const int event = eventfd(0, EFD_NONBLOCK), instance = epoll_create1(0);
    together([&] { add(event); },
             [&] {
                 watch(instance, EPOLL_CTL_ADD, event, EPOLLIN | EPOLLET);
                 VERIFY_THAT(wait_for(instance) == event);
             });
}

namespace {
void one_shot(bool again) {
    const watched_event w(EPOLLIN | EPOLLONESHOT);
    together([&] { add(w.event); },
             [&] {
                 wait_for(w.instance);
                 if (again) watch(w.instance, EPOLL_CTL_MOD, w.event, EPOLLIN | EPOLLONESHOT);
                 wait_for(w.instance); // it was not read
             });
}
} // namespace

void epoll_one_shot() { one_shot(false); }
void epoll_one_shot_armed_again() { one_shot(true); }

/// A read makes an eventfd writable: that is no event for who asked for input, although it stays readable.
void epoll_asks_for_something_else() {
    const int event = eventfd(2, EFD_NONBLOCK | EFD_SEMAPHORE), instance = epoll_create1(0);
    watch(instance, EPOLL_CTL_ADD, event, EPOLLIN | EPOLLET);
    wait_for(instance);
    together([&] { drain(event); }, [&] { wait_for(instance); });
}

void epoll_two_files_in_any_order() {
    const watched_event w(EPOLLIN);
    const int other = eventfd(1, 0);
    watch(w.instance, EPOLL_CTL_ADD, other, EPOLLIN);
    together([&] { add(w.event); },
             [&] {
                 epoll_event e[2] = {};
                 const int n = epoll_pwait(w.instance, e, 2, 0, nullptr);
                 VERIFY_THAT(n >= 1);
                 if (n == 1) VERIFY_THAT(e[0].data.fd == other);
                 if (n == 2)
                     ringproof::verify::cover(e[0].data.fd == other ? "the other first" : "the event first");
             });
}

/// Edge-triggered: one of two waiting threads is woken.
void epoll_two_waiters_one_event() {
    const watched_event w(EPOLLIN | EPOLLET);
    const auto wait = [&] { wait_for(w.instance); };
    together([&] { add(w.event); }, wait, wait);
}

void epoll_file_removed() {
    const watched_event w(EPOLLIN);
    watch(w.instance, EPOLL_CTL_DEL, w.event, 0);
    epoll_event e{};
    VERIFY_THAT(epoll_ctl(w.instance, EPOLL_CTL_DEL, w.event, &e) == -1 && errno == ENOENT);
    together([&] { add(w.event); }, [&] { wait_for(w.instance); });
}
void epoll_file_closed() {
    const watched_event w(EPOLLIN);
    add(w.event);
    close(w.event);
    epoll_event e{};
    VERIFY_THAT(epoll_wait(w.instance, &e, 1, 0) == 0);
}

void epoll_interrupted() {
    const watched_event w(EPOLLIN);
    epoll_event e{};
    together([&] { add(w.event); }, [&] { VERIFY_THAT(epoll_wait(w.instance, &e, 1, -1) == 1); });
}
void epoll_interrupted_and_tried_again() {
    const watched_event w(EPOLLIN);
    together([&] { add(w.event); }, [&] { wait_for(w.instance); });
}

void epoll_times_out() {
    const watched_event w(EPOLLIN);
    together([&] { add(w.event); },
             [&] {
                 epoll_event e{};
                 const int n = epoll_wait(w.instance, &e, 1, 10);
                 ringproof::verify::cover(n == 1 ? "ready" : n == 0 ? "timed out" : "interrupted");
             });
}

/// The item is on the list of what was ready; a second look may see a write before its wake-up has come.
void epoll_sees_what_nothing_orders() {
    const watched_event w(EPOLLIN);
    add(w.event);
    wait_for(w.instance);
    drain(w.event); // level-triggered: the item stays on the list until it is looked at
    std::atomic<int> data{0};
    together([&] { data.store(1, std::memory_order_relaxed), add(w.event); },
             [&] {
                 epoll_event e{};
                 if (epoll_wait(w.instance, &e, 1, 0) == 1)
                     VERIFY_THAT(data.load(std::memory_order_relaxed) == 1);
             });
}
/// The loop reads nothing, so that the event stays ready, and may see the old flag for as long as nothing is ordered.
void epoll_goes_round_until_the_flag_is_seen() {
    const watched_event w(EPOLLIN);
    std::atomic<int> flag{0};
    together([&] { flag.store(1, std::memory_order_relaxed), add(w.event); },
             [&] {
                 add(w.event);
                 wait_for(w.instance);
                 drain(w.event);
                 while (flag.load(std::memory_order_relaxed) == 0) wait_for(w.instance);
             });
}

void epoll_exclusive() { watched_event{EPOLLIN | EPOLLEXCLUSIVE}; }
void epoll_raw() { syscall(SYS_eventfd2, 0, 0); }

} // namespace programs
