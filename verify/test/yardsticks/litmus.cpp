// SPDX-License-Identifier: Apache-2.0
// Litmus tests: two to five threads, a few accesses each.

#include "program.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>

namespace yardsticks {
namespace {

using enum std::memory_order;

std::atomic<int> a, b, c, x, y;
int data;

template <std::memory_order Store, std::memory_order Load>
void store_buffering(const parameters&) {
    together(
        [] {
            x.store(1, Store);
            y.load(Load);
        },
        [] {
            y.store(1, Store);
            x.load(Load);
        });
}

void store_buffering_fences(const parameters&) {
    together(
        [] {
            x.store(1, relaxed);
            std::atomic_thread_fence(seq_cst);
            y.load(relaxed);
        },
        [] {
            y.store(1, relaxed);
            std::atomic_thread_fence(seq_cst);
            x.load(relaxed);
        });
}

void store_buffering_accesses_and_fence(const parameters&) {
    together(
        [] {
            x.store(1, seq_cst);
            y.load(seq_cst);
        },
        [] {
            y.store(1, relaxed);
            std::atomic_thread_fence(seq_cst);
            x.load(relaxed);
        });
}

void store_buffering_rfis(const parameters&) {
    together(
        [] {
            x.store(1, release);
            x.load(seq_cst);
            y.load(seq_cst);
        },
        [] {
            y.store(1, release);
            y.load(seq_cst);
            x.load(seq_cst);
        });
}

void message_passing_atomics(const parameters&) {
    together(
        [] {
            x.store(1, release);
            y.store(1, release);
        },
        [] {
            y.load(acquire);
            x.load(acquire);
        });
}

void message_passing_plain(const parameters&) {
    together(
        [] {
            data = 1;
            y.store(1, release);
        },
        [] {
            if (y.load(acquire) != 0) VERIFY_THAT(data == 1);
        });
}

/// A later relaxed store of the same thread does not extend a release sequence in C++20.
void message_passing_second_store(const parameters&) {
    together(
        [] {
            data = 1;
            y.store(0, release);
            y.store(1, relaxed);
        },
        [] {
            if (y.load(acquire) != 0) [[maybe_unused]]
                volatile int seen = data;
        });
}

/// The same with data that cannot race: both values of the data are executions.
void message_passing_second_store_atomics(const parameters&) {
    together(
        [] {
            x.store(1, relaxed);
            y.store(0, release);
            y.store(1, relaxed);
        },
        [] {
            if (y.load(acquire) != 0) x.load(relaxed);
        });
}

void message_passing_update(const parameters&) {
    together(
        [] {
            data = 1;
            y.store(1, release);
        },
        [] { y.fetch_add(1, relaxed); },
        [] {
            if (y.load(acquire) > 1) data = 2;
        });
}

template <std::memory_order Load, std::memory_order Store>
void load_buffering(const parameters&) {
    together(
        [] {
            y.load(Load);
            x.store(1, Store);
        },
        [] {
            x.load(Load);
            y.store(1, Store);
        });
}

void load_buffering_three(const parameters&) {
    together(
        [] {
            a.load(relaxed);
            b.store(1, relaxed);
        },
        [] {
            b.load(relaxed);
            c.store(1, relaxed);
        },
        [] {
            c.load(relaxed);
            a.store(1, relaxed);
        });
}

void load_buffering_dependency(const parameters&) {
    together([] { y.store(x.load(relaxed) + 1, relaxed); }, [] { x.store(y.load(relaxed) + 1, relaxed); });
}

void load_buffering_control(const parameters&) {
    together(
        [] {
            if (x.load(relaxed) == 1)
                y.store(1, relaxed);
            else
                y.store(2, relaxed);
        },
        [] {
            if (y.load(relaxed) == 1)
                x.store(1, relaxed);
            else
                x.store(2, relaxed);
        });
}

void independent_reads(const parameters&) {
    together([] { x.store(1, seq_cst); },
             [] {
                 x.load(acquire);
                 y.load(seq_cst);
             },
             [] {
                 y.load(acquire);
                 x.load(seq_cst);
             },
             [] { y.store(1, seq_cst); });
}

template <std::memory_order Store>
void two_plus_two_writes(const parameters&) {
    together(
        [] {
            x.store(1, Store);
            y.store(2, Store);
        },
        [] {
            y.store(1, Store);
            x.store(2, Store);
        });
}

void coherence_read_read(const parameters&) {
    together(
        [] {
            x.store(1, release);
            x.store(2, release);
        },
        [] {
            x.load(acquire);
            x.load(acquire);
        });
}

void coherence_read_write(const parameters&) {
    together(
        [] {
            x.load(acquire);
            x.store(1, release);
        },
        [] { x.store(2, release); });
}

void coherence_write_read(const parameters&) {
    together(
        [] {
            x.store(1, release);
            x.load(acquire);
        },
        [] { x.store(2, release); });
}

void z6(const parameters&) {
    together(
        [] {
            a.store(1, relaxed);
            std::atomic_thread_fence(seq_cst);
            b.store(1, relaxed);
        },
        [] {
            b.load(acquire);
            c.store(1, relaxed);
        },
        [] {
            c.store(2, relaxed);
            std::atomic_thread_fence(seq_cst);
            a.load(relaxed);
        });
}

void isa2(const parameters&) {
    together(
        [] {
            a.store(1, relaxed);
            b.store(1, release);
        },
        [] {
            b.load(acquire);
            c.store(1, release);
        },
        [] {
            c.load(acquire);
            a.load(relaxed);
        });
}

void write_to_read_causality(const parameters&) {
    together([] { x.store(1, relaxed); }, [] { y.store(x.load(relaxed), relaxed); },
             [] {
                 y.load(relaxed);
                 std::atomic_thread_fence(acq_rel);
                 x.load(relaxed);
             });
}

void three_writes_four_reads(const parameters&) {
    together([] { x.store(1, relaxed); }, [] { x.store(2, relaxed); }, [] { x.store(3, relaxed); },
             [] {
                 for (int i = 0; i < 4; ++i) x.load(relaxed);
             });
}

void increments_write_reads(const parameters&) {
    const auto read_twice = [] {
        x.load(relaxed);
        x.load(relaxed);
    };
    together([] { x.fetch_add(1, relaxed); }, [] { x.fetch_add(1, relaxed); }, read_twice,
             [] { x.store(42, relaxed); }, read_twice);
}

constexpr program programs[] = {
    {"SB", 0, store_buffering<release, acquire>},
    {"SB+4sc", 0, store_buffering<seq_cst, seq_cst>},
    {"SB+scfs", 0, store_buffering_fences},
    {"SB+2sc+scf", 0, store_buffering_accesses_and_fence},
    {"SB+rfis", 0, store_buffering_rfis},
    {"MP", 0, message_passing_atomics},
    {"MP+rel+acq", 0, message_passing_plain},
    {"MP+rels+acq", 0, message_passing_second_store},
    {"MP+rels+acq+atomics", 0, message_passing_second_store_atomics},
    {"MPU+rel+acq", 0, message_passing_update},
    {"LB", 0, load_buffering<acquire, release>},
    {"LB2", 0, load_buffering<relaxed, relaxed>},
    {"LB3", 0, load_buffering_three},
    {"LB+dep", 0, load_buffering_dependency},
    {"LB+ctrl", 0, load_buffering_control},
    {"IRIW-acq-sc", 0, independent_reads},
    {"2+2W", 0, two_plus_two_writes<release>},
    {"2+2W+4sc", 0, two_plus_two_writes<seq_cst>},
    {"CoRR", 0, coherence_read_read},
    {"CoRW", 0, coherence_read_write},
    {"CoWR", 0, coherence_write_read},
    {"Z6+acq", 0, z6},
    {"isa2", 0, isa2},
    {"WRC+dep", 0, write_to_read_causality},
    {"fr+w+w+w+reads", 0, three_writes_four_reads},
    {"inc+inc+RR+W+RR", 0, increments_write_reads},
};

} // namespace

std::span<const program> litmus_programs() { return programs; }

} // namespace yardsticks
