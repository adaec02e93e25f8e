// SPDX-License-Identifier: Apache-2.0
#pragma once
// The variables of .NET in Relacy's words.

#define RL_CLI_MODE
#include "managed.hpp"

namespace rl {

template <class T>
using nvolatile = managed_var<T, std::memory_order_acquire, std::memory_order_release>;
template <class T>
using nvar = managed_var<T, std::memory_order_relaxed, std::memory_order_relaxed>;

struct Interlocked {
    template <class Var, class T>
    static T Add(Var& var, T value, debug_info = {}) {
        return var.word().fetch_add(value) + value;
    }
    template <class Var, class T>
    static T CompareExchange(Var& var, T desired, T expected, debug_info = {}) {
        var.word().compare_exchange_strong(expected, desired);
        return expected;
    }
    template <class Var>
    static auto Increment(Var& var, debug_info = {}) {
        return var.word().fetch_add(1) + 1;
    }
    template <class Var>
    static auto Decrement(Var& var, debug_info = {}) {
        return var.word().fetch_sub(1) - 1;
    }
    template <class Var, class T>
    static T Exchange(Var& var, T value, debug_info = {}) {
        return var.word().exchange(value);
    }
    template <class Var>
    static auto Read(Var& var, debug_info = {}) {
        return var.word().load(std::memory_order_acquire);
    }
};

struct Thread {
    static void MemoryBarrier(debug_info = {}) { std::atomic_thread_fence(std::memory_order_seq_cst); }
    template <class Var>
    static auto VolatileRead(Var& var, debug_info = {}) {
        return var.word().load(std::memory_order_acquire);
    }
    template <class Var, class T>
    static void VolatileWrite(Var& var, T value, debug_info = {}) {
        var.word().store(value, std::memory_order_release);
    }
    static void SpinWait(int, debug_info = {}) { ringproof::verify::pause(); }
};

} // namespace rl
