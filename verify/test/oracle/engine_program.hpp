// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs a program with real threads and real atomics, so that a checker which hooks compiled code can
// explore exactly what the enumerator enumerates. Header-only: it has to be compiled together with
// the program under test, instrumented. The threads only index fixed arrays, unless they are to allocate, which
// changes nothing but what the values carry.

#include "engine_memory.hpp"

#include <ringproof/verify/interrupt.hpp>
#include <ringproof/verify/verifier.h>
#include <ringproof/verify/verify.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace ringproof::verify::oracle {

using Registers = outcome;

/// Not seen by the checker: reading the program is no part of the program.
[[gnu::noinline, gnu::no_sanitize_thread]] inline operation fetch(const thread_code& code, int at) {
    return at < code.size ? code.operations[static_cast<std::size_t>(at)] : operation{};
}
[[gnu::noinline, gnu::no_sanitize_thread]] inline int size_of(const thread_code& code) { return code.size; }
[[gnu::noinline, gnu::no_sanitize_thread]] inline int next_run(int& runs) { return runs++; }
[[gnu::noinline, gnu::no_sanitize_thread]] inline surroundings surroundings_of(const program& what) {
    return what.within;
}
[[gnu::noinline, gnu::no_sanitize_thread]] inline bool uses_own_word(const thread_code& code) {
    for (int at = 0; at < code.size; ++at)
        if (code[at].kind == operation_kind::own_load || code[at].kind == operation_kind::own_store ||
            code[at].kind == operation_kind::renew)
            return true;
    return false;
}

/// What the threads do with memory of their own between their steps.
enum class allocating {
    never,
    idly,  ///< before each store
    shown, ///< and what is stored carries where, above the value: so it has to be there in every execution
};
/// How compare-exchanges are made.
enum class exchanging {
    strongly,
    weakly,
    by_choice ///< strongly, or else only a load, with the failure's order, that sees what was expected
};
inline exchanging exchanges = exchanging::strongly;
[[gnu::noinline, gnu::no_sanitize_thread]] inline exchanging how_to_exchange() { return exchanges; }
inline constexpr int failed =
    64; ///< added to what a register gets that is weakly or by choice: values are smaller

/// @param seen what is expected, and then what was seen
inline bool compare_exchange(std::atomic<int>& object, int& seen, int desired, const operation& step) {
    switch (how_to_exchange()) {
    case exchanging::strongly:
        break;
    case exchanging::weakly:
        return object.compare_exchange_weak(seen, desired, step.order, step.failure);
    case exchanging::by_choice:
        if (!__VERIFIER_nondet_bool()) break;
        assume(object.load(step.failure) == seen);
        return false;
    }
    return object.compare_exchange_strong(seen, desired, step.order, step.failure);
}

inline constexpr int carried = 256; ///< times what tells the allocation; values are smaller

inline int carry(allocating how, int value) {
    if (how == allocating::never) return value;
    void* const mine = std::malloc(16 + static_cast<std::size_t>(value & 3) * 16);
    const auto place = static_cast<int>(reinterpret_cast<std::uintptr_t>(mine) / 16 % 0x8000);
    if (value & 1) std::free(mine);
    return how == allocating::shown ? place * carried + value : value;
}
inline int without_place(allocating how, int value) {
    return how == allocating::shown ? value % carried : value;
}

/// Whether what the program compares with could not be told from where it was stored.
inline bool compares_values(const program& what) {
    const auto compares = [](const operation& o) { return o.kind == operation_kind::compare_exchange; };
    const auto any = [&](const thread_code& code) {
        return std::any_of(code.operations.begin(), code.operations.begin() + code.size, compares);
    };
    return any(what.handler.code) || std::any_of(what.threads.begin(), what.threads.end(), any);
}
/// Whether there is room above the values.
inline bool has_room(const program& what) {
    return std::all_of(what.within.width.begin(), what.within.width.end(), [](int w) { return w == 0; });
}

/// What a waiting loop does in a round without effect.
inline void wait_a_little(bool sleeps) {
    if (sleeps)
        std::this_thread::sleep_for(std::chrono::microseconds(1));
    else
        std::this_thread::yield();
}

/// What an atomic operation reads, if it does. Inlined: what a call leaves on the stack would be where a handler
/// within the handler has its own, and tell apart where that came in.
[[gnu::always_inline]] inline int access_atomically(shared_memory& memory, const surroundings& within,
                                                    const operation& step, int value, int expected,
                                                    allocating how) {
    if (width_of(within, step.location) != 0)
        return access_wide(memory, within, step.location,
                           {step.kind, value, expected, step.order, step.failure});
    auto& location =
        *reinterpret_cast<std::atomic<int>*>(memory.atomics.data() + offset_of(within, step.location));
    switch (step.kind) {
    case operation_kind::store:
        location.store(carry(how, value), step.order);
        return 0;
    case operation_kind::fetch_add:
        return location.fetch_add(value, step.order);
    case operation_kind::exchange:
        return location.exchange(carry(how, value), step.order);
    case operation_kind::compare_exchange:
        location.compare_exchange_strong(expected, carry(how, value), step.order, step.failure);
        return expected;
    default:
        return location.load(step.order);
    }
}

/// @param own null for a handler, which has none @param offset of the first register
inline void run_thread(const thread_code& code, shared_memory& memory, register_file& registers,
                       const surroundings& within, own_word* own, allocating how, int offset = 0) {
    const int size = size_of(code);
    for (int at = 0; at < size; ++at) {
        operation step = fetch(code, at);
        if (step.target != no_register) step.target += offset;
        if (step.value.base != no_register) step.value.base += offset;
        if (step.expected.base != no_register) step.expected.base += offset;
        if (step.subject != no_register) step.subject += offset;
        const auto location = static_cast<std::size_t>(step.location);
        const int value = evaluate(step.value, registers);
        const auto look = [&]() __attribute__((always_inline)) {
            return access_atomically(memory, within, step, 0, 0, how);
        };
        int old = 0;
        switch (step.kind) {
        case operation_kind::load:
        case operation_kind::store:
        case operation_kind::fetch_add:
        case operation_kind::exchange:
            old = access_atomically(memory, within, step, value, 0, how);
            break;
        case operation_kind::compare_exchange:
            if (how_to_exchange() == exchanging::strongly || width_of(within, step.location) != 0) {
                old = access_atomically(memory, within, step, value, evaluate(step.expected, registers), how);
                break;
            }
            old = evaluate(step.expected, registers);
            if (!compare_exchange(*reinterpret_cast<std::atomic<int>*>(memory.atomics.data() +
                                                                       offset_of(within, step.location)),
                                  old, carry(how, value), step))
                old += failed;
            break;
        case operation_kind::fence:
            std::atomic_thread_fence(step.order);
            break;
        case operation_kind::await:
            while (!holds(without_place(how, old = look()), step.how, value)) wait_a_little(within.sleeps);
            break;
        case operation_kind::counted_wait:
            for (int rounds = 0; rounds < step.size; ++rounds) {
                if (holds(without_place(how, old = look()), step.how, value)) break;
                wait_a_little(within.sleeps);
            }
            break;
        case operation_kind::plain_load:
            old = memory.data[location];
            break;
        case operation_kind::plain_store:
            memory.data[location] = value;
            break;
        case operation_kind::bytes_load:
            old = digest_at(memory.bytes.data() + location, step.size);
            break;
        case operation_kind::bytes_store:
            fill_at(memory.bytes.data() + location, step.size, value);
            break;
        case operation_kind::own_load:
            old = own->load();
            break;
        case operation_kind::own_store:
            own->store(value);
            break;
        case operation_kind::renew:
            own->renew();
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
        if (step.target != no_register)
            registers[static_cast<std::size_t>(step.target)] = without_place(how, old);
    }
}

/// The code of a thread, with the program's handler attached if it is that thread's.
inline void run_interruptibly(const program& what, shared_memory& memory, register_file& registers,
                              std::size_t thread, allocating how) {
    const surroundings within = surroundings_of(what);
    own_word own(within.own, uses_own_word(what.threads[thread]));
    if (what.handler.thread != static_cast<int>(thread))
        return run_thread(what.threads[thread], memory, registers, within, &own, how);
    int runs = 0;
    const interrupt handler(
        [&] {
            run_thread(what.handler.code, memory, registers, within, nullptr, allocating::never,
                       handler_registers + 2 * next_run(runs));
        },
        {static_cast<unsigned>(what.handler.times), static_cast<unsigned>(what.handler.depth)});
    run_thread(what.threads[thread], memory, registers, within, &own, how);
}

/// Starts one thread for each of the program's, joins them all, and notes what they left behind.
/// The final relaxed loads happen after all stores, so they have one value to read.
inline void run_on_threads(const program& what, Registers& out, allocating how = allocating::never) {
    // A thread that allocates can tell between which of its allocations a handler came in.
    if (what.handler.thread >= 0) how = allocating::never;
    const surroundings within = surroundings_of(what);
    shared_memory on_stack;
    obtained_memory obtained(within.shared, on_stack);
    shared_memory& memory = *obtained;
    std::array<register_file, max_threads> registers{};
    std::array<std::thread, max_threads> threads;
    for (int thread = 0; thread < what.size; ++thread) {
        const auto at = static_cast<std::size_t>(thread);
        threads[at] = std::thread([&what, &memory, &registers, at, how] {
            run_interruptibly(what, memory, registers[at], at, how);
        });
    }
    for (int thread = 0; thread < what.size; ++thread) threads[static_cast<std::size_t>(thread)].join();
    out.registers = registers;
    for (int x = 0; x < max_atomics; ++x) {
        const operation last{.kind = operation_kind::load, .location = x, .order = std::memory_order_relaxed};
        out.atomics[static_cast<std::size_t>(x)] =
            without_place(how, access_atomically(memory, within, last, 0, 0, how));
    }
    out.data = memory.data;
    out.bytes = memory.bytes;
}

} // namespace ringproof::verify::oracle
