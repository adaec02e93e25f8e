// SPDX-License-Identifier: Apache-2.0
#pragma once
// A yardstick is a program whose number of executions is known. The programs stand in one file per
// family, what is known of them in golden.inc.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <tuple>

#include <sched.h>

namespace yardsticks {

/// The sizes of one instance, in the order its name lists them; what is not used is 0.
struct parameters {
    int a = 0;
    int b = 0;
    int c = 0;
};

struct program {
    const char* name;
    unsigned arity; ///< how many of its parameters are printed
    void (*body)(const parameters&);
};

std::span<const program> litmus_programs();
std::span<const program> synthetic_programs();
std::span<const program> lock_programs();
std::span<const program> structure_programs();
std::span<const program> spsc_programs();
std::span<const program> mpsc_programs();
std::span<const program> shape_programs();

/// Runs each function as a thread of its own and waits for all of them.
template <class... Functions>
void together(Functions... functions) {
    std::array<std::thread, sizeof...(functions)> running = {std::thread(functions)...};
    for (std::thread& t : running) t.join();
}

inline constexpr int most_threads = 24;

/// Runs `function(i)` for i = 0 … n-1, each as a thread of its own, and waits for all of them.
template <class Function>
void threads(int n, Function function) {
    std::array<std::thread, most_threads> running;
    for (int i = 0; i < n; ++i) running[static_cast<std::size_t>(i)] = std::thread([=] { function(i); });
    for (int i = 0; i < n; ++i) running[static_cast<std::size_t>(i)].join();
}

/// Threads that know nothing of which they are; waits for all of them.
class alike {
  public:
    alike() = default;
    template <class Function>
    alike(int n, Function function) {
        add(n, function);
    }
    ~alike() {
        for (std::thread& t : running_)
            if (t.joinable()) t.join();
    }
    alike(const alike&) = delete;
    alike& operator=(const alike&) = delete;

    template <class Function>
    alike& add(int n, Function function) {
        while (n-- > 0) running_[size_++] = std::thread(function);
        return *this;
    }

  private:
    std::array<std::thread, most_threads> running_;
    std::size_t size_ = 0;
};

/// How a waiting loop tells the checker that a round had no effect.
enum class waiting : std::uint8_t {
    marked,  ///< by sched_yield()
    unmarked ///< not at all
};

template <waiting Waiting>
void round_without_effect() {
    if constexpr (Waiting == waiting::marked) sched_yield();
}

} // namespace yardsticks
