// SPDX-License-Identifier: Apache-2.0
#pragma once
// rl::atomic: std::atomic whose functions take a source position besides, and which `x($)` gives back.

#include "words.hpp"

namespace rl {

// The name is what relacy_std.hpp makes of `atomic`.
template <class T>
class ringproof_atomic : public std::atomic<T> {
    static_assert(std::is_trivially_copyable_v<T>, "rl::atomic<T> is for types that can be copied as bytes");
    static_assert(
        sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,
        "rl::atomic<T> is for types of 1, 2, 4, 8 or 16 bytes: what is larger is no single access on any "
        "machine. Use rl::var<T> with rl::mutex");
    using base = std::atomic<T>;

  public:
    ringproof_atomic() noexcept = default;
    ringproof_atomic(T value) noexcept : base(value) {}

    RINGPROOF_RELACY_INLINE ringproof_atomic& operator()(debug_info) noexcept { return *this; }
    RINGPROOF_RELACY_INLINE const ringproof_atomic& operator()(debug_info) const noexcept { return *this; }

    RINGPROOF_RELACY_INLINE T load(memory_order order = mo_seq_cst, debug_info = {}) const noexcept {
        return base::load(asked(order));
    }
    RINGPROOF_RELACY_INLINE void store(T value, memory_order order = mo_seq_cst, debug_info = {}) noexcept {
        base::store(value, asked(order));
    }
    RINGPROOF_RELACY_INLINE T operator=(T value) noexcept {
        base::store(value);
        return value;
    }
    RINGPROOF_RELACY_INLINE T exchange(T value, memory_order order = mo_seq_cst, debug_info = {}) noexcept {
        return base::exchange(value, asked(order));
    }

    RINGPROOF_RELACY_INLINE bool
    compare_exchange_weak(T& expected, T desired, memory_order order = mo_seq_cst, debug_info = {}) noexcept {
        return base::compare_exchange_weak(expected, desired, asked(order));
    }
    RINGPROOF_RELACY_INLINE bool compare_exchange_weak(T& expected, T desired, memory_order success,
                                                       memory_order failure, debug_info = {}) noexcept {
        return base::compare_exchange_weak(expected, desired, asked(success), asked(failure));
    }
    RINGPROOF_RELACY_INLINE bool compare_exchange_weak(T& expected, T desired, memory_order success,
                                                       debug_info, memory_order failure,
                                                       debug_info = {}) noexcept {
        return base::compare_exchange_weak(expected, desired, asked(success), asked(failure));
    }
    RINGPROOF_RELACY_INLINE bool compare_exchange_strong(T& expected, T desired,
                                                         memory_order order = mo_seq_cst,
                                                         debug_info = {}) noexcept {
        return base::compare_exchange_strong(expected, desired, asked(order));
    }
    RINGPROOF_RELACY_INLINE bool compare_exchange_strong(T& expected, T desired, memory_order success,
                                                         memory_order failure, debug_info = {}) noexcept {
        return base::compare_exchange_strong(expected, desired, asked(success), asked(failure));
    }
    RINGPROOF_RELACY_INLINE bool compare_exchange_strong(T& expected, T desired, memory_order success,
                                                         debug_info, memory_order failure,
                                                         debug_info = {}) noexcept {
        return base::compare_exchange_strong(expected, desired, asked(success), asked(failure));
    }

    // Templates, since not each T has them.
    template <class Operand>
    RINGPROOF_RELACY_INLINE T fetch_add(Operand value, memory_order order = mo_seq_cst,
                                        debug_info = {}) noexcept {
        if constexpr (requires(base & b) { b.fetch_add(value, order); })
            return base::fetch_add(value, asked(order));
        else
            return update([value](T old) { return static_cast<T>(old + value); }, order);
    }
    template <class Operand>
    RINGPROOF_RELACY_INLINE T fetch_sub(Operand value, memory_order order = mo_seq_cst,
                                        debug_info = {}) noexcept {
        if constexpr (requires(base & b) { b.fetch_sub(value, order); })
            return base::fetch_sub(value, asked(order));
        else
            return update([value](T old) { return static_cast<T>(old - value); }, order);
    }
    template <class Operand>
    RINGPROOF_RELACY_INLINE T fetch_and(Operand value, memory_order order = mo_seq_cst,
                                        debug_info = {}) noexcept {
        if constexpr (requires(base & b) { b.fetch_and(value, order); })
            return base::fetch_and(value, asked(order));
        else
            return update([value](T old) { return static_cast<T>(old & value); }, order);
    }
    template <class Operand>
    RINGPROOF_RELACY_INLINE T fetch_or(Operand value, memory_order order = mo_seq_cst,
                                       debug_info = {}) noexcept {
        if constexpr (requires(base & b) { b.fetch_or(value, order); })
            return base::fetch_or(value, asked(order));
        else
            return update([value](T old) { return static_cast<T>(old | value); }, order);
    }
    template <class Operand>
    RINGPROOF_RELACY_INLINE T fetch_xor(Operand value, memory_order order = mo_seq_cst,
                                        debug_info = {}) noexcept {
        if constexpr (requires(base & b) { b.fetch_xor(value, order); })
            return base::fetch_xor(value, asked(order));
        else
            return update([value](T old) { return static_cast<T>(old ^ value); }, order);
    }

    RINGPROOF_RELACY_INLINE void wait(T old, memory_order order = mo_seq_cst,
                                      debug_info = {}) const noexcept {
        base::wait(old, asked(order));
    }
    RINGPROOF_RELACY_INLINE void notify_one(debug_info = {}) noexcept { base::notify_one(); }
    RINGPROOF_RELACY_INLINE void notify_all(debug_info = {}) noexcept { base::notify_all(); }

    /// For messages; here an access like any other.
    T debug_value() const { return base::load(mo_relaxed); }

  private:
    /// A class with operators is updated as a machine without such an instruction does it.
    template <class Change>
    RINGPROOF_RELACY_INLINE T update(Change changed, memory_order order) noexcept {
        T old = base::load(mo_relaxed);
        while (!base::compare_exchange_strong(old, changed(old), asked(order), mo_relaxed)) {
        }
        return old;
    }
};

class ringproof_atomic_flag {
  public:
    ringproof_atomic_flag() noexcept = default;
    ringproof_atomic_flag(bool set) noexcept : flag_(set) {}
    ringproof_atomic_flag(const ringproof_atomic_flag&) = delete;
    ringproof_atomic_flag& operator=(const ringproof_atomic_flag&) = delete;

    RINGPROOF_RELACY_INLINE void clear(memory_order order = mo_seq_cst, debug_info = {}) noexcept {
        flag_.store(false, order);
    }
    RINGPROOF_RELACY_INLINE bool test_and_set(memory_order order = mo_seq_cst, debug_info = {}) noexcept {
        return flag_.exchange(true, order);
    }
    RINGPROOF_RELACY_INLINE bool test(memory_order order = mo_seq_cst, debug_info = {}) const noexcept {
        return flag_.load(order);
    }
    RINGPROOF_RELACY_INLINE void wait(bool old, memory_order order = mo_seq_cst,
                                      debug_info = {}) const noexcept {
        flag_.wait(old, order);
    }
    RINGPROOF_RELACY_INLINE void notify_one(debug_info = {}) noexcept { flag_.notify_one(); }
    RINGPROOF_RELACY_INLINE void notify_all(debug_info = {}) noexcept { flag_.notify_all(); }

  private:
    std::atomic<bool> flag_{false};
};

template <class T>
using atomic = ringproof_atomic<T>;
using atomic_flag = ringproof_atomic_flag;

using atomic_bool = ringproof_atomic<bool>;
using atomic_address = ringproof_atomic<void*>;
using atomic_char = ringproof_atomic<char>;
using atomic_schar = ringproof_atomic<signed char>;
using atomic_uchar = ringproof_atomic<unsigned char>;
using atomic_short = ringproof_atomic<short>;
using atomic_ushort = ringproof_atomic<unsigned short>;
using atomic_int = ringproof_atomic<int>;
using atomic_uint = ringproof_atomic<unsigned>;
using atomic_long = ringproof_atomic<long>;
using atomic_ulong = ringproof_atomic<unsigned long>;
using atomic_llong = ringproof_atomic<long long>;
using atomic_ullong = ringproof_atomic<unsigned long long>;
using atomic_wchar_t = ringproof_atomic<wchar_t>;
using atomic_intptr_t = ringproof_atomic<std::intptr_t>;
using atomic_uintptr_t = ringproof_atomic<std::uintptr_t>;
using atomic_size_t = ringproof_atomic<std::size_t>;
using atomic_ptrdiff_t = ringproof_atomic<std::ptrdiff_t>;

} // namespace rl

#define RL_ATOMIC_FLAG_INIT ::rl::ringproof_atomic_flag(false)
