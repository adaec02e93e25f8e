// SPDX-License-Identifier: Apache-2.0
// std::condition_variable_any: with locks that are no std::mutex.
#include "programs.hpp"
#include "shared_polls.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace programs {
namespace {

using namespace std::chrono_literals;

struct shared_flag {
    std::shared_mutex m;
    std::condition_variable_any changed;
    bool there = false;

    void wait() {
        std::shared_lock lock(m);
        changed.wait(lock, [&] { return there; });
    }
    void put() {
        const std::unique_lock lock(m);
        there = true;
    }
};

struct own_lock {
    std::atomic<bool> taken{false};
    void lock() {
        while (taken.exchange(true, std::memory_order_acquire)) {
        }
    }
    void unlock() { taken.store(false, std::memory_order_release); }
};

} // namespace

void any_waits_with_a_read_lock() {
    shared_flag f;
    together([&] { f.wait(); }, [&] { f.put(), f.changed.notify_one(); });
}
void any_two_wait_with_read_locks() {
    shared_flag f;
    together([&] { f.wait(); }, [&] { f.wait(); }, [&] { f.put(), f.changed.notify_all(); });
}
void any_waits_with_a_lock_of_its_own() {
    own_lock m;
    std::condition_variable_any changed;
    bool there = false;
    together(
        [&] {
            std::unique_lock lock(m);
            changed.wait(lock, [&] { return there; });
        },
        [&] {
            {
                const std::lock_guard lock(m);
                there = true;
            }
            changed.notify_one();
        });
}
void any_is_notified_before() {
    shared_flag f;
    together([&] { f.wait(); }, [&] { f.changed.notify_one(), f.put(); });
}
void any_changes_without_the_lock() {
    shared_flag f;
    together([&] { f.wait(); },
             [&] {
                 f.there = true;
                 f.changed.notify_one();
             });
}
void any_wait_without_a_loop() {
    shared_flag f;
    together(
        [&] {
            std::shared_lock lock(f.m);
            if (!f.there) f.changed.wait(lock);
            VERIFY_THAT(f.there);
        },
        [&] { f.put(), f.changed.notify_one(); });
}
void any_waits_with_a_time_out() {
    std::mutex m;
    std::condition_variable_any changed;
    bool there = false;
    together(
        [&] {
            std::unique_lock lock(m);
            while (!there) changed.wait_for(lock, 1ms);
        },
        [&] {
            const std::lock_guard lock(m);
            there = true; // without a notification
        });
}
void any_waits_with_a_time_out_for_nothing() {
    std::mutex m;
    std::condition_variable_any changed;
    bool there = false;
    together(
        [&] {
            std::unique_lock lock(m);
            while (!there) changed.wait_for(lock, 1ms);
        },
        [&] { const std::lock_guard lock(m); });
}
void any_is_told_to_stop() {
    std::mutex m;
    std::condition_variable_any changed;
    bool there = false, waited = true;
    {
        const std::jthread waiter([&](std::stop_token stop) {
            std::unique_lock lock(m);
            waited = changed.wait(lock, std::move(stop), [&] { return there; });
        });
    } // which requests it to stop
    VERIFY_THAT(!waited);
}
void any_is_destroyed_by_who_was_woken() {
    std::mutex m;
    auto changed = std::make_unique<std::condition_variable_any>();
    bool there = false;
    together(
        [&] {
            {
                std::unique_lock lock(m);
                changed->wait(lock, [&] { return there; });
            }
            changed.reset();
        },
        [&] {
            const std::lock_guard lock(m);
            there = true;
            changed->notify_one();
        });
}

} // namespace programs
