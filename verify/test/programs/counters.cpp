// SPDX-License-Identifier: Apache-2.0
// Threads that add to a counter, and go on once all have.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstring>
#include <thread>

namespace programs {
namespace {

using enum std::memory_order;

struct counter {
    std::atomic<int> come{0};
    void wait(int all, std::memory_order order) const {
        while (come.load(order) < all)
            ;
    }
    void meet(int all) {
        come.fetch_add(1);
        wait(all, acquire);
    }
};

void told_last(bool the_first) {
    counter all;
    bool last[2] = {};
    const auto comes = [&](bool& is_last) {
        const int before = all.come.fetch_add(1);
        all.wait(2, acquire);
        is_last = before == 1;
    };
    std::thread t([&] { comes(last[0]); });
    std::thread u([&] { comes(last[1]); });
    t.join();
    u.join();
    VERIFY_THAT(last[the_first ? 0 : 1]);
}

} // namespace

void counters_start_three() {
    counter all;
    int a = 0, b = 0, c = 0;
    std::thread t([&] {
        a = 1;
        all.meet(3);
        VERIFY_THAT(b == 1 && c == 1);
    });
    std::thread u([&] {
        b = 1;
        all.meet(3);
        VERIFY_THAT(c == 1 && a == 1);
    });
    c = 1;
    all.meet(3);
    VERIFY_THAT(a == 1 && b == 1);
    t.join();
    u.join();
}

void counters_open_a_gate() {
    counter ready;
    std::atomic<bool> go{false};
    int a = 0, b = 0;
    const auto waits = [&] {
        ready.come.fetch_add(1, release);
        while (!go.load(acquire))
            ;
    };
    std::thread t([&] {
        a = 1;
        waits();
        VERIFY_THAT(b == 1);
    });
    std::thread u([&] {
        b = 1;
        waits();
        VERIFY_THAT(a == 1);
    });
    ready.wait(2, acquire);
    go.store(true, release);
    t.join();
    u.join();
}

void counters_waited_for_without_acquiring() {
    // Who comes first sees by nothing what the other has done before it came.
    counter all;
    int a = 0;
    std::thread t([&] {
        a = 1;
        all.come.fetch_add(1, acq_rel);
        all.wait(2, relaxed);
    });
    std::thread u([&] {
        all.come.fetch_add(1, acq_rel);
        all.wait(2, relaxed);
        VERIFY_THAT(a == 1);
    });
    t.join();
    u.join();
}

void counters_with_a_look_before_the_wait() {
    counter all;
    int a = 0;
    std::thread t([&] {
        a = 1;
        all.meet(2);
    });
    std::thread u([&] {
        all.come.fetch_add(1);
        VERIFY_THAT(a == 1);
        all.wait(2, acquire);
    });
    t.join();
    u.join();
}

void counters_with_a_free_before_the_wait() {
    counter all;
    auto* a = new int;
    std::thread t([&] {
        *a = 1;
        all.meet(2);
    });
    std::thread u([&] {
        all.come.fetch_add(1);
        delete a;
        all.wait(2, acquire);
    });
    t.join();
    u.join();
}

void counters_with_an_atomic_copied_before_the_wait() {
    counter all;
    std::atomic<int> a{0};
    int copy = 0;
    std::thread t([&] {
        a.store(1, relaxed);
        all.meet(2);
    });
    std::thread u([&] {
        all.come.fetch_add(1);
        std::memcpy(&copy, static_cast<const void*>(&a), sizeof copy);
        all.wait(2, acquire);
    });
    t.join();
    u.join();
}

void counters_tell_the_first_that_it_was_last() { told_last(true); }
void counters_tell_the_second_that_it_was_last() { told_last(false); }

void counters_that_are_set() {
    // What was added before is not seen with what is added behind: who waits does not know of one that came first.
    counter all;
    std::atomic<int> other{0};
    int a = 0;
    std::thread t([&] { all.meet(4); });
    std::thread u([&] {
        a = 1;
        all.meet(4);
    });
    std::thread sets([&] {
        if (other.load(relaxed) == 0) all.come.store(3, relaxed);
    });
    all.wait(4, acquire);
    VERIFY_THAT(a == 1);
    t.join();
    u.join();
    sets.join();
}

void counters_and_a_gate_that_opens_early() {
    counter all;
    std::atomic<bool> go{false};
    int a = 0;
    std::thread t([&] {
        a = 1;
        all.meet(2);
    });
    std::thread u([&] {
        all.come.fetch_add(1);
        while (!go.load(acquire))
            ;
        VERIFY_THAT(a == 1);
    });
    go.store(true, release);
    t.join();
    u.join();
}

} // namespace programs
