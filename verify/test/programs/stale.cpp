// SPDX-License-Identifier: Apache-2.0
#include "stale.hpp"

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <array>
#include <atomic>

namespace programs {

namespace {

using enum std::memory_order;

// Each in a granule of shadow memory of its own: a plain write beside an atomic that an iteration reads keeps its branch.
alignas(8) std::atomic<int> x, y, z, flag, told;
alignas(8) std::atomic<int> untouched; ///< is never written
alignas(8) int data;
std::atomic<int*> own;

struct cell {
    std::atomic<long> turn;
    long item;
};
std::array<cell, 2> ring;
std::atomic<long> pushes, pops;

cell& at(long place) { return ring[static_cast<std::size_t>(place) % ring.size()]; }

/// Gets the next place of `count` whose cell has come to the turn `ahead` of it.
long place(std::atomic<long>& count, long ahead) {
    for (long next = count.load(relaxed);;) {
        const long early = at(next).turn.load(acquire) - (next + ahead);
        if (early == 0 && count.compare_exchange_weak(next, next + 1, relaxed)) return next;
        if (early != 0) next = count.load(relaxed);
    }
}

/// One thread replaces the value of x, `loop` has read it, and another writes what it looks at besides.
template <class Loop, class Late>
void beside_a_late_write(Loop loop, Late late) {
    x = y = z = flag = told = 0;
    data = 0;
    together([] { x.store(1, relaxed); }, loop,
             [late] {
                 told.load(relaxed); // threads that read go later
                 late();
             });
}

} // namespace

void pushes_and_pops_in_loops() {
    for (long i = 0; i < 2; ++i) at(i).turn.store(i, relaxed);
    pushes.store(0, relaxed), pops.store(0, relaxed);
    const auto push = [] {
        const long mine = place(pushes, 0);
        at(mine).item = mine + 1;
        at(mine).turn.store(mine + 1, release);
    };
    const auto pop = [] {
        const long mine = place(pops, 1);
        VERIFY_THAT(at(mine).item == mine + 1);
        at(mine).turn.store(mine + 2, release);
    };
    together(push, push, pop, pop);
}

void ends_with_a_value_of_its_last_look() {
    const auto loop = [] {
        for (;;) {
            const int first = x.load(relaxed);
            z.load(relaxed);
            if (y.load(relaxed) != 2) continue;
            seen_by[0] = first;
            return;
        }
    };
    beside_a_late_write(loop, [] { y.store(2, relaxed); });
}

void ends_with_what_nobody_wrote() {
    const auto loop = [] {
        for (;;) {
            const int first = x.load(relaxed), second = y.load(relaxed);
            if (second == 2) {
                if (untouched.load(relaxed) != 0) continue;
            } else if (x.load(relaxed) != first) {
                continue;
            }
            seen_by[0] = first;
            return;
        }
    };
    untouched.load(relaxed); // it has been accessed
    beside_a_late_write(loop, [] { y.store(2, relaxed); });
}

void ends_with_what_none_has_looked_at() {
    const auto loop = [] {
        for (;;) {
            const int first = x.load(relaxed);
            if (y.load(relaxed) != 2 && x.load(relaxed) != first) continue;
            seen_by[0] = first, seen_by[1] = z.load(relaxed);
            return;
        }
    };
    beside_a_late_write(loop, [] { y.store(2, relaxed); });
}

/// Of a word that the iteration alone reads, and only with a value that comes late.
void ends_with_what_it_alone_looks_at() {
    const auto loop = [] {
        for (;;) {
            const int first = x.load(relaxed);
            if (first == 0 && (y.load(relaxed) != 2 || untouched.load(relaxed) != 0)) continue;
            seen_by[0] = first;
            return;
        }
    };
    untouched.load(relaxed); // it has been accessed
    beside_a_late_write(loop, [] { y.store(2, relaxed); });
}

void ends_with_a_plain_value() {
    const auto loop = [] {
        for (;;) {
            const int first = x.load(relaxed);
            if (flag.load(acquire) == 1) {
                if (std::atomic_ref(data).load(relaxed) != 2) continue;
            } else if (x.load(relaxed) != first) {
                continue;
            }
            seen_by[0] = first;
            return;
        }
    };
    std::atomic_ref(data).store(0, relaxed);
    beside_a_late_write(loop, [] {
        data = 2;
        flag.store(1, release);
    });
}

void ends_with_plain_memory() {
    const auto loop = [] {
        for (;;) {
            const int first = x.load(relaxed);
            if (flag.load(acquire) == 1) {
                if (data != 2) continue;
            } else if (x.load(relaxed) != first) {
                continue;
            }
            seen_by[0] = first;
            return;
        }
    };
    beside_a_late_write(loop, [] {
        data = 2;
        flag.store(1, release);
    });
}

void ends_with_the_last_of_many_values() {
    const auto loop = [] {
        for (;;) {
            const int first = x.load(relaxed);
            if (y.load(relaxed) != 20) continue;
            seen_by[0] = first;
            return;
        }
    };
    beside_a_late_write(loop, [] {
        for (int i = 1; i <= 20; ++i) y.store(i, relaxed);
    });
}

void ends_with_a_local_that_another_writes() {
    const auto loop = [] {
        int mine = 0;
        own.store(&mine, release);
        for (;;) {
            const int first = x.load(relaxed);
            if (flag.load(acquire) == 1) {
                if (mine != 2) continue;
            } else if (x.load(relaxed) != first) {
                continue;
            }
            seen_by[0] = first;
            break;
        }
        while (z.load(acquire) == 0) {
        } // the local is there until then
    };
    own.store(nullptr, relaxed);
    beside_a_late_write(loop, [] {
        if (int* const others = own.load(acquire)) {
            *others = 2;
            flag.store(1, release);
        }
        z.store(1, release);
    });
}

void remembers_an_iteration() {
    const auto loop = [] {
        for (;;) {
            const int first = x.load(relaxed), second = y.load(relaxed);
            if (second == 1 && data == 0) {
                data = 1;
                continue;
            }
            if (data == 0 && x.load(relaxed) != first) continue;
            seen_by[0] = first, seen_by[1] = data;
            return;
        }
    };
    beside_a_late_write(loop, [] { y.store(1, relaxed); });
}

void remembers_that_it_was_here() {
    const auto loop = [] {
        for (;;) {
            const int first = x.load(relaxed);
            if (y.load(relaxed) == 2) {
                if (data != 0 && first == 0) continue;
            } else {
                data = 1;
                if (x.load(relaxed) != first) continue;
            }
            seen_by[0] = first;
            return;
        }
    };
    beside_a_late_write(loop, [] { y.store(2, relaxed); });
}

void exchanges_another_word() {
    x = y = z = told = 0;
    together(
        [] {
            for (;;) {
                const int first = x.load(relaxed), second = y.load(relaxed);
                int expected = 0;
                if (second == 1 || !z.compare_exchange_strong(expected, 1, relaxed)) continue;
                seen_by[0] = first, seen_by[1] = second;
                return;
            }
        },
        [] {
            told.load(relaxed);
            x.fetch_add(1, relaxed);
            y.store(1, relaxed);
        },
        [] {
            while (y.load(relaxed) != 1) {
            }
            y.store(2, relaxed);
        });
}

/// Who stored the new value is known to who looks, but no order makes that newer than the exchange.
void exchanges_what_a_store_replaced() {
    x = y = told = 0;
    together(
        [] {
            for (;;) {
                const int first = x.load(relaxed), second = y.load(relaxed);
                int expected = first;
                if (second == 0 || !x.compare_exchange_strong(expected, first + 1, relaxed)) continue;
                seen_by[0] = first, seen_by[1] = second;
                return;
            }
        },
        [] {
            told.load(relaxed);
            x.store(5, relaxed);
            y.store(1, relaxed);
            y.store(2, relaxed);
        });
}

/// The exchange of a value that another exchange has replaced may still fail as if it were there.
void fails_spuriously_on_what_was_replaced() {
    x = y = told = 0;
    together(
        [] {
            for (;;) {
                const int first = x.load(relaxed), second = y.load(relaxed);
                int expected = first;
                if (second == 0) continue;
                const bool exchanged = x.compare_exchange_weak(expected, first + 1, relaxed);
                if (!exchanged && expected != first) continue;
                seen_by[0] = first, seen_by[1] = second, seen_by[2] = exchanged;
                return;
            }
        },
        [] {
            told.load(relaxed);
            x.fetch_add(5, relaxed);
            y.store(1, relaxed);
            y.store(2, relaxed);
        });
}

void ends_with_what_came_behind_what_it_acquired() {
    x = y = z = told = 0;
    together(
        [] {
            for (;;) {
                const int first = x.load(relaxed), second = y.load(acquire), third = z.load(relaxed);
                if (second == 0 || (first == 0 && third != 2)) continue;
                seen_by[0] = first;
                return;
            }
        },
        [] {
            told.load(relaxed);
            x.store(1, relaxed);
            z.store(1, relaxed);
            y.store(1, release);
        },
        [] {
            told.load(relaxed);
            z.store(2, relaxed);
        });
}

/// Only the iteration of the old value, which fails, writes what another thread reads.
void races_in_an_iteration_of_an_old_value() {
    x = flag = told = 0;
    data = 0;
    together(
        [] {
            x.fetch_add(1, relaxed);
            flag.store(1, relaxed);
        },
        [] {
            if (flag.load(relaxed) == 0) return;
            for (;;) {
                int first = x.load(relaxed);
                if (first == 0) data = 0;
                if (x.compare_exchange_strong(first, first + 1, relaxed)) return;
            }
        },
        [] {
            told.load(relaxed);
            seen_by[0] = data;
        });
}

/// Of two threads that write the same the second one's write may be read anew, with another look behind it.
void sees_a_value_of_two_threads() {
    x = y = told = 0;
    together(
        [] {
            x.store(5, relaxed);
            y.store(1, relaxed);
        },
        [] {
            for (;;) {
                int first = x.load(relaxed);
                if (y.load(relaxed) == 0 || !x.compare_exchange_strong(first, first + 1, relaxed)) continue;
                seen_by[0] = first;
                return;
            }
        },
        [] {
            told.load(relaxed);
            y.store(1, relaxed);
        });
}

/// A revisit of the other's second look takes off what the loop has seen behind its first one.
void looks_twice_beside_one_who_does() {
    x = y = told = 0;
    together(
        [] {
            for (;;) {
                const int first = x.load(relaxed), second = y.load(acquire), third = x.load(relaxed);
                if (third != first) continue;
                seen_by[0] = first * 2 + second;
                return;
            }
        },
        [] {
            const int first = x.load(relaxed);
            told.store(first, relaxed);
            seen_by[1] = first * 3 + x.load(relaxed);
        },
        [] {
            x.fetch_add(1, relaxed);
            y.store(1, release);
            x.fetch_add(1, relaxed);
        });
}

/// The first look is at nothing old: who writes there knows what the second one has seen.
void waits_for_who_has_seen_its_last_look() {
    x = y = z = told = 0;
    together(
        [] {
            for (;;) {
                const int first = x.load(relaxed), second = y.load(relaxed), third = z.load(relaxed);
                if (first == 0) continue;
                seen_by[0] = second, seen_by[1] = third;
                return;
            }
        },
        [] {
            told.load(relaxed);
            y.store(1, relaxed);
        },
        [] {
            y.load(relaxed);
            x.store(1, relaxed);
        });
}

/// Who makes the iteration begin anew does not know of who replaces what it wants to exchange.
void begins_anew_for_one_and_is_replaced_by_another() {
    x = y = told = 0;
    together(
        [] {
            for (;;) {
                int first = x.load(relaxed);
                if (y.load(relaxed) == 1 || !x.compare_exchange_strong(first, first + 5, relaxed)) continue;
                seen_by[0] = first;
                return;
            }
        },
        [] {
            told.load(relaxed);
            y.store(1, relaxed);
        },
        [] {
            told.load(relaxed);
            x.store(1, relaxed);
        },
        [] {
            while (y.load(relaxed) != 1) {
            }
            y.store(2, relaxed);
        });
}

} // namespace programs
