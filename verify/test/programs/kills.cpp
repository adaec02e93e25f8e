// SPDX-License-Identifier: Apache-2.0
// Programs whose child processes are killed.

#include "kills.hpp"

#include "shared_between.hpp"

#include <ringproof/verify/process.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>

namespace programs {
namespace {

/// Whether the child was killed; otherwise it came to its end.
bool was_killed(pid_t child) {
    int status = -1;
    VERIFY_THAT(waitpid(child, &status, 0) == child);
    VERIFY_THAT((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ||
                (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return WIFSIGNALED(status);
}

struct record {
    int content[2] = {0, 0};
    std::atomic<int> count{0};
};
/// The child writes a record, and is killed. @return whether it was
bool write_and_die(record& r) {
    const pid_t child = start([&] {
        r.content[0] = 5;
        r.content[1] = 5;
        r.count.store(1, std::memory_order_release);
    });
    VERIFY_THAT(kill(child, SIGKILL) == 0);
    return was_killed(child);
}

} // namespace

void kill_between_atomic_writes() {
    auto& n = shared<std::atomic<int>>();
    const pid_t child = start([&] {
        n.store(1);
        n.store(2);
    });
    kill(child, SIGKILL);
    VERIFY_THAT(was_killed(child) || n.load() == 2);
}
void kill_between_plain_writes() {
    auto& r = shared<record>();
    VERIFY_THAT(write_and_die(r) || r.count.load() == 1);
    VERIFY_THAT(r.content[0] == r.content[1]);
}
void record_is_whole_in_spite_of_kill() {
    auto& r = shared<record>();
    VERIFY_THAT(write_and_die(r) || r.count.load() == 1);
    if (r.count.load() == 1) VERIFY_THAT(r.content[0] == 5 && r.content[1] == 5);
}
void kill_ends_an_endless_wait() {
    auto& n = shared<std::atomic<int>>();
    const pid_t child = start([&] {
        n.store(1);
        while (n.load() != 2)
            ;
    });
    kill(child, SIGKILL);
    VERIFY_THAT(was_killed(child));
}
void kill_comes_some_time_later() {
    auto& n = shared<std::array<std::atomic<int>, 2>>();
    const pid_t child = start([&] {
        if (n[0].load() == 1) n[1].store(1);
    });
    kill(child, SIGKILL);
    n[0].store(1);
    was_killed(child);
    VERIFY_THAT(n[1].load() == 0); // the child may have come so far before the signal did
}
void kill_orders_nothing_before_it() {
    auto& n = shared<std::array<std::atomic<int>, 2>>();
    const pid_t child = start([&] { n[0].store(1); });
    if (n[0].load() == 1) kill(child, SIGKILL); // not before the child's access
    VERIFY_THAT(was_killed(child) || n[0].load() == 1);
    VERIFY_THAT(n[0].load() == 1);
}
void kill_with_a_lock_held() {
    auto& lock = shared<pthread_mutex_t>();
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&lock, &kind);
    const pid_t child = start([&] {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    });
    kill(child, SIGKILL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    was_killed(child);
}
void kill_of_own_memory() {
    auto& n = shared<std::atomic<int>>();
    static int global = 0;
    const pid_t child = start([&] {
        int local = 0;
        std::atomic<int> own{0};
        for (int i = 0; i < 3; ++i) local = ++global + own.fetch_add(1);
        n.store(local);
    });
    kill(child, SIGKILL);
    VERIFY_THAT(was_killed(child) || n.load() == 5);
}
void kill_of_a_process_with_threads() {
    auto& n = shared<std::atomic<int>>();
    const pid_t child = start([&] {
        std::thread other([&] { n.fetch_add(1); });
        n.fetch_add(1);
        other.join();
    });
    kill(child, SIGKILL);
    was_killed(child);
}
void kill_of_itself() {
    auto& n = shared<std::atomic<int>>();
    const pid_t child = start([&] {
        n.store(1);
        raise(SIGKILL);
        n.store(2);
    });
    VERIFY_THAT(was_killed(child) && n.load() == 1);
}
void kill_of_a_process_that_is_gone() {
    const pid_t child = start([] {});
    VERIFY_THAT(kill(child, 0) == 0);
    VERIFY_THAT(!was_killed(child));
    VERIFY_THAT(kill(child, 0) == -1 && errno == ESRCH);
    VERIFY_THAT(kill(child, SIGKILL) == -1 && errno == ESRCH);
}
void kill_by_another_signal() {
    const pid_t child = start([] {});
    kill(child, SIGTERM);
}
void child_may_be_killed() {
    auto& n = shared<std::atomic<int>>();
    const pid_t child = start([&] {
        n.store(1);
        n.store(2);
    });
    ringproof_may_be_killed(child);
    VERIFY_THAT(was_killed(child) || n.load() == 2);
}
void child_that_may_be_killed_waits_in_vain() {
    auto& n = shared<std::atomic<int>>();
    const pid_t child = start([&] {
        while (n.load() != 2)
            ;
    });
    ringproof_may_be_killed(child);
    was_killed(child);
}
void child_is_polled_until_it_ends() {
    auto& n = shared<int>();
    const pid_t child = start([&] { n = 1; });
    int status = -1;
    pid_t ended = 0;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0)
        ;
    VERIFY_THAT(ended == child && WIFEXITED(status) && n == 1);
}
void state_of_a_process_is_read() {
    auto& n = shared<int>();
    const pid_t child = start([&] { n = 1; });
    char path[32], text[128] = "";
    std::snprintf(path, sizeof path, "/proc/%d/stat", child);
    const int file = open(path, O_RDONLY);
    VERIFY_THAT(file >= 0 && read(file, text, sizeof text - 1) > 0);
    close(file);
    const char* const state = std::strrchr(text, ')');
    VERIFY_THAT(state != nullptr && (state[2] == 'R' || state[2] == 'Z'));
    if (state[2] == 'Z') VERIFY_THAT(n == 1); // no race
    was_killed(child);
    VERIFY_THAT(open(path, O_RDONLY) == -1);
}
void two_processes_are_killed() {
    auto& n = shared<std::array<std::atomic<int>, 2>>();
    const pid_t one = start([&] { n[0].store(1); });
    kill(one, SIGKILL);
    const pid_t other = start([&] { n[1].store(1); });
    kill(other, SIGKILL);
    VERIFY_THAT(was_killed(one) || n[0].load() == 1);
    VERIFY_THAT(was_killed(other) || n[1].load() == 1);
}

killed_program generated;
std::uint64_t generated_end = 0;

namespace {

struct memory {
    std::atomic<int> atomics[3];
    int plain[3];
};
void make(memory& m, const access& a, std::uint64_t& seen) {
    const bool o = a.ordered;
    std::atomic<int>& at = m.atomics[a.location];
    switch (a.kind) {
    case access::what::load:
        seen = seen * 8 +
               static_cast<unsigned>(at.load(o ? std::memory_order_acquire : std::memory_order_relaxed));
        break;
    case access::what::store:
        at.store(a.value, o ? std::memory_order_release : std::memory_order_relaxed);
        break;
    case access::what::add:
        seen = seen * 8 + static_cast<unsigned>(at.fetch_add(a.value, o ? std::memory_order_acq_rel
                                                                        : std::memory_order_relaxed));
        break;
    case access::what::plain_write:
        m.plain[a.location] = a.value;
        break;
    }
}

} // namespace

void run_generated() {
    auto& m = shared<memory>();
    const pid_t child = start([&] {
        std::uint64_t seen = 0;
        for (unsigned i = 0; i < generated.length; ++i) make(m, generated.child[i], seen);
    });
    if (generated.kill) kill(child, SIGKILL);
    if (generated.may_die) ringproof_may_be_killed(child);
    std::uint64_t seen = 0;
    for (const access& a : generated.parent) make(m, a, seen);
    waitpid(child, nullptr, 0);
    for (const std::atomic<int>& a : m.atomics)
        seen = seen * 8 + static_cast<unsigned>(a.load(std::memory_order_relaxed));
    for (const int p : m.plain) seen = seen * 8 + static_cast<unsigned>(p);
    generated_end = seen;
}

} // namespace programs
