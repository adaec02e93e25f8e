// SPDX-License-Identifier: Apache-2.0
// Locks, each with clients that write a plain integer in the critical section.

#include "program.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>

namespace yardsticks {
namespace {

using enum std::memory_order;

int shared;

void critical_section(int i) {
    shared = i;
    VERIFY_THAT(shared == i);
}

namespace ticket {
std::atomic<int> next, owner;

template <waiting Waiting>
void body(const parameters& p) {
    threads(p.a, [](int i) {
        const int mine = next.fetch_add(1, relaxed);
        while (owner.load(acquire) != mine) round_without_effect<Waiting>();
        critical_section(i);
        owner.store(owner.load(relaxed) + 1, release);
    });
}
} // namespace ticket

namespace test_and_set {
std::atomic<int> state;

template <waiting Waiting>
void ttas(const parameters& p) {
    threads(p.a, [](int i) {
        while (true) {
            while (state.load(relaxed) != 0) round_without_effect<Waiting>();
            if (state.exchange(1, acquire) == 0) break;
            round_without_effect<Waiting>();
        }
        critical_section(i);
        state.store(0, release);
    });
}

template <waiting Waiting>
void spinlock(const parameters& p) {
    threads(p.a, [](int i) {
        while (true) {
            while (state.load(relaxed) != 0) round_without_effect<Waiting>();
            int expected = 0;
            if (state.compare_exchange_strong(expected, 1, acquire, acquire)) break;
            round_without_effect<Waiting>();
        }
        critical_section(i);
        state.store(0, release);
    });
}
} // namespace test_and_set

namespace mcs {
struct node {
    std::atomic<int> locked;
    std::atomic<node*> next;
};
std::array<node, most_threads> nodes;
std::atomic<node*> tail;

template <waiting Waiting>
void lock(node* own) {
    own->locked.store(0, relaxed);
    own->next.store(nullptr, relaxed);
    node* const previous = tail.exchange(own, acq_rel);
    if (!previous) return;
    previous->next.store(own, relaxed);
    while (own->locked.load(acquire) == 0) round_without_effect<Waiting>();
}

template <waiting Waiting>
void unlock(node* own) {
    node* next = own->next.load(relaxed);
    if (!next) {
        node* expected = own;
        // A failed exchange cannot release anything: C++ allows no such order there.
        if (tail.compare_exchange_strong(expected, nullptr, release, relaxed)) return;
        while (!(next = own->next.load(relaxed))) round_without_effect<Waiting>();
    }
    next->locked.store(1, release);
}

template <waiting Waiting>
void body(const parameters& p) {
    threads(p.a, [](int i) {
        node* const own = &nodes[static_cast<std::size_t>(i)];
        lock<Waiting>(own);
        critical_section(42);
        unlock<Waiting>(own);
    });
}
} // namespace mcs

/// The reader-writer lock of Linux on x86: a failed attempt takes back what it subtracted.
namespace reader_writer {
constexpr int bias = 0x100000;
std::atomic<int> lock{bias};

template <waiting Waiting>
void read() {
    int before = lock.fetch_add(-1, acquire);
    while (before <= 0) {
        lock.fetch_add(1, relaxed);
        while (lock.load(relaxed) <= 0) round_without_effect<Waiting>();
        before = lock.fetch_add(-1, acquire);
    }
    [[maybe_unused]] volatile int seen = shared;
    lock.fetch_add(1, release);
}

template <waiting Waiting>
void write() {
    int before = lock.fetch_add(-bias, acquire);
    while (before != bias) {
        lock.fetch_add(bias, relaxed);
        while (lock.load(relaxed) != bias) round_without_effect<Waiting>();
        before = lock.fetch_add(-bias, acquire);
    }
    shared = 42;
    lock.fetch_add(bias, release);
}

/// a readers and b writers
template <waiting Waiting>
void readers_and_writers(const parameters& p) {
    alike().add(p.a, read<Waiting>).add(p.b, write<Waiting>);
}

template <waiting Waiting>
void each_reads_and_writes(const parameters& p) {
    const alike running(p.a, [] {
        read<Waiting>();
        write<Waiting>();
    });
}
} // namespace reader_writer

using enum waiting;

constexpr program programs[] = {
    {"ticketlock", 1, ticket::body<marked>},
    {"ticketlock unmarked", 1, ticket::body<unmarked>},
    {"ttaslock", 1, test_and_set::ttas<marked>},
    {"ttaslock unmarked", 1, test_and_set::ttas<unmarked>},
    {"spinlock", 1, test_and_set::spinlock<marked>},
    {"spinlock unmarked", 1, test_and_set::spinlock<unmarked>},
    {"mcs_spinlock", 1, mcs::body<marked>},
    {"mcs_spinlock unmarked", 1, mcs::body<unmarked>},
    {"linuxrwlocks", 2, reader_writer::readers_and_writers<marked>},
    {"linuxrwlocks unmarked", 2, reader_writer::readers_and_writers<unmarked>},
    {"linuxrwlocks-rdwr", 1, reader_writer::each_reads_and_writes<marked>},
    {"linuxrwlocks-rdwr unmarked", 1, reader_writer::each_reads_and_writes<unmarked>},
};

} // namespace

std::span<const program> lock_programs() { return programs; }

} // namespace yardsticks
