// SPDX-License-Identifier: Apache-2.0
// Synthetic programs whose number of executions grows with a parameter by a known law.

#include "program.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <mutex>

#include <pthread.h>

namespace yardsticks {
namespace {

using enum std::memory_order;

std::atomic<int> x, y, z, w, turn;
std::array<std::atomic<int>, most_threads> cells;
std::array<std::atomic<int>, 128> table;
std::atomic<int> fib_x{1}, fib_y{1};
int data;

template <std::memory_order Order>
void store_buffering(const parameters& p) {
    threads(p.a, [n = p.a](int i) {
        cells[static_cast<std::size_t>(i)].store(1, Order);
        cells[static_cast<std::size_t>((i + 1) % n)].load(Order);
    });
}

void load_buffering(const parameters& p) {
    threads(p.a, [n = p.a](int i) {
        cells[static_cast<std::size_t>(i)].load(relaxed);
        cells[static_cast<std::size_t>((i + 1) % n)].store(1, relaxed);
    });
}

void message_passing(const parameters& p) {
    threads(p.a + 1, [](int i) {
        if (i == 0) {
            data = 1;
            x.store(1, release);
        } else if (x.load(acquire) != 0) {
            VERIFY_THAT(data == 1);
        }
    });
}

template <std::memory_order Store, std::memory_order Load>
void independent_reads(const parameters& p) {
    threads(p.a + 2, [](int i) {
        if (i == 0) {
            x.store(1, Store);
        } else if (i == 1) {
            y.store(1, Store);
        } else if (i % 2 == 0) {
            y.load(Load);
            x.load(Load);
        } else {
            x.load(Load);
            y.load(Load);
        }
    });
}

void writes(const parameters& p) {
    threads(p.a, [](int i) { x.store(i + 1, relaxed); });
}

template <int Counters>
void increments(const parameters& p) {
    const alike running(p.a, [] {
        x.fetch_add(1, relaxed);
        if constexpr (Counters > 1) y.fetch_add(1, relaxed);
        if constexpr (Counters > 2) z.fetch_add(1, relaxed);
    });
}

void compare_exchange(const parameters& p) {
    threads(p.a, [](int i) {
        int expected = 0;
        x.compare_exchange_strong(expected, i + 1, relaxed, relaxed);
    });
}

void rotating_compare_exchange(const parameters& p) {
    threads(p.a, [](int i) {
        int expected = i;
        x.compare_exchange_strong(expected, i + 1, relaxed, relaxed);
    });
}

void compare_exchange_and_write(const parameters& p) {
    threads(p.a, [](int i) {
        int expected = 0;
        x.compare_exchange_strong(expected, 1, relaxed, relaxed);
        x.store(i + 3, release);
    });
}

void torn_increments(const parameters& p) {
    threads(p.a, [](int i) {
        const int r = x.load(relaxed);
        x.store(r + (1 << i), release);
    });
}

void readers(const parameters& p) {
    threads(p.a + 1, [](int i) {
        if (i == 0)
            x.store(42, release);
        else
            x.load(acquire);
    });
}

void last_zero(const parameters& p) {
    threads(p.a + 1, [n = p.a](int j) {
        if (j == 0) {
            auto i = static_cast<std::size_t>(n);
            while (cells[i].load(acquire) != 0) --i;
        } else {
            const auto own = static_cast<std::size_t>(j);
            cells[own].store(cells[own - 1].load(acquire) + 1, release);
        }
    });
}

void indexer(const parameters& p) {
    threads(p.a, [](int i) {
        for (int k = 0; k < 4; ++k) {
            const int value = 11 * k + i;
            auto h = static_cast<std::size_t>(7 * value % 128);
            for (int expected = 0; !table[h].compare_exchange_strong(expected, value, relaxed, relaxed);
                 expected = 0)
                h = (h + 1) % 128;
        }
    });
}

void fibonacci(const parameters& p) {
    together(
        [k = p.a] {
            for (int i = 0; i < k; ++i) {
                const int left = fib_x.load(acquire);
                const int right = fib_y.load(acquire);
                fib_x.store(left + right, release);
            }
        },
        [k = p.a] {
            for (int i = 0; i < k; ++i) {
                const int left = fib_x.load(acquire);
                const int right = fib_y.load(acquire);
                fib_y.store(left + right, release);
            }
        },
        [] { VERIFY_THAT(!(fib_x.load(acquire) > 144 || fib_y.load(acquire) > 144)); });
}

void big0(const parameters&) {
    together(
        [] {
            x.load(acquire);
            y.load(acquire);
            z.load(acquire);
            w.load(acquire);
            x.load(acquire);
            y.load(acquire);
            z.load(acquire);
        },
        [] {
            x.load(acquire);
            y.load(acquire);
            z.load(acquire);
        },
        [] {
            for (int i = 1; i <= 3; ++i) {
                x.store(i, release);
                y.store(i, release);
            }
        },
        [] {
            for (int i = 1; i <= 3; ++i) {
                z.store(i, release);
                w.store(i, release);
            }
        });
}

void dekker(const parameters&) {
    together(
        [] {
            y.store(1, relaxed);
            std::atomic_thread_fence(seq_cst);
            if (x.load(relaxed) == 0) {
                z.store(1, relaxed);
                VERIFY_THAT(z.load(relaxed) == 1);
            }
        },
        [] {
            x.store(1, relaxed);
            std::atomic_thread_fence(seq_cst);
            if (y.load(relaxed) == 0) {
                z.store(0, relaxed);
                VERIFY_THAT(z.load(relaxed) == 0);
            }
        });
}

/// x and y are the two flags, z is written in the critical section.
template <std::memory_order Store, std::memory_order Load>
void peterson(const parameters&) {
    together(
        [] {
            x.store(1, Store);
            turn.store(1, Store);
            ringproof::verify::assume(y.load(Load) != 1 || turn.load(Load) != 1);
            z.store(0, Store);
            z.load(Load);
            x.store(0, Store);
        },
        [] {
            y.store(1, Store);
            turn.store(0, Store);
            ringproof::verify::assume(x.load(Load) != 1 || turn.load(Load) != 0);
            z.store(1, Store);
            z.load(Load);
            y.store(0, Store);
        });
}

pthread_mutex_t posix_mutex = PTHREAD_MUTEX_INITIALIZER;
std::mutex standard_mutex;

void lock_increment_posix(const parameters& p) {
    const alike running(p.a, [] {
        pthread_mutex_lock(&posix_mutex);
        x.store(x.load(relaxed) + 1, relaxed);
        pthread_mutex_unlock(&posix_mutex);
    });
}

void lock_increment_standard(const parameters& p) {
    const alike running(p.a, [] {
        const std::lock_guard hold(standard_mutex);
        x.store(x.load(relaxed) + 1, relaxed);
    });
}

constexpr program programs[] = {
    {"SB-rlx", 1, store_buffering<relaxed>},
    {"SB-sc", 1, store_buffering<seq_cst>},
    {"LB-rlx", 1, load_buffering},
    {"MP-readers", 1, message_passing},
    {"IRIW-rel-acq", 1, independent_reads<release, acquire>},
    {"IRIW-sc", 1, independent_reads<seq_cst, seq_cst>},
    {"WW", 1, writes},
    {"ainc", 1, increments<1>},
    {"binc", 1, increments<2>},
    {"cinc", 1, increments<3>},
    {"cas", 1, compare_exchange},
    {"casrot", 1, rotating_compare_exchange},
    {"casw", 1, compare_exchange_and_write},
    {"inc", 1, torn_increments},
    {"readers", 1, readers},
    {"lastzero", 1, last_zero},
    {"indexer", 1, indexer},
    {"fib_bench", 1, fibonacci},
    {"big0", 0, big0},
    {"dekker_f", 0, dekker},
    {"peterson-sc", 0, peterson<seq_cst, seq_cst>},
    {"peterson-rel-acq", 0, peterson<release, acquire>},
    {"lockinc-pthread", 1, lock_increment_posix},
    {"lockinc-std", 1, lock_increment_standard},
};

} // namespace

std::span<const program> synthetic_programs() { return programs; }

} // namespace yardsticks
