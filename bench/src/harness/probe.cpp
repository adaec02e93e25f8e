// SPDX-License-Identifier: Apache-2.0
#include "probe.hpp"

#include "../topology/pin.hpp"
#include "statistics.hpp"

#include <atomic>
#include <chrono>
#include <sched.h>
#include <thread>
#include <vector>

namespace ringproof::bench {
namespace {

using steady = std::chrono::steady_clock;
constexpr int batch = 50;

/// Waits for `value`; gives up at `deadline`, which is looked at rarely.
bool await(const std::atomic<int>& line, int value, steady::time_point deadline) {
    for (unsigned tries = 1; line.load(std::memory_order_acquire) != value; ++tries)
        if (tries % 16384 == 0) {
            if (steady::now() > deadline) return false;
            sched_yield();
        }
    return true;
}

} // namespace

double probe_round_trip(int cpu_a, int cpu_b, int trips) {
    if (cpu_a == cpu_b) return 0;
    // Even values are A's turn to answer, odd ones B's.
    struct alignas(128) {
        std::atomic<int> value{0};
        char pad[124];
    } line;
    const auto deadline = steady::now() + std::chrono::milliseconds(100);
    const int batches = trips / batch + 1; // the first one warms up
    std::vector<double> times;
    times.reserve(static_cast<std::size_t>(batches));

    std::thread b([&] {
        pin_this_thread(cpu_b);
        for (int i = 0; i < batches * batch; ++i) {
            if (!await(line.value, 2 * i + 1, deadline)) return;
            line.value.store(2 * i + 2, std::memory_order_release);
        }
    });
    std::thread a([&] {
        pin_this_thread(cpu_a);
        for (int i = 0, n = 0; n < batches; ++n) {
            const auto start = steady::now();
            for (int k = 0; k < batch; ++k, ++i) {
                line.value.store(2 * i + 1, std::memory_order_release);
                if (!await(line.value, 2 * i + 2, deadline)) return;
            }
            if (n > 0)
                times.push_back(std::chrono::duration<double, std::nano>(steady::now() - start).count());
        }
    });
    a.join();
    b.join();
    return times.empty() ? 0 : median(times) / batch;
}

} // namespace ringproof::bench
