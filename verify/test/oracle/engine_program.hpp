// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs a program with real threads and real atomics, so that a checker which hooks compiled code can
// explore exactly what the enumerator enumerates. Header-only: it has to be compiled together with
// the program under test, instrumented. The threads only index fixed arrays; nothing allocates.

#include "program.hpp"

#include <ringproof/verify/interrupt.hpp>

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

namespace ringproof::verify::oracle {

using Registers = outcome;

struct shared_memory {
    // Initialised by the constructor, not by an atomic store: the initial value is no event.
    std::array<std::atomic<int>, max_atomics> atomics{};
    std::array<int, max_data> data{};
    std::array<std::mutex, max_mutexes> mutexes{};
};

/// Not seen by the checker: reading the program is no part of the program.
[[gnu::noinline, gnu::no_sanitize_thread]] inline operation fetch(const thread_code& code, int at) {
    return at < code.size ? code.operations[static_cast<std::size_t>(at)] : operation{};
}
[[gnu::noinline, gnu::no_sanitize_thread]] inline int size_of(const thread_code& code) { return code.size; }
[[gnu::noinline, gnu::no_sanitize_thread]] inline int next_run(int& runs) { return runs++; }

/// @param offset of the first register
inline void run_thread(const thread_code& code, shared_memory& memory, register_file& registers,
                       int offset = 0) {
    const int size = size_of(code);
    for (int at = 0; at < size; ++at) {
        operation step = fetch(code, at);
        if (step.target != no_register) step.target += offset;
        if (step.value.base != no_register) step.value.base += offset;
        if (step.expected.base != no_register) step.expected.base += offset;
        if (step.subject != no_register) step.subject += offset;
        const auto location = static_cast<std::size_t>(step.location);
        const int value = evaluate(step.value, registers);
        int old = 0;
        switch (step.kind) {
        case operation_kind::load:
            old = memory.atomics[location].load(step.order);
            break;
        case operation_kind::store:
            memory.atomics[location].store(value, step.order);
            break;
        case operation_kind::fetch_add:
            old = memory.atomics[location].fetch_add(value, step.order);
            break;
        case operation_kind::exchange:
            old = memory.atomics[location].exchange(value, step.order);
            break;
        case operation_kind::compare_exchange:
            old = evaluate(step.expected, registers);
            memory.atomics[location].compare_exchange_strong(old, value, step.order, step.failure);
            break;
        case operation_kind::fence:
            std::atomic_thread_fence(step.order);
            break;
        case operation_kind::await:
            while (!holds(old = memory.atomics[location].load(step.order), step.how, value))
                std::this_thread::yield();
            break;
        case operation_kind::plain_load:
            old = memory.data[location];
            break;
        case operation_kind::plain_store:
            memory.data[location] = value;
            break;
        case operation_kind::lock:
            memory.mutexes[location].lock();
            break;
        case operation_kind::unlock:
            memory.mutexes[location].unlock();
            break;
        case operation_kind::skip_if:
            if (holds(registers[static_cast<std::size_t>(step.subject)], step.how, value)) at += step.skip;
            break;
        }
        if (step.target != no_register) registers[static_cast<std::size_t>(step.target)] = old;
    }
}

/// The code of a thread, with the program's handler attached if it is that thread's.
inline void run_interruptibly(const program& what, shared_memory& memory, register_file& registers,
                              std::size_t thread) {
    if (what.handler.thread != static_cast<int>(thread))
        return run_thread(what.threads[thread], memory, registers);
    int runs = 0;
    const interrupt handler(
        [&] { run_thread(what.handler.code, memory, registers, handler_registers + 2 * next_run(runs)); },
        {static_cast<unsigned>(what.handler.times), static_cast<unsigned>(what.handler.depth)});
    run_thread(what.threads[thread], memory, registers);
}

/// Starts one thread for each of the program's, joins them all, and notes what they left behind.
/// The final relaxed loads happen after all stores, so they have one value to read.
inline void run_on_threads(const program& what, Registers& out) {
    shared_memory memory;
    std::array<register_file, max_threads> registers{};
    std::array<std::thread, max_threads> threads;
    for (int thread = 0; thread < what.size; ++thread) {
        const auto at = static_cast<std::size_t>(thread);
        threads[at] = std::thread(
            [&what, &memory, &registers, at] { run_interruptibly(what, memory, registers[at], at); });
    }
    for (int thread = 0; thread < what.size; ++thread) threads[static_cast<std::size_t>(thread)].join();
    out.registers = registers;
    for (std::size_t x = 0; x < memory.atomics.size(); ++x)
        out.atomics[x] = memory.atomics[x].load(std::memory_order_relaxed);
    out.data = memory.data;
}

} // namespace ringproof::verify::oracle
