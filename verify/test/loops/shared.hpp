// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the threads of a program share while it runs under the checker, and the thread's own memory.
// Compiled instrumented, together with whatever runs the program.

#include "program.hpp"
#include "surroundings.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <memory>
#include <thread>

namespace ringproof::verify::loops {

struct shared_memory {
    // Initialised by the constructor, not by an atomic store: the initial value is no event.
    std::array<std::atomic<int>, max_locations> locations{};
    std::array<int*, max_threads> cells{};
    std::array<registers, max_threads> reported{};
    std::array<std::array<int, private_cells>, max_threads> own{};
};

/// The compiler knows nothing of what is behind the pointer afterwards.
inline void escape(void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

/// What one of a program's threads does; `own` is its private memory.
using thread_body = void (*)(const program& what, std::size_t thread, shared_memory& shared, int* own);

/// Makes the thread's cell and its private memory, and runs its code.
inline void run_thread(const program& what, std::size_t thread, shared_memory& shared, thread_body code) {
    if (what.uses_cells) shared.cells[thread] = new int(0);
    if (what.private_memory == placement::others_stack) {
        code(what, thread, shared, shared.own[thread].data());
    } else if (what.private_memory == placement::own_stack) {
        std::array<int, private_cells> own{};
        escape(own.data());
        code(what, thread, shared, own.data());
        escape(own.data());
    } else if (what.private_memory == placement::mapped) {
        int* const own = new_page(true);
        code(what, thread, shared, own);
        drop_page(own, true);
    } else if (what.private_memory == placement::thread_variable) {
        escape(thread_variable());
        code(what, thread, shared, thread_variable());
    } else {
        const std::unique_ptr<int[]> own(new int[private_cells]());
        code(what, thread, shared, own.get());
    }
}

/// Starts the threads, joins them, and notes what is left.
inline void run_on_threads(const program& what, outcome& left, thread_body code) {
    shared_memory shared;
    std::array<std::thread, max_threads> threads;
    const auto size = static_cast<std::size_t>(what.size);
    for (std::size_t t = 0; t < size; ++t)
        threads[t] = std::thread([&what, &shared, code, t] { run_thread(what, t, shared, code); });
    for (std::size_t t = 0; t < size; ++t) threads[t].join();
    for (std::size_t t = 0; t < size; ++t) delete shared.cells[t];
    left.reported = shared.reported;
    for (std::size_t x = 0; x < shared.locations.size(); ++x)
        left.locations[x] = shared.locations[x].load(std::memory_order_relaxed);
}

/// What a failed assertion is.
inline void fail() { verify::fail("what must not be reached", __FILE__, __LINE__); }

} // namespace ringproof::verify::loops
