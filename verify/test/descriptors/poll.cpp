// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include "../programs/programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

namespace programs {
namespace {

void add(int file) { VERIFY_THAT(eventfd_write(file, 1) == 0); }

} // namespace

void poll_publishes() {
    const int event = eventfd(0, 0);
    int data = 0;
    together([&] { data = 1, add(event); },
             [&] {
                 pollfd one{event, POLLIN, 0};
                 VERIFY_THAT(poll(&one, 1, -1) == 1 && one.revents == POLLIN);
                 VERIFY_THAT(data == 1);
             });
}

void poll_of_zero_orders_nothing() {
    const int event = eventfd(0, 0);
    int data = 0;
    together([&] { data = 1, add(event); },
             [&] {
                 pollfd one{event, POLLIN, 0};
                 if (poll(&one, 1, 0) == 1) VERIFY_THAT(data == 1);
             });
}

void poll_again_and_again() {
    const int event = eventfd(0, 0);
    together([&] { add(event); },
             [&] {
                 pollfd one{event, POLLIN, 0};
                 while (poll(&one, 1, 0) == 0) continue;
             });
}

namespace {
void poll_two(bool written) {
    const int events[] = {eventfd(0, 0), eventfd(0, 0)};
    int data[2] = {};
    const auto writer = [&](int i) { return [&, i] { data[i] = 1, written ? add(events[i]) : void(); }; };
    together(writer(0), writer(1), [&] {
        pollfd two[] = {{events[0], POLLIN, 0}, {events[1], POLLIN, 0}, {-1, POLLIN, 0}};
        const int n = poll(two, 3, -1);
        VERIFY_THAT(n == (two[0].revents == POLLIN) + (two[1].revents == POLLIN) && n > 0);
        VERIFY_THAT(two[2].revents == 0);
        std::uint64_t value = 0;
        for (int i = 0; i < 2; ++i)
            if (two[i].revents) VERIFY_THAT(eventfd_read(events[i], &value) == 0 && data[i] == 1);
        ringproof::verify::cover(n == 2 ? "both" : two[0].revents ? "the first" : "the second");
    });
}
} // namespace

void poll_of_two() { poll_two(true); }
void poll_of_two_never_written() { poll_two(false); }

void poll_times_out_or_not() {
    const int event = eventfd(0, 0);
    together([&] { add(event); },
             [&] {
                 pollfd one{event, POLLIN, 0};
                 ringproof::verify::cover(poll(&one, 1, 10) == 1 ? "ready" : "timed out");
             });
}

void poll_looks_again_after_a_time_out() {
    const int event = eventfd(0, 0);
    std::atomic<int> work{0};
    together([&] { work.store(1, std::memory_order_release); },
             [&] {
                 pollfd one{event, POLLIN, 0};
                 while (work.load(std::memory_order_acquire) == 0) poll(&one, 1, 10);
             });
}

void poll_sees_the_other_end_close() {
    int ends[2];
    VERIFY_THAT(pipe(ends) == 0);
    together([&] { close(ends[1]); },
             [&] {
                 pollfd one{ends[0], POLLIN, 0};
                 VERIFY_THAT(poll(&one, 1, -1) == 1 && one.revents == POLLHUP);
             });
    pollfd one{ends[0], POLLIN, 0};
    VERIFY_THAT(poll(&one, 1, 0) == 1 && one.revents == POLLHUP);
}

void select_of_two() {
    const int event = eventfd(0, 0);
    int ends[2];
    VERIFY_THAT(pipe(ends) == 0);
    together([&] { add(event); },
             [&] {
                 fd_set in, out;
                 FD_ZERO(&in);
                 FD_ZERO(&out);
                 FD_SET(event, &in);
                 FD_SET(ends[0], &in);
                 const int most = (event > ends[0] ? event : ends[0]) + 1;
                 VERIFY_THAT(select(most, &in, &out, nullptr, nullptr) == 1);
                 VERIFY_THAT(FD_ISSET(event, &in) && !FD_ISSET(ends[0], &in));
             });
}

} // namespace programs
