// SPDX-License-Identifier: Apache-2.0
#pragma once
// Three threads that each put items into a structure, take some out, and put in more; each attempt is made once. Every
// item is a bit of its own, so that what was taken can be compared with what was put in.
#include <cassert>
#include <cstdint>
#include <thread>

/// How often a thread puts in, takes out, and puts in again: -DFIRST=1,0,0 and so on.
struct plan {
    int put, take, put_again;
};
#ifndef FIRST
#define FIRST 1, 0, 0
#endif
#ifndef SECOND
#define SECOND 0, 1, 0
#endif
#ifndef THIRD
#define THIRD 0, 0, 0
#endif
inline constexpr plan plans[3] = {{FIRST}, {SECOND}, {THIRD}};

struct tally {
    std::int64_t in = 0, out = 0;
    void took(std::int64_t item) {
        assert(item != 0);
        assert((out & item) == 0); // no item comes out twice
        out |= item;
    }
};

/// @param put  (item, number of the put): whether it is in
/// @param take where it goes: whether there was one
template <class Put, class Take>
tally follow(int thread, const Put& put, const Take& take) {
    tally t;
    int number = 0;
    const auto put_some = [&](int count) {
        for (int i = 0; i < count; ++i, ++number) {
            const std::int64_t item = std::int64_t{1} << (8 * thread + number);
            if (put(item, number)) t.in |= item;
        }
    };
    put_some(plans[thread].put);
    for (int i = 0; i < plans[thread].take; ++i)
        if (std::int64_t item = 0; take(item)) t.took(item);
    put_some(plans[thread].put_again);
    return t;
}

/// Runs the threads, and compares.
template <class Thread>
void run_three(const Thread& thread) {
    tally all[3];
    std::thread one([&] { all[1] = thread(1); }), two([&] { all[2] = thread(2); });
    all[0] = thread(0);
    one.join(), two.join();
    std::int64_t in = 0, out = 0;
    for (const tally& t : all) {
        assert((out & t.out) == 0);
        in |= t.in, out |= t.out;
    }
    assert((out & ~in) == 0); // nothing comes out that was not put in
}
