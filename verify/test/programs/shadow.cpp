// SPDX-License-Identifier: Apache-2.0
#include "shadow.hpp"

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace programs {

// Which any other file could read: else a compiler leaves out what is written there.
int sink[3];
char neighbours[8];

namespace {

std::atomic<int> flag;
int value;

/// Runs `last` in a thread that is created before `first` runs, and goes on behind all that others do.
template <class First, class Last>
void not_ordered(First first, Last last) {
    flag.store(0, std::memory_order_relaxed);
    std::thread late([=] {
        static_cast<void>(flag.load(std::memory_order_relaxed));
        last();
    });
    first();
    late.join();
}

void read_value(int by) { sink[by] = value; }

} // namespace

void atomic_write_after_a_plain_read() {
    not_ordered([] { read_value(0); }, [] { std::atomic_ref(value).store(1, std::memory_order_relaxed); });
}

void plain_read_after_an_atomic_write() {
    not_ordered([] { std::atomic_ref(value).store(1, std::memory_order_relaxed); }, [] { read_value(0); });
}

void write_read_by_another_before() {
    not_ordered(
        [] {
            value = 1;
            together([] { read_value(1); });
        },
        [] { read_value(0); });
}

void write_read_again_by_its_own_thread() {
    not_ordered(
        [] {
            value = 1;
            flag.store(1, std::memory_order_relaxed);
            read_value(1);
        },
        [] { read_value(0); });
}

void write_after_a_read_without_anything_in_between() {
    not_ordered(
        [] {
            read_value(1);
            value = 1;
        },
        [] { read_value(0); });
}

void bytes_beside_those_written_later() {
    static char bytes[8];
    not_ordered(
        [] {
            std::memset(bytes, 1, sizeof bytes);
            together([] { bytes[0] = 2; });
        },
        [] { sink[0] = bytes[5]; });
}

void plain_write_after_an_atomic_read() {
    not_ordered([] { sink[1] = std::atomic_ref(value).load(std::memory_order_relaxed); }, [] { value = 1; });
}

void plain_reads_beside_atomic_reads() {
    not_ordered([] { sink[1] = std::atomic_ref(value).load(std::memory_order_relaxed); },
                [] { read_value(0); });
}

void neighbours_in_a_word() {
    not_ordered([] { neighbours[3] = 1; }, [] { neighbours[4] = 1; });
}

// What is written lies on the stack: the checker looks less closely at the stack of a thread that is alone.
void write_beside_a_thread_that_has_not_begun() {
    int own = 0;
    std::thread first([] {});
    std::thread second([&] { sink[0] = own; });
    first.join();
    own = 1;
    second.join();
}

void write_beside_a_thread_that_goes_on() {
    int own = 0;
    flag.store(0, std::memory_order_relaxed);
    std::thread first([] {});
    std::thread second([&] {
        flag.store(1, std::memory_order_release);
        sink[0] = own;
    });
    while (flag.load(std::memory_order_acquire) == 0) ringproof::verify::pause();
    first.join();
    own = 1;
    second.join();
}

void write_beside_a_thread_that_has_ended() {
    int own = 0;
    std::thread first([&] { sink[0] = own; });
    std::thread second([] {});
    second.join();
    own = 1;
    first.join();
}

void half_written_memory() {
    struct pair {
        int first, second;
    };
    auto* const memory = static_cast<pair*>(std::malloc(sizeof(pair)));
    memory->first = 0;
    long both;
    std::memcpy(&both, memory, sizeof both);
    sink[0] = both != 0;
    sink[1] = memory->second;
    std::free(memory);
}

namespace {

void pass_memory_on(std::memory_order how) {
    static std::atomic<int*> passed;
    passed.store(nullptr, std::memory_order_relaxed);
    together([how] { passed.store(static_cast<int*>(std::malloc(sizeof(int))), how); },
             [] {
                 if (int* const there = passed.load(std::memory_order_acquire)) *there = 1;
             });
    std::free(passed.load(std::memory_order_relaxed));
}

} // namespace

void memory_passed_on_relaxed() { pass_memory_on(std::memory_order_relaxed); }
void memory_passed_on_by_a_release() { pass_memory_on(std::memory_order_release); }

void beyond_the_heap() {
    auto* const memory = static_cast<char*>(std::malloc(8));
    memory[0] = 1;
    const char* beyond = memory + (1 << 16);
    asm volatile("" : "+r"(beyond)); // no compiler knows now that nothing is there
    sink[0] = *beyond;
    std::free(memory);
}

// Visible beyond this file: else clang sees that nobody writes to it, and reads nothing.
alignas(8) int words_only_read[2];
void two_sizes_that_only_read() {
    together(
        [] { sink[0] = __atomic_load_n(reinterpret_cast<long*>(words_only_read), __ATOMIC_RELAXED) != 0; },
        [] { sink[1] = __atomic_load_n(&words_only_read[1], __ATOMIC_RELAXED); });
}

namespace {
int nobody_reads;
}
void two_writes_that_nobody_reads() {
    not_ordered([] { nobody_reads = 1; }, [] { nobody_reads = 2; });
}

} // namespace programs
