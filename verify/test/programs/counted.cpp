// SPDX-License-Identifier: Apache-2.0
// Loops that wait, yield, and count.

#include "programs.hpp"

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>

namespace programs {
namespace {

std::atomic<int> word, parked;
int guarded;

/// One thread gives the word back; the other takes it within 100 attempts, or parks.
void take_or_park() {
    word = 1;
    parked = 0;
    together([] { word.store(0); },
             [] {
                 for (int i = 0; i < 100; ++i) {
                     int expected = 0;
                     if (word.compare_exchange_strong(expected, 2)) return;
                     std::this_thread::yield();
                 }
                 parked.store(1);
             });
}

} // namespace

// What a test hardly ever meets: all 100 attempts fail.
void spins_then_parks() {
    take_or_park();
    VERIFY_THAT(parked == 0);
}

void spins_then_parks_right() {
    take_or_park();
    VERIFY_THAT(parked == 1 || word == 2);
}

void sleeps_then_gives_up() {
    word = 0;
    parked = 0;
    together([] { word.store(1); },
             [] {
                 for (int i = 0; i < 50 && word.load() == 0; ++i)
                     std::this_thread::sleep_for(std::chrono::milliseconds(1));
                 if (word.load() == 0) parked.store(1);
             });
    VERIFY_THAT(parked == 0);
}

// Each attempt looks at another place, so that the first ones tell nothing of those that follow.
void looks_at_many_places() {
    static std::atomic<int> places[8];
    for (std::atomic<int>& place : places) place.store(0);
    parked = 0;
    together([] { places[5].store(1); },
             [] {
                 for (int i = 0; i < 8; ++i) {
                     if (places[i].load() != 0) return parked.store(i);
                     std::this_thread::yield();
                 }
             });
    VERIFY_THAT(parked != 5);
}

// Whether it had to wait is told by a variable that each later iteration leaves alone.
void tells_that_it_waited() {
    word = 0;
    std::thread writer([] { word.store(1); });
    bool waited = false;
    while (word.load() == 0) {
        waited = true;
        std::this_thread::yield();
    }
    writer.join();
    VERIFY_THAT(!waited);
}

// It pauses twice as long each time, up to a bound.
void backs_off() {
    word = 0;
    guarded = 0;
    const auto add = [] {
        unsigned pauses = 1;
        while (word.exchange(1, std::memory_order_acquire) != 0) {
            for (unsigned i = 0; i < pauses; ++i) asm volatile("");
            if (pauses < 64) pauses *= 2;
            std::this_thread::yield();
        }
        ++guarded;
        word.store(0, std::memory_order_release);
    };
    together(add, add);
    VERIFY_THAT(guarded == 2);
}

// How often it went round is told at the end: a bound on that cannot be found by exploring two iterations.
void counts_without_end() {
    word = 0;
    std::thread writer([] { word.store(1); });
    long rounds = 0;
    while (word.load() == 0) {
        ++rounds;
        std::this_thread::yield();
    }
    writer.join();
    VERIFY_THAT(rounds >= 0);
    asm volatile("" : : "r"(rounds));
}

// The count is dead when the loop is left.
void counts_for_itself_alone() {
    word = 0;
    const auto wait = [] {
        for (long rounds = 0; word.load() == 0; ++rounds) {
            if (rounds % 2 != 0) asm volatile("");
            std::this_thread::yield();
        }
    };
    together([] { word.store(1); }, wait);
}

} // namespace programs
