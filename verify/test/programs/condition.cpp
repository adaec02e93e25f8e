// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <condition_variable>
#include <mutex>

namespace programs {
namespace {

struct shared {
    std::mutex m;
    std::condition_variable changed;
    int value = 0;
};

void set(shared& s, int value) {
    const std::lock_guard lock(s.m);
    s.value = value;
}

void await(shared& s, int value) {
    std::unique_lock lock(s.m);
    s.changed.wait(lock, [&] { return s.value == value; });
}

} // namespace

void handover() {
    shared s;
    together([&] { await(s, 1); }, [&] { set(s, 1), s.changed.notify_one(); });
}

void handover_without_lock() {
    shared s;
    together([&] { await(s, 1); }, [&] { s.value = 1, s.changed.notify_one(); });
}

void signal_before_wait() {
    shared s;
    together([&] { await(s, 1); }, [&] { s.changed.notify_one(), set(s, 1); });
}

void one_of_two_is_woken() {
    shared s;
    together([&] { await(s, 1); }, [&] { await(s, 1); }, [&] { set(s, 1), s.changed.notify_one(); });
}

void all_of_two_are_woken() {
    shared s;
    together([&] { await(s, 1); }, [&] { await(s, 1); }, [&] { set(s, 1), s.changed.notify_all(); });
}

namespace {

/** The first thread waits for 1 and makes it 2, the second waits for 2; where both wait, the third makes it 1. */
void one_after_another(void (std::condition_variable::*notify)()) {
    shared s;
    int waiting = 0;
    together(
        [&] {
            std::unique_lock lock(s.m);
            ++waiting;
            s.changed.wait(lock, [&] { return s.value != 0; });
            s.value = 2;
            s.changed.notify_all();
        },
        [&] {
            std::unique_lock lock(s.m);
            ++waiting;
            s.changed.wait(lock, [&] { return s.value == 2; });
        },
        [&] {
            std::unique_lock lock(s.m);
            s.value = waiting == 2 ? 1 : 2;
            (s.changed.*notify)();
        });
}

} // namespace

void wrong_one_is_woken() { one_after_another(&std::condition_variable::notify_one); }

void right_one_is_woken_too() { one_after_another(&std::condition_variable::notify_all); }

void wait_without_a_loop() {
    shared s;
    together(
        [&] {
            std::unique_lock lock(s.m);
            if (s.value == 0) s.changed.wait(lock);
            VERIFY_THAT(s.value == 1);
        },
        [&] { set(s, 1), s.changed.notify_one(); });
}

void wait_without_mutex() {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_cond_wait(&c, &m);
}

void timed_wait_ends() {
    shared s;
    bool seen = false;
    together(
        [&] {
            std::unique_lock lock(s.m);
            seen = s.changed.wait_for(lock, std::chrono::milliseconds(1), [&] { return s.value == 1; });
        },
        [&] { set(s, 1), s.changed.notify_one(); });
    ringproof::verify::cover(seen ? "seen" : "timed out");
}

void timed_wait_orders_nothing() {
    shared s;
    int data = 0;
    together(
        [&] {
            std::unique_lock lock(s.m);
            s.changed.wait_for(lock, std::chrono::milliseconds(1));
            data = 1;
        },
        [&] { data = 2, s.changed.notify_one(); });
}

void condition_variable_any_handover() {
    std::mutex m;
    std::condition_variable_any changed;
    int value = 0;
    together(
        [&] {
            std::unique_lock lock(m);
            changed.wait(lock, [&] { return value == 1; });
        },
        [&] {
            {
                const std::lock_guard lock(m);
                value = 1;
            }
            changed.notify_one();
        });
}

void buffer_of_one_slot() {
    shared s;
    std::condition_variable emptied;
    together(
        [&] {
            for (int i = 1; i <= 2; ++i) {
                std::unique_lock lock(s.m);
                emptied.wait(lock, [&] { return s.value == 0; });
                s.value = i;
                s.changed.notify_one();
            }
        },
        [&] {
            for (int i = 1; i <= 2; ++i) {
                std::unique_lock lock(s.m);
                s.changed.wait(lock, [&] { return s.value != 0; });
                VERIFY_THAT(s.value == i);
                s.value = 0;
                emptied.notify_one();
            }
        });
}

} // namespace programs
