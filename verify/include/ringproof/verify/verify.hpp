// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a scenario includes: VERIFY defines one, VERIFY_THAT states what must hold in every execution.
//
//     VERIFY("message passing: the flag publishes the data", .models = {rc11}) {
//         int data = 0;
//         std::atomic<bool> ready{false};
//         std::thread writer([&] { data = 42; ready.store(true, std::memory_order_release); });
//         while (!ready.load(std::memory_order_acquire)) verify::pause();
//         VERIFY_THAT(data == 42);
//         writer.join();
//     }
//
// The code is compiled with -fsanitize=thread, so that every access to memory calls the checker, and
// linked without; ringproof_add_scenarios() in CMake does both.

#if __cplusplus < 202002L
#error "ringproof's checker needs C++20: -std=c++20, or target_compile_features(… cxx_std_20) in CMake"
#include <ringproof needs C++20> // no header: it ends the compilation, before the errors that would follow
#endif
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#define RINGPROOF_VERIFY_API __attribute__((visibility("default")))

namespace ringproof::verify {

/// The memory models a scenario can be verified under.
enum class memory_model : std::uint8_t {
    sc,   ///< interleavings
    tso,  ///< x86: a store may be delayed past later loads
    rc11, ///< ISO C++20 as repaired by RC11
    ra    ///< release and acquire everywhere, and nothing stronger; replay tokens have these numbers
};

enum class verdict : std::uint8_t {
    verified,     ///< every execution within the bounds was explored, at least one was complete
    refuted,      ///< an execution breaks a property; the counterexample shows it
    inconclusive, ///< a budget or bound ended the search
    skipped,
    error ///< the checker could not do its work
};

/// What can be said about a scenario beside its body.
struct scenario_options {
    std::vector<memory_model> models = {memory_model::rc11};
    /// A mutant expects to be refuted: a scenario set that cannot fail proves nothing.
    verdict expect = verdict::verified;
    /// The barrier of the A–E table that this mutant relaxes, if it is one; 0 otherwise.
    char mutant = 0;
    /// Situations that some execution must have met (see cover()); the scenario fails without them.
    std::vector<std::string> covers = {};
    /// Kinds of assumptions that do not stand against "verified" (see docs/assumptions.md): "clock", "random", …
    std::vector<std::string> assumes = {};
    /// What a complete execution has not freed is an error, as with --leaks.
    bool leaks = false;
    /// The kinds of error ("race", "deadlock" …) that count where it expects to be refuted; empty: any.
    std::vector<std::string> errors = {};
    /// A loop that waits for another thread without yielding is an error, as with --unfair.
    bool unfair = false;
};

struct scenario {
    std::string name;
    void (*body)();
    scenario_options options;
    const char* file;
    int line;
};

/// Registers a scenario of this executable; VERIFY calls it before main.
struct RINGPROOF_VERIFY_API registrar {
    registrar(std::string_view name, void (*body)(), scenario_options options, const char* file, int line);
};

/// Marks a round of a waiting loop that had no effect: the thread goes on when something it read
/// changes. std::this_thread::yield() does the same.
RINGPROOF_VERIFY_API void pause();

/// Only executions in which `condition` holds go on; the others count as blocked.
RINGPROOF_VERIFY_API void assume(bool condition);

/// Notes that an execution met the named situation ("full", "wrap", …), for scenario_options::covers.
RINGPROOF_VERIFY_API void cover(const char* situation);

/// Notes that a property was evaluated; a verdict says so when none was.
RINGPROOF_VERIFY_API void evaluated() noexcept;

/// Reports that `expression` did not hold; does not return while a scenario runs.
RINGPROOF_VERIFY_API void fail(const char* expression, const char* file, int line);

/// The command line of a scenario binary. @return the exit code
RINGPROOF_VERIFY_API int run_scenarios(int argc, char** argv);

} // namespace ringproof::verify

#define RINGPROOF_VERIFY_CONCAT_(a, b) a##b
#define RINGPROOF_VERIFY_CONCAT(a, b) RINGPROOF_VERIFY_CONCAT_(a, b)
#define RINGPROOF_VERIFY_DEFINE(function, scenario_name, ...)                                                \
    static void function();                                                                                  \
    static const ::ringproof::verify::registrar RINGPROOF_VERIFY_CONCAT(function, _registrar)(               \
        scenario_name, &function,                                                                            \
        [] {                                                                                                 \
            using enum ::ringproof::verify::memory_model;                                                    \
            using enum ::ringproof::verify::verdict;                                                         \
            return ::ringproof::verify::scenario_options{__VA_ARGS__};                                       \
        }(),                                                                                                 \
        __FILE__, __LINE__);                                                                                 \
    static void function()

/// VERIFY("name", options…) { body }: options are designated initialisers of scenario_options.
#define VERIFY(...)                                                                                          \
    RINGPROOF_VERIFY_DEFINE(RINGPROOF_VERIFY_CONCAT(ringproof_scenario_, __COUNTER__), __VA_ARGS__, )

/// States what must hold at this point in every execution.
#define VERIFY_THAT(...)                                                                                     \
    do {                                                                                                     \
        ::ringproof::verify::evaluated();                                                                    \
        if (!(__VA_ARGS__)) ::ringproof::verify::fail(#__VA_ARGS__, __FILE__, __LINE__);                     \
    } while (false)
