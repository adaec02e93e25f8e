// SPDX-License-Identifier: Apache-2.0
#include "rounds.hpp"

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace programs {

using enum std::memory_order;

namespace {

std::atomic<int> begun, flag, told, later;
int data, rounds_seen;
char text[8];
constexpr unsigned seed = 7;

/// The writer begins only when the other thread waits, so that no read of the flag's old value comes late.
template <class Wait>
void writes_under(int taken, int free, Wait wait) {
    begun.store(0, relaxed);
    flag.store(taken, relaxed);
    together(
        [=] {
            begun.store(1, release);
            wait();
        },
        [=] {
            while (begun.load(acquire) == 0) ringproof::verify::pause();
            data = 1;
            flag.store(free, release);
        });
}

} // namespace

void plain_look_while_waiting() {
    writes_under(0, 1, [] {
        int seen = 0;
        while (flag.load(acquire) == 0) seen = data;
        told.store(seen, relaxed);
    });
}

void plain_look_while_spinning() {
    writes_under(1, 0, [] {
        int seen = 0;
        while (flag.exchange(1, acquire) != 0) seen = data;
        told.store(seen, relaxed);
    });
}

namespace {

volatile int twice = 2; ///< nothing that a compiler knows: each round of the loop is at the same place

/// Not inlined: when it returns, registers and stack are what they were, however many rounds it took.
template <class Round>
[[gnu::noinline]] int look_twice(Round round) {
    int rounds = 0;
    const int most = twice;
    while (rounds < most && flag.load(relaxed) == 0) {
        ++rounds;
        round();
    }
    return rounds;
}

/// At the store behind the wait, the checker looks for the execution without the round; `behind` tells them apart.
template <class Round, class Behind>
void wait_up_to_twice(Round round, Behind behind) {
    flag.store(0, relaxed);
    together([] { flag.store(1, relaxed); },
             [=] {
                 std::srand(seed);
                 look_twice(round);
                 later.store(1, relaxed);
                 behind();
             });
}

bool one_was_drawn() {
    const int next = std::rand();
    std::srand(seed);
    std::rand();
    return next == std::rand();
}

} // namespace

void round_draws_a_number() {
    wait_up_to_twice([] { std::rand(); }, [] { VERIFY_THAT(!one_was_drawn()); });
}

void round_counts_in_memory() {
    rounds_seen = 0;
    wait_up_to_twice([] { ++rounds_seen; }, [] { VERIFY_THAT(rounds_seen != 1); });
}

void round_leaves_a_mark() {
    flag.store(0, relaxed);
    together([] { flag.store(1, relaxed); },
             [] {
                 rounds_seen = 0;
                 while (flag.load(relaxed) == 0) rounds_seen = 1;
                 VERIFY_THAT(rounds_seen != 1);
             });
}

void round_is_stored_as_a_count() {
    flag.store(0, relaxed);
    together([] { flag.store(1, relaxed); },
             [] {
                 told.store(look_twice([] {}), relaxed);
                 later.store(1, relaxed);
             });
    VERIFY_THAT(told.load(relaxed) != 1);
}

namespace {
[[gnu::noinline]] void allocate() {
    char* volatile taken = static_cast<char*>(std::malloc(16));
    static_cast<void>(taken);
}
std::uintptr_t address_of_next() { return reinterpret_cast<std::uintptr_t>(std::malloc(16)); }
} // namespace

void round_saves_an_allocation() {
    static bool warned;
    warned = false;
    flag.store(0, relaxed);
    together([] { flag.store(1, relaxed); },
             [] {
                 const std::uintptr_t first = address_of_next(), second = address_of_next();
                 while (flag.load(relaxed) == 0) warned = true;
                 if (!warned) {
                     allocate();
                     warned = true;
                 }
                 later.store(1, relaxed);
                 VERIFY_THAT(address_of_next() - second != second - first);
             });
}

void spinning_draws_a_number() {
    constexpr unsigned other = 8; // from the second round on, nothing changes any more
    flag.store(1, relaxed);
    together([] { flag.store(0, release); },
             [] {
                 std::srand(seed);
                 while (flag.exchange(1, acquire) != 0) std::srand(other);
                 const int next = std::rand();
                 std::srand(other);
                 VERIFY_THAT(next != std::rand());
             });
}

namespace {
void print() { std::snprintf(text, sizeof text, "%d", 7); }

/// `loop` waits for the flag, or changes it; one that prints on the way has printed when it is over.
template <class Loop>
void prints_in(Loop loop) {
    text[0] = '\0';
    flag.store(0, relaxed);
    together([] { flag.store(1, relaxed); },
             [=] {
                 loop();
                 later.store(1, relaxed);
                 VERIFY_THAT(text[0] == '\0');
             });
}
} // namespace

void waiting_prints() {
    prints_in([] {
        while (flag.load(relaxed) == 0) print();
    });
}

void waiting_before_prints() {
    text[0] = '\0';
    writes_under(0, 1, [] {
        while (flag.load(acquire) == 0) print();
        later.store(1, relaxed);
        VERIFY_THAT(text[0] == '\0');
    });
}

void trying_again_prints() {
    prints_in([] {
        int seen = flag.load(relaxed);
        while (!flag.compare_exchange_strong(seen, seen + 2, relaxed)) print();
    });
}

void looking_again_prints() {
    prints_in([] {
        for (;;) {
            int seen = flag.load(relaxed);
            if (flag.compare_exchange_strong(seen, seen + 2, relaxed)) return;
            print();
        }
    });
}

void spinning_prints() {
    text[0] = '\0';
    flag.store(1, relaxed);
    together([] { flag.store(0, release); },
             [] {
                 while (flag.exchange(1, acquire) != 0) print();
                 VERIFY_THAT(text[0] == '\0');
             });
}

} // namespace programs
