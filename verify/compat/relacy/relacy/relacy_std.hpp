// SPDX-License-Identifier: Apache-2.0
#pragma once
// As relacy.hpp, and std::atomic, std::mutex and the like take `$` too: their names stand for Relacy's from here on.

// First what else in the standard library is made of them.
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>

#include "relacy.hpp"

namespace std {

using rl::mo_acq_rel;
using rl::mo_acquire;
using rl::mo_consume;
using rl::mo_relaxed;
using rl::mo_release;
using rl::mo_seq_cst;

using rl::ringproof_atomic;
using rl::ringproof_atomic_flag;
using rl::ringproof_condition_variable;
using rl::ringproof_condition_variable_any;
using rl::ringproof_lock_guard;
using rl::ringproof_mutex;
using rl::ringproof_recursive_mutex;
using rl::ringproof_unique_lock;

inline void atomic_thread_fence(memory_order order, rl::debug_info) noexcept { atomic_thread_fence(order); }
inline void atomic_signal_fence(memory_order order, rl::debug_info) noexcept { atomic_signal_fence(order); }

} // namespace std

#define atomic ringproof_atomic
#define atomic_flag ringproof_atomic_flag
#define mutex ringproof_mutex
#define recursive_mutex ringproof_recursive_mutex
#define condition_variable ringproof_condition_variable
#define condition_variable_any ringproof_condition_variable_any
#define lock_guard ringproof_lock_guard
#define unique_lock ringproof_unique_lock
