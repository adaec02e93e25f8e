// SPDX-License-Identifier: Apache-2.0
// ringproof_verify_length [filter]
// How the time of one execution grows with its length: two threads that each do something of their own N times, for N
// that doubles. Such a program has one execution, or two where addresses may come again. The factor is that of time,
// for twice the events.
// Exit code: 0, 1 when a search did not end or found another number of executions, 5 nothing matches the filter.

#include <ringproof/command/exit_code.hpp>
#include <ringproof/verify/explore.hpp>

#include <array>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <string_view>
#include <thread>

namespace {

namespace verify = ringproof::verify;
using ringproof::command::exit_code;

std::array<std::atomic<int>, 2> counters;
std::array<std::mutex, 2> mutexes;
std::array<int, 2> guarded;
std::array<std::size_t*, 2> kept; // a pointer to what has been freed
struct list {
    list* next;
};
std::array<list*, 2> lists;

void increment(std::size_t own) { counters[own].fetch_add(1, std::memory_order_relaxed); }
void store_and_load(std::size_t own) {
    counters[own].store(1);
    static_cast<void>(counters[own].load());
}
void load(std::size_t own) { static_cast<void>(counters[own].load()); }
void lock(std::size_t own) {
    const std::lock_guard guard(mutexes[own]);
    ++guarded[own];
}

/// So that the compiler does not leave the allocation out.
void use(void* block) { __asm__ volatile("" : : "r"(block) : "memory"); }
/// Makes no event, so what is counted is the allocation and its end. Not in line: a compiler that leaves the
/// block's address in a register of the caller has kept a pointer, and there is an execution more.
[[gnu::noinline]] void allocate(std::size_t own) {
    auto* const block = new std::size_t(own);
    use(block);
    delete block;
}
void keep_pointer(std::size_t own) {
    kept[own] = new std::size_t(own);
    use(kept[own]);
    delete kept[own];
}
void allocate_and_increment(std::size_t own) {
    allocate(own);
    increment(own);
}
/// Every other block stays.
void grow(std::size_t own) {
    allocate(own);
    lists[own] = new list{lists[own]};
    use(lists[own]);
}

constexpr unsigned most_events = 128'000; // of one thread

struct shape {
    const char* name;
    unsigned events; ///< of one round
    void (*round)(std::size_t own);
    unsigned most = most_events;
    unsigned executions = 1; ///< two where addresses may come again: one for each allocator
};
constexpr shape shapes[] = {{"increments", 2, increment},
                            {"stores and loads", 2, store_and_load},
                            {"loads", 1, load},
                            {"locks", 3, lock},
                            {"allocations", 2, allocate},
                            {"kept pointers", 2, keep_pointer, most_events, 2},
                            {"allocations, events", 4, allocate_and_increment, 32'000},
                            {"growing lists", 3, grow, 12'000}};

void repeat(const shape& what, unsigned times) {
    const auto work = [&](std::size_t own) {
        for (unsigned i = 0; i < times; ++i) what.round(own);
    };
    std::thread first(work, 0), second(work, 1);
    first.join();
    second.join();
}

/// CPU seconds of the quickest of three searches, or a negative number when one is not as it has to be, which it
/// says.
double measure(const shape& what, unsigned times) {
    verify::exploration_options options;
    options.limits.execution_events = 2 * most_events + 100; // and what creates and joins threads
    double least = -1;
    for (int run = 0; run < 3; ++run) {
        const std::clock_t begun = std::clock();
        const verify::exploration_result r = verify::explore([&] { repeat(what, times); }, options);
        const double seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
        if (r.stopped || r.error.kind != verify::failure_kind::nothing || r.executions != what.executions) {
            std::printf("%-20s %16u  %" PRIu64 " executions instead of %u%s%s\n", what.name,
                        times * what.events, r.executions, what.executions, r.stopped ? ", not all" : "",
                        r.error.message.c_str());
            return -1;
        }
        if (least < 0 || seconds < least) least = seconds;
    }
    return least;
}

} // namespace

int main(int argc, char** argv) {
    const std::string_view filter = argc > 1 ? argv[1] : "";
    unsigned rows = 0, wrong = 0;
    std::printf("%-20s %16s %10s %12s %8s\n", "program", "events a thread", "CPU s", "events/s", "factor");
    for (const shape& what : shapes) {
        if (std::string_view(what.name).find(filter) == std::string_view::npos) continue;
        double before = 0;
        for (unsigned times = what.most / what.events / 8; times * what.events <= what.most;
             times *= 2, ++rows) {
            const double seconds = measure(what, times);
            if (seconds < 0) {
                ++wrong;
                continue;
            }
            std::printf("%-20s %16u %10.3f %12.0f", what.name, times * what.events, seconds,
                        2 * times * what.events / seconds);
            if (before > 0) std::printf(" %8.2f", seconds / before);
            std::printf("\n");
            before = seconds;
        }
    }
    return static_cast<int>(rows == 0    ? exit_code::no_match
                            : wrong == 0 ? exit_code::holds
                                         : exit_code::refuted);
}
