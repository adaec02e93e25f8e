// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include "../programs/programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace programs {
namespace {

using ringproof::verify::cover;

sigset_t set_of(int one, int other = 0) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, one);
    if (other != 0) sigaddset(&set, other);
    return set;
}
int blocked_signalfd(int one, int other = 0, int flags = 0) {
    const sigset_t set = set_of(one, other);
    VERIFY_THAT(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0);
    return signalfd(-1, &set, flags);
}
unsigned received(int file) {
    signalfd_siginfo info{};
    VERIFY_THAT(read(file, &info, sizeof info) == sizeof info);
    return info.ssi_signo;
}
void send(int signal) { VERIFY_THAT(kill(getpid(), signal) == 0); }

} // namespace

void signal_publishes() {
    const int file = blocked_signalfd(SIGUSR1);
    int data = 0;
    together([&] { data = 1, send(SIGUSR1); }, [&] { VERIFY_THAT(received(file) == SIGUSR1 && data == 1); });
}
void signal_never_sent() { received(blocked_signalfd(SIGUSR1)); }
void signal_of_another_set() {
    const int file = blocked_signalfd(SIGUSR1);
    const sigset_t other = set_of(SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &other, nullptr);
    send(SIGUSR2);
    received(file);
}
/// Two children may end before the parent reads one SIGCHLD: it has to look for more than one then.
void signals_come_together() {
    const int file = blocked_signalfd(SIGCHLD);
    together([] { send(SIGCHLD); }, [] { send(SIGCHLD); },
             [&] {
                 received(file);
                 received(file);
             });
}
void signals_of_two_kinds() {
    const int file = blocked_signalfd(SIGUSR1, SIGUSR2);
    send(SIGUSR2);
    send(SIGUSR1);
    signalfd_siginfo both[2];
    VERIFY_THAT(read(file, both, sizeof both) == sizeof both);
    VERIFY_THAT(both[0].ssi_signo == SIGUSR1 && both[1].ssi_signo == SIGUSR2);
}
void signal_looked_at() {
    const int file = blocked_signalfd(SIGUSR1, 0, SFD_NONBLOCK);
    signalfd_siginfo info{};
    VERIFY_THAT(read(file, &info, sizeof info) == -1 && errno == EAGAIN);
    VERIFY_THAT(read(file, &info, 1) == -1 && errno == EINVAL);
    send(SIGUSR1);
    send(SIGUSR1); // pending, so that it is not sent once more
    VERIFY_THAT(received(file) == SIGUSR1);
    VERIFY_THAT(read(file, &info, sizeof info) == -1 && errno == EAGAIN);
}
void signal_polled() {
    const int files[] = {blocked_signalfd(SIGUSR1), blocked_signalfd(SIGUSR2)};
    together([] { send(SIGUSR2); },
             [&] {
                 pollfd two[] = {{files[0], POLLIN, 0}, {files[1], POLLIN, 0}};
                 VERIFY_THAT(poll(two, 2, -1) == 1 && two[1].revents == POLLIN && two[0].revents == 0);
                 VERIFY_THAT(received(files[1]) == SIGUSR2);
             });
}
void signal_in_epoll() {
    const int file = blocked_signalfd(SIGUSR1), instance = epoll_create1(0);
    epoll_event e{};
    e.events = EPOLLIN | EPOLLET;
    VERIFY_THAT(epoll_ctl(instance, EPOLL_CTL_ADD, file, &e) == 0);
    together([] { send(SIGUSR1); },
             [&] {
                 while (epoll_wait(instance, &e, 1, -1) != 1) continue; // EINTR
                 VERIFY_THAT(received(file) == SIGUSR1);
             });
}
void signal_not_blocked() { send(SIGUSR1); }
void signal_unblocked_while_pending() {
    blocked_signalfd(SIGUSR1);
    send(SIGUSR1);
    const sigset_t set = set_of(SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}
void signal_unblocked_by_a_thread() {
    const int file = blocked_signalfd(SIGUSR1);
    together([] { send(SIGUSR1); },
             [&] {
                 const sigset_t set = set_of(SIGUSR1);
                 pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
             });
    close(file);
}
void masks_are_inherited() {
    const sigset_t set = set_of(SIGUSR1);
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &set, &before);
    VERIFY_THAT(sigismember(&before, SIGUSR1) == 0);
    const auto look = [] {
        sigset_t now;
        pthread_sigmask(SIG_SETMASK, nullptr, &now);
        VERIFY_THAT(sigismember(&now, SIGUSR1) == 1);
    };
    together(look, look);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    sigprocmask(SIG_BLOCK, nullptr, &before);
    VERIFY_THAT(sigismember(&before, SIGUSR1) == 0);
}
void signal_waited_for() {
    const sigset_t set = set_of(SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    int data = 0;
    together([&] { data = 1, send(SIGUSR1); },
             [&] {
                 int signal = 0;
                 VERIFY_THAT(sigwait(&set, &signal) == 0 && signal == SIGUSR1 && data == 1);
             });
}
void signal_waited_for_in_vain() {
    const sigset_t set = set_of(SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    sigwaitinfo(&set, nullptr);
}
void signal_waited_for_a_while() {
    const sigset_t set = set_of(SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    together([] { send(SIGUSR1); },
             [&] {
                 const timespec a_second{1, 0};
                 cover(sigtimedwait(&set, nullptr, &a_second) == SIGUSR1 ? "sent" : "timed out");
             });
}
void signal_raised() {
    blocked_signalfd(SIGUSR1);
    raise(SIGUSR1);
}
void signals_changed() {
    const int file = blocked_signalfd(SIGUSR1);
    const sigset_t set = set_of(SIGUSR2);
    signalfd(file, &set, 0);
}

} // namespace programs
