// SPDX-License-Identifier: Apache-2.0
// Scenarios whose searches are stopped and resumed.
#include "programs.hpp"

namespace {

VERIFY("orders: every order of six increments") { programs::increments(); }

VERIFY("children: threads of threads") { programs::threads_of_threads(); }

VERIFY("leaks: in half of the executions") {
    std::thread other([] { programs::x.store(1, std::memory_order_relaxed); });
    int* volatile kept = programs::x.load(std::memory_order_relaxed) == 0 ? new int(1) : nullptr;
    programs::y.store(kept ? *kept : 0, std::memory_order_relaxed);
    other.join();
}

VERIFY("rounds: attempts until another thread has written") {
    std::thread other([] { programs::y.store(1, std::memory_order_relaxed); });
    while (programs::y.load(std::memory_order_relaxed) == 0)
        programs::x.fetch_add(1, std::memory_order_relaxed);
    other.join();
}

} // namespace
