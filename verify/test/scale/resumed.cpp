// SPDX-License-Identifier: Apache-2.0
// Scenarios whose searches are stopped and resumed.
#include "../programs/scaling.hpp"

#include <ringproof/verify/verifier.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

VERIFY("orders: every order of six increments") { programs::increments(); }

VERIFY("children: threads of threads") { programs::threads_of_threads(); }

/// One execution of 720 has each.
VERIFY("covered: who comes first and who comes last", .covers = {"in order", "in reverse order"}) {
    const int order = programs::in_turn(6);
    if (order == 0x123456) ringproof::verify::cover("in order");
    if (order == 0x654321) ringproof::verify::cover("in reverse order");
}

VERIFY("not covered: an order that there is not", .covers = {"seven"}) {
    if (programs::in_turn(6) == 7) ringproof::verify::cover("seven");
}

VERIFY("deep: one of seven in turn is wrong") {
    if (programs::in_turn(7) == 0x2574316) std::abort();
}

/// One execution keeps the address of memory that it frees, and takes some more: whether an address comes again has to be
/// looked at then, from the beginning.
VERIFY("learns late: from the one of seven in turn that is wrong") {
    if (programs::in_turn(7) != 0x2574316) return;
    programs::frees_and_takes_again();
    std::abort();
}

VERIFY("leaks: in half of the executions") {
    std::thread other([] { programs::x.store(1, std::memory_order_relaxed); });
    int* volatile kept = programs::x.load(std::memory_order_relaxed) == 0 ? new int(1) : nullptr;
    programs::y.store(kept ? *kept : 0, std::memory_order_relaxed);
    other.join();
}

/// Goes one of two ways. The first is long, so that another process is given the second, which is one execution, meets
/// an interrupt, and goes on for a while.
VERIFY("interrupted: in the second half") {
    if (!__VERIFIER_nondet_bool()) return programs::increments_of(8);
    constexpr timespec while_others_end{1, 0};
    syscall(SYS_nanosleep, &while_others_end, nullptr);
    syscall(SYS_kill, getpid(), SIGINT);
    for (int i = 0; i < 1000; ++i) programs::x.store(i, std::memory_order_relaxed);
}

VERIFY("rounds: attempts until another thread has written") {
    std::thread other([] { programs::y.store(1, std::memory_order_relaxed); });
    while (programs::y.load(std::memory_order_relaxed) == 0)
        programs::x.fetch_add(1, std::memory_order_relaxed);
    other.join();
}

} // namespace
