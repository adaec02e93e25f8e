// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstdint>

#include "ringproof/concepts/refused.hpp"

namespace ringproof {

/// What a session stamps its records with: `monotonic_clock`. A model has `now()`, which doesn't go back, from whatever CPU
/// one looks.
template <class Clock>
concept clock_policy = requires {
    { Clock::now() } -> std::same_as<std::uint64_t>;
};

/// What guards a list that is seldom changed: `std::mutex`, or anything else that a std::lock_guard takes.
template <class Mutex>
concept mutex_policy = std::default_initializable<Mutex> && requires(Mutex& mutex) {
    mutex.lock();
    mutex.unlock();
};

namespace detail {

/// Each fails with the reason why this is no model. @return whether there is one
template <class Clock>
constexpr bool explain_clock() {
    static_assert(clock_policy<Clock>, "Clock lacks now(), a std::uint64_t");
    return !clock_policy<Clock>;
}
template <class Mutex>
constexpr bool explain_mutex() {
    static_assert(mutex_policy<Mutex>, "Mutex lacks lock(), unlock() or a constructor without arguments");
    return !mutex_policy<Mutex>;
}

} // namespace detail

} // namespace ringproof
