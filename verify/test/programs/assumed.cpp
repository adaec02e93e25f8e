// SPDX-License-Identifier: Apache-2.0
#include "assumed.hpp"

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>

namespace programs {

namespace {

using enum std::memory_order;
using ringproof::verify::assume;

std::atomic<int> x, y, z;
int data;

/// What is written before the assumption races with what another thread writes once it has seen a third one.
/// @param stores whether that one stores what the assumption is about: then there is an old value to read
void writes_before_an_assumption(bool stores) {
    x = z = 0;
    data = 0;
    together(
        [] {
            const int seen = x.load(relaxed);
            if (seen == 0) data = 1;
            assume(seen == 1);
        },
        [stores] {
            if (stores) x.store(1, relaxed);
            if (z.load(relaxed) == 1) data = 5;
        },
        [] { z.store(1, relaxed); });
}

} // namespace

void assumes_the_last_of_three() {
    x = 0;
    together(
        [] {
            for (int i = 1; i <= 3; ++i) x.store(i, release);
        },
        [] { assume(x.load(acquire) == 3); });
}

void assumes_that_an_exchange_succeeds() {
    x = y = 0;
    const auto takes = [] {
        int seen = 0;
        assume(x.compare_exchange_strong(seen, 1, acquire, relaxed));
        y.store(y.load(relaxed) + 1, relaxed);
        x.store(0, release);
    };
    together(takes, takes, takes);
    VERIFY_THAT(y.load() == 3);
}

void assumes_with_two_looks() {
    x = y = 0;
    together([] { x.store(1), x.store(2), y.store(1), y.store(2); },
             [] {
                 const int first = y.load();
                 const int then = x.load();
                 assume(first + then == 3);
                 seen_by[0] = first * 10 + then;
             });
}

void assumes_of_each_other() {
    x = y = 0;
    together(
        [] {
            x.store(1);
            assume(y.load() != 1);
            x.store(2);
            assume(y.load() != 2);
            x.store(0);
        },
        [] {
            y.store(1);
            assume(x.load() != 1);
            y.store(2);
            assume(x.load() != 2);
            y.store(0);
        });
}

void assumes_what_is_written_over() {
    x = 0;
    together([] { x.store(1, relaxed); }, [] { x.store(2, relaxed); });
    assume(x.load(relaxed) == 1);
}

void assumes_what_never_comes() {
    x = y = 0;
    together([] { x.store(1); },
             [] {
                 assume(x.load() == 7);
                 y.store(1);
             },
             [] {
                 while (y.load() == 0) {
                 }
             });
}

void fails_beside_an_assumption() {
    x = y = 0;
    together([] { assume(x.load(relaxed) == 7); }, [] { x.store(1, relaxed), y.store(1, relaxed); },
             [] {
                 const bool later = y.load(relaxed) == 1;
                 VERIFY_THAT(!later || x.load(relaxed) == 1); // relaxed stores are not seen in their order
             });
}

void races_before_an_assumption() { writes_before_an_assumption(false); }
void races_before_an_assumption_of_old_values() { writes_before_an_assumption(true); }

void races_in_an_assumption() {
    x = 0;
    data = 0;
    together(
        [] {
            x.store(1, relaxed); // too early
            data = 5;
            x.store(1, release);
        },
        [] { assume(x.load(acquire) == 1 && data == 5); });
}

} // namespace programs
