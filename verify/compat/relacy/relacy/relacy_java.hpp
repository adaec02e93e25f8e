// SPDX-License-Identifier: Apache-2.0
#pragma once
// Java's variables in Relacy's words.

#define RL_JAVA_MODE
#include "managed.hpp"

namespace rl {

template <class T>
using jvolatile = managed_var<T, std::memory_order_seq_cst, std::memory_order_seq_cst>;
template <class T>
using jvar = managed_var<T, std::memory_order_relaxed, std::memory_order_relaxed>;

} // namespace rl
