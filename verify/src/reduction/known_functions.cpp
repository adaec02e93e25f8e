// SPDX-License-Identifier: Apache-2.0
#include "known_functions.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <iterator>
#include <string_view>

namespace ringproof::verify {
namespace {

/// Functions of the checker that read the program's memory through their arguments alone: how a name begins and ends, or all
/// of it, and how many arguments there are.
constexpr struct {
    std::string_view begin, end;
    int arguments;
} understood[] = {
    {"__tsan_read", "", 0}, // what is there is not what it does
    {"__tsan_write", "", 0},
    {"__tsan_unaligned_", "", 0},
    {"__tsan_atomic", "_load", 2},
    {"__tsan_atomic", "_store", 3},
    {"__tsan_atomic", "_exchange", 3},
    {"__tsan_atomic", "_fetch_add", 3},
    {"__tsan_atomic", "_fetch_sub", 3},
    {"__tsan_atomic", "_fetch_and", 3},
    {"__tsan_atomic", "_fetch_or", 3},
    {"__tsan_atomic", "_fetch_xor", 3},
    {"__tsan_atomic", "_fetch_nand", 3},
    {"__tsan_atomic", "_compare_exchange_strong", 5},
    {"__tsan_atomic", "_compare_exchange_weak", 5},
    {"__tsan_atomic", "_compare_exchange_val", 5},
    {"__tsan_atomic_", "_fence", 1},
    {"__ringproof_reads", "", 0}, // as __tsan_read
    {"__ringproof_writes", "", 0},
    {"__ringproof_evaluated", "", 0},
    {"__assert_fail", "", 4}, // which ends the execution
    {"sched_yield", "", 0},
    {"nanosleep", "", 2},
    {"clock_nanosleep", "", 4},
    {"usleep", "", 1},
    {"_ZNSt6chrono3_V212s", "_clock3nowEv", 0}, // steady_clock, system_clock
    {"clock_gettime", "", 2},
    {"pthread_mutex_", "lock", 3}, // and unlock, trylock, timedlock, clocklock
    {"pthread_rwlock_", "lock", 3},
    {"pthread_spin_", "lock", 1},
    {"pthread_cond_", "wait", 4}, // and timedwait, clockwait
    {"pthread_cond_signal", "", 1},
    {"pthread_cond_broadcast", "", 1},
    {"pthread_barrier_wait", "", 1},
    {"sem_", "wait", 3}, // and trywait, timedwait, clockwait
    {"sem_post", "", 1},
    {"ringproof_semaphore_", "", 3},
    {"ringproof_condition_", "", 3},
};

} // namespace

/// Bytes that an atomic access of this name has: __tsan_atomic32_load.
static std::uint8_t bytes_of(std::string_view name) {
    constexpr std::string_view begin = "__tsan_atomic";
    if (!name.starts_with(begin)) return 0;
    unsigned bits = 0;
    for (const char c : name.substr(begin.size())) {
        if (c < '0' || c > '9') break;
        bits = 10 * bits + static_cast<unsigned>(c - '0');
    }
    return static_cast<std::uint8_t>(bits / 8);
}

/// What is known of a function of another library. The C++ library throws exceptions by some. What saves registers for
/// later, or starts another process, does not only return.
static known_function of_library(std::string_view name) {
    constexpr std::string_view others[] = {"jmp", "jump", "context", "fork", "clone", "unwind", "Unwind"};
    known_function made;
    made.keeps_registers = std::none_of(std::begin(others), std::end(others),
                                        [&](std::string_view part) { return name.find(part) != name.npos; });
    made.throws = name == "__cxa_throw" || (name.starts_with("_ZSt") && name.find("__throw_") != name.npos);
    made.goes_elsewhere = !made.keeps_registers;
    made.ends = name == "_ZSt9terminatev" || name == "abort" || name == "__stack_chk_fail";
    if (name == "__cxa_allocate_exception") made.arguments = 1;
    return made;
}

known_function known_functions::of(std::uintptr_t function) {
    const auto [at, unknown] = known_.emplace(function, known_function{});
    if (!unknown) return at->second;
    Dl_info found{};
    if (dladdr(reinterpret_cast<const void*>(function), &found) == 0 || !found.dli_sname ||
        found.dli_saddr != reinterpret_cast<const void*>(function))
        return at->second;
    const std::string_view name = found.dli_sname;
    at->second = of_library(name);
    if (!memory_.in_engine(function)) return at->second;
    for (const auto& k : understood)
        if (name.starts_with(k.begin) && name.ends_with(k.end)) at->second.arguments = k.arguments;
    at->second.ends |= name == "__assert_fail";
    at->second.keeps_all = name.starts_with("__ringproof_reads") || name == "__ringproof_writes";
    at->second.announces = name.starts_with("__tsan_") || at->second.keeps_all;
    at->second.first = bytes_of(name);
    if (name.ends_with("_strong") || name.ends_with("_weak")) at->second.second = at->second.first;
    return at->second;
}

} // namespace ringproof::verify
