// SPDX-License-Identifier: Apache-2.0
// Threads that meet at pthread_barrier_wait().

#include "barriers.hpp"

#include <ringproof/verify/verify.hpp>

#include <array>
#include <atomic>
#include <pthread.h>
#include <thread>

namespace programs {
namespace {

using enum std::memory_order;

pthread_barrier_t barrier;
int left[3], last_one;
std::array<std::atomic<int>, 4> came;

void meet() { pthread_barrier_wait(&barrier); }

/// Two threads of four meet, and then the other two. The first may meet any of them.
void meet_in_pairs() {
    for (auto& c : came) c.store(0, relaxed);
    const auto comes = [](std::size_t i) {
        came[i].store(1, relaxed);
        meet();
        if (i != 0) return;
        const bool met = came[3].load(relaxed) == 1;
        VERIFY_THAT(!met || came[1].load(relaxed) == 1 || came[2].load(relaxed) == 1);
    };
    std::thread a(comes, 0), b(comes, 1), c(comes, 2), d(comes, 3);
    a.join(), b.join(), c.join(), d.join();
}

} // namespace

/// @param second_round without it, what one thread writes behind the first races with what the others read
static void hand_over(bool second_round) {
    pthread_barrier_init(&barrier, nullptr, 3);
    const auto comes = [second_round](std::size_t i) {
        left[i] = 1;
        meet();
        VERIFY_THAT(left[0] + left[1] + left[2] == 3);
        if (second_round) meet();
        left[i] = 2;
    };
    std::thread a(comes, 0), b(comes, 1), c(comes, 2);
    a.join(), b.join(), c.join();
    pthread_barrier_destroy(&barrier);
}
void barriers_hand_over_twice() { hand_over(true); }
void barriers_hand_over_too_early() { hand_over(false); }

/// @param never who is not told to have come last, which is wrong
static void tells_the_last(int never) {
    pthread_barrier_init(&barrier, nullptr, 2);
    const auto comes = [](int i) {
        if (pthread_barrier_wait(&barrier) != 0) last_one = i; // PTHREAD_BARRIER_SERIAL_THREAD
    };
    std::thread a(comes, 1), b(comes, 2);
    a.join(), b.join();
    pthread_barrier_destroy(&barrier);
    VERIFY_THAT(last_one != never);
}
void barriers_tell_the_first_that_it_was_last() { tells_the_last(1); }
void barriers_tell_the_second_that_it_was_last() { tells_the_last(2); }

void barriers_for_fewer_than_come() {
    pthread_barrier_init(&barrier, nullptr, 2);
    meet_in_pairs();
    pthread_barrier_destroy(&barrier);
}

/// Two threads of three come once, one twice: it waits for ever where the two meet each other.
void barriers_for_two_of_three() {
    pthread_barrier_init(&barrier, nullptr, 2);
    std::thread a(meet), b([] { meet(), meet(); }), c(meet);
    a.join(), b.join(), c.join();
    pthread_barrier_destroy(&barrier);
}

/// As many as use it at first, in the same round; then it is another barrier, for fewer.
void barriers_are_made_anew_for_fewer() {
    pthread_barrier_init(&barrier, nullptr, 4);
    std::array<std::thread, 4> first;
    for (auto& t : first) t = std::thread(meet);
    for (auto& t : first) t.join();
    pthread_barrier_destroy(&barrier);
    pthread_barrier_init(&barrier, nullptr, 2);
    meet_in_pairs();
    pthread_barrier_destroy(&barrier);
}

} // namespace programs
