// SPDX-License-Identifier: Apache-2.0
// A search remembers the way it is on, not where it has been.

#include "../programs/scaling.hpp"

#include <ringproof/verify/explore.hpp>

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <thread>

namespace verify = ringproof::verify;

namespace {

template <int N>
void increments() {
    std::thread threads[N];
    for (std::thread& t : threads)
        t = std::thread([] { programs::x.fetch_add(1, std::memory_order_relaxed); });
    for (std::thread& t : threads) t.join();
}

/// The most memory that this process has had, in kB; 0 where the system does not say.
unsigned long most_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmHWM:") {
            unsigned long kilobytes = 0;
            status >> kilobytes;
            return kilobytes;
        }
    return 0;
}

} // namespace

TEST_CASE("a search of 40,320 executions takes as much memory as one of 720") {
    CHECK(verify::explore(increments<6>).executions == 720);
    const unsigned long before = most_memory();
    if (before == 0) {
        WARN("skipped: /proc/self/status does not say how much memory this process had");
        return;
    }
    const verify::exploration_result all = verify::explore(increments<8>);
    CHECK(all.executions == 40'320);
    // Two threads more, a few pages each. One event kept of each execution would be 12 MB.
    CHECK(most_memory() - before < 8'192);
#ifndef __SANITIZE_ADDRESS__
    CHECK(most_memory() < 65'536);
#endif
}
