// SPDX-License-Identifier: Apache-2.0
#pragma once
// rl::test_suite and rl::simulate. main() of a program in Relacy's words runs once, and each suite that it simulates
// becomes a test that the checker explores to the end.

#include "words.hpp"

#include <cxxabi.h>
#include <iostream>
#include <ringproof/verify/check.hpp>
#include <typeinfo>

namespace rl {

enum test_result_e {
    test_result_success,
    test_result_until_condition_hit,
    test_result_inconsistent_test_suite,
    test_result_user_assert_failed,
    test_result_user_invariant_failed,
    test_result_data_race,
    test_result_access_to_freed_memory,
    test_result_double_free,
    test_result_memory_leak,
    test_result_resource_leak,
    test_result_unitialized_access,
    test_result_deadlock,
    test_result_livelock,
    test_result_recursion_on_nonrecursive_mutex,
    test_result_unlocking_mutex_wo_ownership,
    test_result_destroying_owned_mutex,
    test_result_double_initialization_of_mutex,
    test_result_usage_of_non_initialized_mutex,
    test_result_mutex_write_to_read_upgrade,
    test_result_mutex_read_to_write_upgrade,
    test_result_double_initialization_of_condvar,
    test_result_usage_of_non_initialized_condvar,
    test_result_double_initialization_of_semaphore,
    test_result_usage_of_non_initialized_semaphore,
    test_result_double_initialization_of_event,
    test_result_usage_of_non_initialized_event,
    test_result_thread_signal
};

/// The checker's words for an error that Relacy calls `result`; empty: any error.
inline std::vector<std::string> errors_of(test_result_e result) {
    switch (result) {
    case test_result_until_condition_hit:
    case test_result_user_assert_failed:
    case test_result_user_invariant_failed:
        return {"assertion"};
    case test_result_data_race:
        return {"race"};
    case test_result_access_to_freed_memory: // in C++ a free that nothing orders with the access is a race
        return {"use after free", "race", "wild access"};
    case test_result_double_free:
        return {"double free", "race", "use after free", "wild access"};
    case test_result_memory_leak:
    case test_result_resource_leak:
        return {"leak"};
    case test_result_unitialized_access:
        return {"uninitialised read", "assertion"};
    case test_result_deadlock: // a wait that is a loop
    case test_result_livelock:
        return {"deadlock", "livelock"};
    case test_result_recursion_on_nonrecursive_mutex:
        return {"deadlock", "lock misuse"};
    case test_result_unlocking_mutex_wo_ownership:
    case test_result_destroying_owned_mutex:
    case test_result_mutex_write_to_read_upgrade:
    case test_result_mutex_read_to_write_upgrade:
        return {"lock misuse", "deadlock"};
    default:
        return {};
    }
}

enum scheduler_type_e {
    sched_random,
    sched_bound,
    sched_full,
    sched_count,
    random_scheduler_type = sched_random,
    fair_context_bound_scheduler_type = sched_bound,
    fair_full_search_scheduler_type = sched_full,
    scheduler_type_count
};

inline const char* format(scheduler_type_e) { return "every execution"; }

/// Bounds, seeds and streams of Relacy's own search mean nothing to an exhaustive one. A program may set them; a search is
/// bounded, continued, replayed and written down by options of `ringproof check`. Relacy's systematic schedulers stay with
/// a thread that does not yield, up to execution_depth_limit steps, and report a livelock: a suite that is simulated by one
/// of them has that error too.
struct test_params {
    iteration_t iteration_count = 1000;
    std::ostream* output_stream = &std::cout;
    std::ostream* progress_stream = &std::cout;
    unsigned progress_output_period = 3;
    bool collect_history = false;
    bool output_history = false;
    scheduler_type_e search_type = random_scheduler_type;
    unsigned context_bound = 1;
    unsigned execution_depth_limit = 2000;
    string initial_state;
    // What the program reads afterwards: main() goes on as if the suite did what it is expected to.
    test_result_e test_result = test_result_success;
    iteration_t stop_iteration = 0;
    string test_name;
    string final_state;
};

template <class Suite, thread_id_t Threads, test_result_e Result = test_result_success>
struct test_suite {
    static constexpr thread_id_t dynamic_thread_count = 0;

    struct params {
        static constexpr thread_id_t static_thread_count = Threads;
        static constexpr thread_id_t dynamic_thread_count = Suite::dynamic_thread_count;
        static constexpr thread_id_t thread_count = static_thread_count + dynamic_thread_count;
        static constexpr test_result_e expected_result = Result;
    };

    test_suite() = default;
    test_suite(const test_suite&) = delete;
    test_suite& operator=(const test_suite&) = delete;

    using ringproof_suite = test_suite;
    void invariant() {}
    void before() {}
    void after() {}
};

/// One execution of a suite: it is made, its threads run, and it is destroyed.
template <class Suite>
class execution {
    struct thread_start {
        Suite* suite;
        unsigned index;
    };

    static void* enter(void* start) {
        const thread_start& own = *static_cast<thread_start*>(start);
        own_index() = own.index;
        own.suite->thread(own.index);
        return nullptr;
    }

  public:
    static void run() {
        constexpr auto count = static_cast<unsigned>(Suite::params::static_thread_count);
        static_assert(count > 0, "rl::test_suite<T, 0> has no thread to run");
        Suite suite = Suite(); // with its plain members zero, as Relacy's
        suite.before();
        thread_start starts[count];
        pthread_t threads[count];
        for (unsigned i = 0; i < count; ++i) {
            starts[i] = {&suite, i};
            pthread_create(&threads[i], nullptr, &enter, &starts[i]);
        }
        for (const pthread_t thread : threads) pthread_join(thread, nullptr);
        suite.after();
    }
};

template <class Suite>
std::string name_of() {
    const char* const name = typeid(Suite).name();
    char* const readable = abi::__cxa_demangle(name, nullptr, nullptr, nullptr);
    std::string text = readable ? readable : name;
    std::free(readable);
    return text;
}

/// Makes Suite a test of this program, unless it is one already. @return true: the verdict comes later
template <class Suite>
bool simulate(test_params& params) {
    static_assert(
        std::is_same_v<decltype(&Suite::invariant), void (Suite::ringproof_suite::*)()>,
        "invariant() is not supported: under relaxed memory there is no moment at which all threads agree on "
        "what is in memory. State what has to hold in thread() where it is relied on, or in after()");
    static bool named = false, unfair = false;
    params.test_name = name_of<Suite>();
    params.test_result = Suite::params::expected_result;
    if (params.search_type != random_scheduler_type && !unfair) {
        unfair = true;
        if (named) ringproof::verify::schedule_unfairly(params.test_name);
    }
    if (named) return true;
    named = true;
    ringproof::verify::scenario_options options;
    options.unfair = unfair;
#ifndef RL_GC
    options.leaks = true;
#endif
    if (Suite::params::expected_result != test_result_success) {
        options.expect = ringproof::verify::verdict::refuted;
        options.errors = errors_of(Suite::params::expected_result);
    }
    const ringproof::verify::registrar test(params.test_name, &execution<Suite>::run, options, "", 1);
    return true;
}

template <class Suite>
bool simulate() {
    test_params params;
    return simulate<Suite>(params);
}

using simulate_f = bool (*)(test_params&);

/// A function as a suite of one thread, which creates the others.
template <void (*Function)(), std::size_t Threads>
struct simulate_thunk : test_suite<simulate_thunk<Function, Threads>, 1> {
    static constexpr thread_id_t dynamic_thread_count = static_cast<thread_id_t>(Threads);
    void thread(unsigned) { Function(); }
};

template <void (*Function)(), std::size_t Threads>
bool execute(test_params& params) {
    return simulate<simulate_thunk<Function, Threads>>(params);
}

template <void (*Function)(), std::size_t Threads>
bool execute() {
    return simulate<simulate_thunk<Function, Threads>>();
}

/// Before main(): what it simulates is explored, not main() itself.
inline const bool suites_are_named = (ringproof::verify::main_names_scenarios(), true);

} // namespace rl
