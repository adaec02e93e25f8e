// SPDX-License-Identifier: Apache-2.0
// Threads wait for a message on a condition variable.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#ifndef WAITERS
#define WAITERS 1
#endif
#ifndef NOTIFY
#define NOTIFY notify_all
#endif

std::mutex m;
std::condition_variable changed;
int message;

static void wait() {
    std::unique_lock<std::mutex> held(m);
#if defined(ONCE)
    changed.wait(held); // although the message may be there already
#elif defined(TIMED)
    changed.wait_for(held, std::chrono::milliseconds(10), [] { return message != 0; });
    assert(message == 0 || message == 42);
#ifdef IN_TIME
    assert(message == 42);
#endif
#else
    changed.wait(held, [] { return message != 0; });
    assert(message == 42);
#endif
}

int main() {
    std::thread waiters[WAITERS];
    for (std::thread& t : waiters) t = std::thread(wait);
    {
#ifndef NO_LOCK
        const std::lock_guard<std::mutex> held(m);
#endif
        message = 42;
    }
    changed.NOTIFY();
    for (std::thread& t : waiters) t.join();
}
