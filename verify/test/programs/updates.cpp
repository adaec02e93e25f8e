// SPDX-License-Identifier: Apache-2.0
#include "updates.hpp"

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <barrier>
#include <latch>
#include <thread>

namespace programs {
namespace {

using enum std::memory_order;

const char* name_of(int sum) {
    static constexpr const char* names[] = {"0", "1", "2", "3"};
    return names[sum];
}

} // namespace

void updates_of_four() {
    std::atomic<int> hits{0};
    const auto hit = [&] { hits.fetch_add(1, relaxed); };
    together(hit, hit, hit, [&] { hits.fetch_sub(1, release); });
    VERIFY_THAT(hits == 2);
}

void updates_with_bits() {
    std::atomic<unsigned> seen{0};
    together([&] { seen.fetch_or(1, relaxed); }, [&] { seen.fetch_or(2, relaxed); },
             [&] { seen.fetch_or(4, relaxed); });
    VERIFY_THAT(seen == 7);
}

void updates_then_a_look() { // of the main thread, and more updates behind it
    std::atomic<int> hits{0};
    const auto hit = [&] { hits.fetch_add(1, relaxed); };
    together(hit, hit);
    VERIFY_THAT(hits.load(relaxed) == 2);
    together(hit, hit);
    VERIFY_THAT(hits.load(relaxed) == 4);
}

void updates_that_are_looked_at() {
    std::atomic<int> hits{0};
    const auto hit = [&] { hits.fetch_add(1, relaxed); };
    together(hit, hit, [&] { VERIFY_THAT(hits.load(relaxed) != 1); });
}

/// The result is an index in the call itself, as compilers make of a table of functions at a fixed address.
void updates_that_pick_a_function() {
    static std::atomic<int> last;
    static std::atomic<long> turns;
    static constexpr void (*called[])() = {[] { last.store(1, relaxed); }, [] { last.store(2, relaxed); }};
    last = 0;
    turns = 0;
    const auto take_turn = [] {
        long turn = turns.fetch_add(1, relaxed);
        asm volatile("call *(%1,%0,8)"
                     : "+a"(turn)
                     : "b"(called)
                     : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
    };
    together(take_turn, take_turn);
}

void updates_that_are_used() {
    std::atomic<int> hits{0};
    int before = 0;
    together([&] { hits.fetch_add(1, relaxed); }, [&] { before = hits.fetch_add(1, relaxed); });
    ringproof::verify::cover(before == 0 ? "first" : "second");
}

void updates_that_are_looked_at_if() { // what the first execution does not show
    std::atomic<int> hits{0};
    std::atomic<bool> look{false};
    together([&] { hits.fetch_add(1, relaxed); }, [&] { hits.fetch_add(2, relaxed); },
             [&] {
                 if (look.load(relaxed)) ringproof::verify::cover(name_of(hits.load(relaxed)));
             },
             [&] { look.store(true, relaxed); });
}

void updates_that_are_used_if() {
    std::atomic<int> hits{0};
    std::atomic<bool> use{false};
    together(
        [&] {
            if (use.exchange(false, relaxed)) ringproof::verify::cover(name_of(hits.fetch_add(8, relaxed)));
        },
        [&] { hits.fetch_add(1, relaxed); }, [&] { hits.fetch_add(2, relaxed); },
        [&] { use.store(true, relaxed); });
}

void updates_that_acquire() { // and so hand the data over, or not
    std::atomic<int> hits{0};
    std::atomic<bool> x{false}, y{false};
    bool neither[2] = {};
    together(
        [&] {
            x.store(true, relaxed);
            hits.fetch_add(1, acq_rel);
            neither[0] = !y.load(relaxed);
        },
        [&] {
            y.store(true, relaxed);
            hits.fetch_add(1, acq_rel);
            neither[1] = !x.load(relaxed);
        });
    VERIFY_THAT(!(neither[0] && neither[1])); // whichever update is the second
}

void updates_before_a_fence() {
    std::atomic<int> hits{0};
    std::atomic<bool> x{false}, y{false};
    bool neither[2] = {};
    const auto pass = [&](std::atomic<bool>& own, std::atomic<bool>& other, bool& none) {
        own.store(true, relaxed);
        hits.fetch_add(1, release);
        std::atomic_thread_fence(acquire);
        none = !other.load(relaxed);
    };
    together([&] { pass(x, y, neither[0]); }, [&] { pass(y, x, neither[1]); });
    VERIFY_THAT(!(neither[0] && neither[1]));
}

void updates_around_a_race() { // which only one order of them shows
    std::atomic<int> hits{0};
    int data = 0;
    together(
        [&] {
            data = 1;
            hits.fetch_add(1);
        },
        [&] {
            hits.fetch_add(1);
            data = 2;
        });
}

void updates_between_stores() { // store buffering, with a drained buffer under tso
    std::atomic<int> hits{0};
    std::atomic<bool> x{false}, y{false};
    bool neither[2] = {};
    const auto pass = [&](std::atomic<bool>& own, std::atomic<bool>& other, bool& none) {
        own.store(true, relaxed);
        hits.fetch_add(1, relaxed);
        none = !other.load(relaxed);
    };
    together([&] { pass(x, y, neither[0]); }, [&] { pass(y, x, neither[1]); });
    VERIFY_THAT(!(neither[0] && neither[1]));
}

void latch_hands_over() {
    std::latch start{1}, done{2};
    int a = 0, b = 0;
    std::thread t([&] {
        start.wait();
        a = 1;
        done.count_down();
    });
    std::thread u([&] {
        start.wait();
        b = 1;
        done.count_down();
    });
    start.count_down();
    done.wait();
    VERIFY_THAT(a + b == 2);
    t.join();
    u.join();
}

void latch_hands_over_too_early() {
    std::latch done{2};
    int a = 0;
    std::thread t([&] {
        done.count_down();
        a = 1;
    });
    std::thread u([&] { done.count_down(); });
    done.wait();
    VERIFY_THAT(a == 1);
    t.join();
    u.join();
}

void latch_is_never_zero() {
    std::latch done{3};
    together([&] { done.count_down(); }, [&] { done.arrive_and_wait(); });
}

void latch_is_counted_below_zero() {
    std::latch done{1};
    together([&] { done.count_down(); }, [&] { done.count_down(); });
}

void latch_is_tried() {
    std::latch done{2};
    together([&] { done.count_down(); }, [&] { done.count_down(); },
             [&] { ringproof::verify::cover(done.try_wait() ? "zero" : "not yet"); });
    VERIFY_THAT(done.try_wait());
}

/// Two threads of three come once, one twice: it waits for ever where the two meet each other.
void barrier_for_two_of_three() {
    std::barrier meet{2};
    const auto comes = [&] { meet.arrive_and_wait(); };
    together(
        comes, [&] { comes(), comes(); }, comes);
}
void barrier_meets_twice() {
    std::barrier meet{3};
    int x[3] = {};
    const auto pass = [&](int i) {
        x[i] = 1;
        meet.arrive_and_wait();
        VERIFY_THAT(x[0] + x[1] + x[2] == 3);
        meet.arrive_and_wait();
        x[i] = 2;
    };
    together([&] { pass(0); }, [&] { pass(1); }, [&] { pass(2); });
}

void barrier_calls_a_function() {
    int x[2] = {}, sum = 0;
    auto add = [&]() noexcept { sum = x[0] + x[1]; };
    std::barrier meet{2, add};
    const auto pass = [&](int i) {
        for (int round = 1; round <= 2; ++round) {
            x[i] = round;
            meet.arrive_and_wait();
            VERIFY_THAT(sum == 2 * round);
            meet.arrive_and_wait();
        }
    };
    together([&] { pass(0); }, [&] { pass(1); });
}

void barrier_is_left() {
    std::barrier meet{3};
    int x = 0, y = 0;
    together(
        [&] {
            x = 1;
            meet.arrive_and_drop();
        },
        [&] {
            meet.arrive_and_wait();
            y = x;
            meet.arrive_and_wait();
        },
        [&] {
            meet.arrive_and_wait();
            meet.arrive_and_wait();
            VERIFY_THAT(y == 1);
        });
}

void barrier_is_split() {
    std::barrier meet{2};
    int x = 0, own = 0;
    together(
        [&] {
            x = 1;
            meet.arrive_and_wait();
        },
        [&] {
            auto token = meet.arrive();
            own = 1;
            meet.wait(std::move(token));
            VERIFY_THAT(x == 1 && own == 1);
        });
}

void barrier_is_not_waited_for() {
    std::barrier meet{2};
    int x = 0;
    together(
        [&] {
            x = 1;
            meet.arrive_and_wait();
        },
        [&] {
            static_cast<void>(meet.arrive());
            VERIFY_THAT(x == 1);
        });
}

void barrier_is_come_to_in_passing() {
    std::barrier meet{2};
    std::atomic<bool> x{false};
    together(
        [&] {
            x.store(true, relaxed);
            meet.arrive_and_wait();
        },
        [&] {
            static_cast<void>(meet.arrive());
            ringproof::verify::cover(x.load(relaxed) ? "behind" : "before");
        });
}

} // namespace programs
