// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include "../programs/programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace programs {
namespace {

using ringproof::verify::cover;

constexpr itimerspec one_second{{0, 0}, {1, 0}}, each_second{{1, 0}, {1, 0}}, off{{0, 0}, {0, 0}};

void set(int timer, const itimerspec& to) { VERIFY_THAT(timerfd_settime(timer, 0, &to, nullptr) == 0); }
std::uint64_t expirations(int timer) {
    std::uint64_t count = 0;
    VERIFY_THAT(read(timer, &count, sizeof count) == sizeof count);
    return count;
}
int watching(int file, unsigned how) {
    const int instance = epoll_create1(0);
    epoll_event e{};
    e.events = how;
    e.data.fd = file;
    VERIFY_THAT(epoll_ctl(instance, EPOLL_CTL_ADD, file, &e) == 0);
    return instance;
}
int reported(int instance) {
    epoll_event e{};
    while (epoll_wait(instance, &e, 1, -1) != 1) continue; // EINTR
    return e.data.fd;
}

} // namespace

void timer_publishes() {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    int data = 0;
    together([&] { data = 1, set(timer, one_second); },
             [&] { VERIFY_THAT(expirations(timer) == 1 && data == 1); });
}
void timer_never_set() { expirations(timerfd_create(CLOCK_MONOTONIC, 0)); }
void timer_disarmed() {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    set(timer, one_second);
    set(timer, off);
    expirations(timer);
}
void timer_read_by_two() {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    set(timer, one_second);
    together([&] { expirations(timer); }, [&] { expirations(timer); });
}
void timer_expires_again() {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    set(timer, each_second);
    const std::uint64_t first = expirations(timer), second = expirations(timer);
    cover(first == 1 ? "once" : "twice");
    cover(second == 1 ? "then once" : "then twice");
}
void timer_looked_at() {
    const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    std::uint64_t count = 0;
    VERIFY_THAT(read(timer, &count, sizeof count) == -1 && errno == EAGAIN);
    set(timer, one_second);
    const ssize_t n = read(timer, &count, sizeof count);
    cover(n == sizeof count ? "expired" : "not yet");
    VERIFY_THAT(n == sizeof count || errno == EAGAIN);
}
void timer_polled() {
    const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    set(timer, one_second);
    pollfd one{timer, POLLIN, 0};
    VERIFY_THAT(poll(&one, 1, -1) == 1 && one.revents == POLLIN);
    VERIFY_THAT(expirations(timer) == 1);
    cover(poll(&one, 1, 0) == 0 ? "read" : "still there");
}
void timer_polled_once() {
    const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    set(timer, one_second);
    pollfd one{timer, POLLIN, 0};
    cover(poll(&one, 1, 0) == 1 ? "expired" : "not yet");
}

void timer_looked_at_until_it_expires() {
    const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    set(timer, one_second);
    std::uint64_t count = 0;
    while (read(timer, &count, sizeof count) != sizeof count) continue;
    VERIFY_THAT(count == 1);
}

namespace {
/// A worker that waits for work, or for its timer.
void wait_for_either(bool armed, bool work) {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0), event = eventfd(0, 0);
    if (armed) set(timer, one_second);
    together([&] { work ? void(eventfd_write(event, 1)) : void(); },
             [&] {
                 pollfd two[] = {{timer, POLLIN, 0}, {event, POLLIN, 0}};
                 const int n = poll(two, 2, -1);
                 VERIFY_THAT(n > 0);
                 cover(n == 2 ? "both" : two[0].revents ? "the timer" : "the event");
             });
}
void epoll_either(bool armed, bool work) {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0), event = eventfd(0, 0);
    const int instance = watching(timer, EPOLLIN);
    epoll_event e{};
    e.events = EPOLLIN;
    e.data.fd = event;
    epoll_ctl(instance, EPOLL_CTL_ADD, event, &e);
    together(
        [&] {
            if (armed) set(timer, one_second);
            if (work) eventfd_write(event, 1);
        },
        [&] { cover(reported(instance) == timer ? "the timer" : "the event"); });
}
} // namespace
void timer_or_event() { wait_for_either(true, true); }
void timer_beside_a_silent_event() { wait_for_either(true, false); }
void silent_timer_and_event() { wait_for_either(false, false); }
void epoll_timer_or_event() { epoll_either(true, true); }
void epoll_timer_beside_a_silent_event() { epoll_either(true, false); }
void epoll_silent_timer_and_event() { epoll_either(false, false); }

/// An edge-triggered timer that expires once is reported once, though it is not read.
void epoll_timer_edge() {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0), instance = watching(timer, EPOLLIN | EPOLLET);
    set(timer, one_second);
    VERIFY_THAT(reported(instance) == timer);
    reported(instance);
}
void epoll_timer_edge_set_again() {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0), instance = watching(timer, EPOLLIN | EPOLLET);
    set(timer, one_second);
    VERIFY_THAT(reported(instance) == timer);
    set(timer, one_second);
    VERIFY_THAT(reported(instance) == timer);
}
void epoll_timer_edge_periodic() {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0), instance = watching(timer, EPOLLIN | EPOLLET);
    set(timer, each_second);
    reported(instance);
}
void timer_asked_what_remains() {
    itimerspec now{};
    timerfd_gettime(timerfd_create(CLOCK_MONOTONIC, 0), &now);
}
void timer_is_not_written() {
    const std::uint64_t one = 1;
    VERIFY_THAT(write(timerfd_create(CLOCK_MONOTONIC, 0), &one, sizeof one) == -1 && errno == EINVAL);
}

} // namespace programs
