// SPDX-License-Identifier: Apache-2.0
// ringproof_verify_length [filter]
// How the time of one execution grows with its length: two threads that each do something of their own N times, for N
// that doubles. Such a program has one execution. The factor is that of time, for twice the events.
// Exit code: 0, 1 when a search did not end or found another number of executions, 5 nothing matches the filter.

#include <ringproof/command/exit_code.hpp>
#include <ringproof/verify/explore.hpp>

#include <array>
#include <atomic>
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

void increment(std::size_t own) { counters[own].fetch_add(1, std::memory_order_relaxed); }
void store_and_load(std::size_t own) {
    counters[own].store(1);
    static_cast<void>(counters[own].load());
}
void lock(std::size_t own) {
    const std::lock_guard guard(mutexes[own]);
    ++guarded[own];
}

constexpr unsigned most_events = 128'000; // of one thread

struct shape {
    const char* name;
    unsigned events; ///< of one round
    void (*round)(std::size_t own);
};
constexpr shape shapes[] = {
    {"increments", 2, increment}, {"stores and loads", 2, store_and_load}, {"locks", 3, lock}};

void repeat(const shape& what, unsigned times) {
    const auto work = [&](std::size_t own) {
        for (unsigned i = 0; i < times; ++i) what.round(own);
    };
    std::thread first(work, 0), second(work, 1);
    first.join();
    second.join();
}

/// CPU seconds of the quickest of three searches, or a negative number when one is not as it has to be.
double measure(const shape& what, unsigned times) {
    verify::exploration_options options;
    options.limits.execution_events = 2 * most_events + 100; // and what creates and joins threads
    double least = -1;
    for (int run = 0; run < 3; ++run) {
        const std::clock_t begun = std::clock();
        const verify::exploration_result r = verify::explore([&] { repeat(what, times); }, options);
        const double seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
        if (r.stopped || r.error.kind != verify::failure_kind::nothing || r.executions != 1) return -1;
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
        for (unsigned times = most_events / what.events / 8; times * what.events <= most_events;
             times *= 2, ++rows) {
            const double seconds = measure(what, times);
            if (seconds < 0) {
                std::printf("%-20s %16u  not one execution\n", what.name, times * what.events);
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
