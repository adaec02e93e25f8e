// SPDX-License-Identifier: Apache-2.0
// The atomic half of the interface that -fsanitize=thread compiles calls to.

#include "hooks.hpp"

namespace ringproof::opinions {
namespace {

constexpr int order_bits = 7; ///< those above are hints for hardware lock elision

template <class T>
access describe(const volatile T* p, int order, place where) {
    return {reinterpret_cast<std::uintptr_t>(p), sizeof(T), order & order_bits, where};
}

template <class T>
void keep(const volatile T* p) {
    keep_static(reinterpret_cast<std::uintptr_t>(p), sizeof(T));
}

template <class T>
T load(const volatile T* p, int order, place where) {
    const hook with;
    if (!with) return __atomic_load_n(p, __ATOMIC_SEQ_CST);
    return static_cast<T>(with->load(describe(p, order, where)));
}

template <class T>
void store(volatile T* p, T value, int order, place where) {
    const hook with;
    if (with) {
        with->store(describe(p, order, where), value);
        keep(p);
    }
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST); // the program's memory has the newest value
}

template <class T>
T update(volatile T* p, change operation, T operand, int order, place where) {
    const hook with;
    const T before = with ? static_cast<T>(with->update(describe(p, order, where), operation, operand)) : *p;
    if (with) keep(p);
    *p = static_cast<T>(changed(operation, before, operand));
    return before;
}

template <class T>
bool compare_exchange(volatile T* p, T* expected, T desired, int order, int failure, bool weak, place where) {
    const hook with;
    if (!with)
        return __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    std::uint64_t seen = *expected;
    const bool done =
        with->compare_exchange(describe(p, order, where), failure & order_bits, weak, seen, desired);
    if (done) {
        keep(p);
        *p = desired;
    } else {
        *expected = static_cast<T>(seen);
    }
    return done;
}

void fence(int order, place where) {
    const hook with;
    if (with && (order & order_bits) != __ATOMIC_RELAXED) with->fence(order & order_bits, where);
}

} // namespace
} // namespace ringproof::opinions

namespace shim = ringproof::opinions;

#define RINGPROOF_UPDATE(T, bits, name, what)                                                                \
    RINGPROOF_HOOK T __tsan_atomic##bits##_##name(volatile T* p, T value, int order) {                       \
        return shim::update(p, shim::change::what, value, order, RINGPROOF_PLACE);                           \
    }

#define RINGPROOF_ATOMICS(T, bits)                                                                           \
    RINGPROOF_HOOK T __tsan_atomic##bits##_load(const volatile T* p, int order) {                            \
        return shim::load(p, order, RINGPROOF_PLACE);                                                        \
    }                                                                                                        \
    RINGPROOF_HOOK void __tsan_atomic##bits##_store(volatile T* p, T value, int order) {                     \
        shim::store(p, value, order, RINGPROOF_PLACE);                                                       \
    }                                                                                                        \
    RINGPROOF_UPDATE(T, bits, exchange, exchange)                                                            \
    RINGPROOF_UPDATE(T, bits, fetch_add, add)                                                                \
    RINGPROOF_UPDATE(T, bits, fetch_sub, sub)                                                                \
    RINGPROOF_UPDATE(T, bits, fetch_and, bit_and)                                                            \
    RINGPROOF_UPDATE(T, bits, fetch_or, bit_or)                                                              \
    RINGPROOF_UPDATE(T, bits, fetch_xor, bit_xor)                                                            \
    RINGPROOF_UPDATE(T, bits, fetch_nand, bit_nand)                                                          \
    RINGPROOF_HOOK int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T desired,  \
                                                                     int order, int failure) {               \
        return shim::compare_exchange(p, expected, desired, order, failure, false, RINGPROOF_PLACE);         \
    }                                                                                                        \
    RINGPROOF_HOOK int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T desired,    \
                                                                   int order, int failure) {                 \
        return shim::compare_exchange(p, expected, desired, order, failure, true, RINGPROOF_PLACE);          \
    }                                                                                                        \
    RINGPROOF_HOOK T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T desired,        \
                                                                int order, int failure) {                    \
        shim::compare_exchange(p, &expected, desired, order, failure, false, RINGPROOF_PLACE);               \
        return expected;                                                                                     \
    }

RINGPROOF_ATOMICS(std::uint8_t, 8)
RINGPROOF_ATOMICS(std::uint16_t, 16)
RINGPROOF_ATOMICS(std::uint32_t, 32)
RINGPROOF_ATOMICS(std::uint64_t, 64)

RINGPROOF_HOOK void __tsan_atomic_thread_fence(int order) { shim::fence(order, RINGPROOF_PLACE); }
RINGPROOF_HOOK void __tsan_atomic_signal_fence(int) {} // no handlers run here
