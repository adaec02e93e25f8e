// SPDX-License-Identifier: Apache-2.0
// The atomic half of the interface that -fsanitize=thread compiles calls to. The program's memory
// orders arrive here at run time, with the place in the program.

#include "../runtime/runtime.hpp"
#include "orders.hpp"
#include "weak_sites.hpp"

#include <cstring>
#include <dlfcn.h>
#include <string>
#include <type_traits>

#ifdef __clang__
// 16 bytes at once go through libatomic, which is what is wanted for callers that are not the program.
#pragma clang diagnostic ignored "-Watomic-alignment"
#endif

#define RINGPROOF_HOOK extern "C" __attribute__((visibility("default")))

namespace ringproof::verify {
namespace {

constexpr order orders[] = {order::relaxed, order::acquire, order::acquire,
                            order::release, order::acq_rel, order::seq_cst};

order to_order(int mo) { return orders[mo & 7]; } // the high bits are hardware lock elision hints

/// Whether an access is what it says and no more: no program runs, or no other thread can see it. The thread's
/// own handlers may, and may come in before it.
bool native(const volatile void* p, void* site) {
    if (!runtime::running()) return true;
    if (!runtime::active()->is_private(reinterpret_cast<std::uintptr_t>(p))) return false;
    runtime::active()->handlers().place(0, reinterpret_cast<std::uintptr_t>(site));
    return true;
}

/// What the program asks for, or what is tried in its place.
order given(ordered what, int mo, void* site) {
    return order_table::given(reinterpret_cast<std::uintptr_t>(site), what, to_order(mo));
}

template <class T>
request make_request(action act, ordered what, volatile T* p, int mo, void* site) {
    request r;
    r.act = act;
    r.mo = given(what, mo, site);
    r.size = sizeof(T);
    r.address = reinterpret_cast<std::uintptr_t>(p);
    r.site = reinterpret_cast<std::uintptr_t>(site);
    return r;
}

template <class T>
T load(const volatile T* p, int mo, void* site, std::uintptr_t frame, const void* into = nullptr) {
    if (native(p, site)) return __atomic_load_n(p, __ATOMIC_SEQ_CST);
    request r = make_request(action::load, ordered::load, const_cast<T*>(p), mo, site);
    r.frame = frame;
    r.into = reinterpret_cast<std::uintptr_t>(into);
    return static_cast<T>(runtime::active()->visible(r));
}

template <class T>
void store(volatile T* p, T v, int mo, void* site, std::uintptr_t frame) {
    if (native(p, site)) return __atomic_store_n(p, v, __ATOMIC_SEQ_CST);
    request r = make_request(action::store, ordered::store, p, mo, site);
    r.operand = v;
    r.frame = frame;
    runtime::active()->visible(r);
}

template <class T>
T modify(volatile T* p, T v, int mo, rmw_op op, void* site, std::uintptr_t frame,
         const void* into = nullptr) {
    if (native(p, site)) {
        switch (op) {
        case rmw_op::exchange:
            return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);
        case rmw_op::add:
            return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
        case rmw_op::sub:
            return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST);
        case rmw_op::bit_and:
            return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST);
        case rmw_op::bit_or:
            return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST);
        case rmw_op::bit_xor:
            return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST);
        case rmw_op::bit_nand:
            return __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST);
        }
    }
    request r = make_request(action::modify, ordered::modify, p, mo, site);
    r.op = op;
    r.operand = v;
    r.frame = frame;
    r.into = reinterpret_cast<std::uintptr_t>(into);
    return static_cast<T>(runtime::active()->visible(r));
}

/// Where the program keeps what it expects may be memory that others see, such as a node of its own: then this
/// is an access like any other, and a round of a loop that changes it is no round without effect.
template <class T>
void access_expected(T* expected, bool write, void* site) {
    if (runtime::running())
        runtime::active()->accesses().plain_beyond_stack(reinterpret_cast<std::uintptr_t>(expected),
                                                         sizeof(T), write,
                                                         reinterpret_cast<std::uintptr_t>(site));
}

template <class T>
struct compared {
    T seen;
    bool exchanged;
};

template <class T>
compared<T> compare_exchange(volatile T* p, T expected, T desired, int mo, int mo_fail, bool weak, void* site,
                             std::uintptr_t frame, const void* into = nullptr) {
    if (native(p, site)) {
        const bool same =
            __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        return {expected, same};
    }
    request r = make_request(action::compare, ordered::compare, p, mo, site);
    r.mo_fail = given(ordered::failed_compare, mo_fail, site);
    r.expected = expected;
    r.operand = desired;
    r.frame = frame;
    r.into = reinterpret_cast<std::uintptr_t>(into);
    r.weak = weak;
    const T seen = static_cast<T>(runtime::active()->visible(r));
    return {seen, seen == expected && !runtime::active()->self().failed_spuriously};
}

/// As clang calls it. The program takes seeing the expected value for success, so it cannot be told of a spurious failure.
template <class T>
T compare_exchange_seen(volatile T* p, T expected, T desired, int mo, int mo_fail, void* site,
                        std::uintptr_t frame) {
    const auto [seen, exchanged] = compare_exchange<T>(p, expected, desired, mo, mo_fail, false, site, frame);
    if (exchanged && runtime::running()) {
        const auto place = reinterpret_cast<std::uintptr_t>(site);
        const runtime::inside engine;
        if (may_be_weak(place))
            runtime::active()->facts().take_for_granted(assumption::spurious_failure, place);
    }
    return seen;
}

} // namespace
} // namespace ringproof::verify

namespace rv = ringproof::verify;
__extension__ using u128 = unsigned __int128;

#define RINGPROOF_SITE __builtin_return_address(0)
#define RINGPROOF_ATOMIC_RMW(bits, T, name, op)                                                              \
    RINGPROOF_HOOK T __tsan_atomic##bits##_##name(volatile T* p, T v, int mo) {                              \
        return rv::modify<T>(p, v, mo, rv::rmw_op::op, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);             \
    }
#define RINGPROOF_ATOMIC_CAS(bits, T, name, weak)                                                            \
    RINGPROOF_HOOK int __tsan_atomic##bits##_compare_exchange_##name(volatile T* p, T* expected, T desired,  \
                                                                     int mo, int mo_fail) {                  \
        rv::access_expected(expected, false, RINGPROOF_SITE);                                                \
        const auto [seen, exchanged] = rv::compare_exchange<T>(                                              \
            p, *expected, desired, mo, mo_fail, weak, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME, expected);    \
        if (exchanged) return 1;                                                                             \
        rv::access_expected(expected, true, RINGPROOF_SITE);                                                 \
        *expected = seen;                                                                                    \
        return 0;                                                                                            \
    }
#define RINGPROOF_ATOMICS(bits, T)                                                                           \
    RINGPROOF_HOOK T __tsan_atomic##bits##_load(const volatile T* p, int mo) {                               \
        return rv::load<T>(p, mo, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);                                  \
    }                                                                                                        \
    RINGPROOF_HOOK void __tsan_atomic##bits##_store(volatile T* p, T v, int mo) {                            \
        rv::store<T>(p, v, mo, RINGPROOF_SITE, RINGPROOF_PROGRAM_FRAME);                                     \
    }                                                                                                        \
    RINGPROOF_ATOMIC_RMW(bits, T, exchange, exchange)                                                        \
    RINGPROOF_ATOMIC_RMW(bits, T, fetch_add, add)                                                            \
    RINGPROOF_ATOMIC_RMW(bits, T, fetch_sub, sub)                                                            \
    RINGPROOF_ATOMIC_RMW(bits, T, fetch_and, bit_and)                                                        \
    RINGPROOF_ATOMIC_RMW(bits, T, fetch_or, bit_or)                                                          \
    RINGPROOF_ATOMIC_RMW(bits, T, fetch_xor, bit_xor)                                                        \
    RINGPROOF_ATOMIC_RMW(bits, T, fetch_nand, bit_nand)                                                      \
    RINGPROOF_ATOMIC_CAS(bits, T, strong, false)                                                             \
    RINGPROOF_ATOMIC_CAS(bits, T, weak, true)                                                                \
    RINGPROOF_HOOK T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T desired,        \
                                                                int mo, int mo_fail) {                       \
        return rv::compare_exchange_seen<T>(p, expected, desired, mo, mo_fail, RINGPROOF_SITE,               \
                                            RINGPROOF_PROGRAM_FRAME);                                        \
    }

RINGPROOF_ATOMICS(8, unsigned char)
RINGPROOF_ATOMICS(16, unsigned short)
RINGPROOF_ATOMICS(32, unsigned)
RINGPROOF_ATOMICS(64, unsigned long)
RINGPROOF_ATOMICS(128, u128)

// clang calls libatomic for 16 bytes, and both compilers do for sizes that no processor has.
namespace {

void* next_in_libatomic(const char* function) { return dlsym(RTLD_NEXT, function); }

/// Calls f with a null pointer to the integer of `size` bytes.
template <class Function>
auto by_size(std::size_t size, void* site, Function f) {
    switch (size) {
    case 1:
        return f(static_cast<unsigned char*>(nullptr));
    case 2:
        return f(static_cast<unsigned short*>(nullptr));
    case 4:
        return f(static_cast<unsigned*>(nullptr));
    case 8:
        return f(static_cast<unsigned long*>(nullptr));
    case 16:
        return f(static_cast<u128*>(nullptr));
    default:
        rv::runtime::active()->fail_here(rv::failure_kind::unsupported,
                                         "an atomic of " + std::to_string(size) +
                                             " bytes, for which libatomic takes a lock, is not supported",
                                         reinterpret_cast<std::uintptr_t>(site), 0);
    }
}

template <class T>
T bytes_of(const void* p) {
    T v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

/// The program's own copy of what it read.
void give(void* to, const void* from, std::size_t size, void* site) {
    rv::runtime::active()->accesses().plain_beyond_stack(reinterpret_cast<std::uintptr_t>(to), size, true,
                                                         reinterpret_cast<std::uintptr_t>(site));
    std::memcpy(to, from, size);
}

} // namespace

extern "C" {
__attribute__((visibility("default"))) void rv_load(std::size_t, const volatile void*, void*,
                                                    int) __asm__("__atomic_load");
__attribute__((visibility("default"))) void rv_store(std::size_t, volatile void*, const void*,
                                                     int) __asm__("__atomic_store");
__attribute__((visibility("default"))) void rv_exchange(std::size_t, volatile void*, const void*, void*,
                                                        int) __asm__("__atomic_exchange");
__attribute__((visibility("default"))) bool rv_compare_exchange(std::size_t, volatile void*, void*,
                                                                const void*, int,
                                                                int) __asm__("__atomic_compare_exchange");
}

void rv_load(std::size_t size, const volatile void* p, void* to, int mo) {
    if (!rv::runtime::running())
        return reinterpret_cast<decltype(&rv_load)>(next_in_libatomic("__atomic_load"))(size, p, to, mo);
    void* const site = RINGPROOF_SITE;
    const std::uintptr_t frame = RINGPROOF_PROGRAM_FRAME;
    by_size(size, site, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        const T seen = rv::load<T>(static_cast<const volatile T*>(p), mo, site, frame, to);
        give(to, &seen, size, site);
    });
}

void rv_store(std::size_t size, volatile void* p, const void* from, int mo) {
    if (!rv::runtime::running())
        return reinterpret_cast<decltype(&rv_store)>(next_in_libatomic("__atomic_store"))(size, p, from, mo);
    void* const site = RINGPROOF_SITE;
    by_size(size, site, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        rv::store<T>(static_cast<volatile T*>(p), bytes_of<T>(from), mo, site, 0);
    });
}

void rv_exchange(std::size_t size, volatile void* p, const void* from, void* to, int mo) {
    if (!rv::runtime::running())
        return reinterpret_cast<decltype(&rv_exchange)>(next_in_libatomic("__atomic_exchange"))(size, p, from,
                                                                                                to, mo);
    void* const site = RINGPROOF_SITE;
    const std::uintptr_t frame = RINGPROOF_PROGRAM_FRAME;
    by_size(size, site, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        const T seen = rv::modify<T>(static_cast<volatile T*>(p), bytes_of<T>(from), mo, rv::rmw_op::exchange,
                                     site, frame, to);
        give(to, &seen, size, site);
    });
}

bool rv_compare_exchange(std::size_t size, volatile void* p, void* expected, const void* desired, int mo,
                         int mo_fail) {
    if (!rv::runtime::running())
        return reinterpret_cast<decltype(&rv_compare_exchange)>(
            next_in_libatomic("__atomic_compare_exchange"))(size, p, expected, desired, mo, mo_fail);
    void* const site = RINGPROOF_SITE;
    const std::uintptr_t frame = RINGPROOF_PROGRAM_FRAME;
    return by_size(size, site, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        const T wanted = bytes_of<T>(expected);
        const T seen = rv::compare_exchange<T>(static_cast<volatile T*>(p), wanted, bytes_of<T>(desired), mo,
                                               mo_fail, false, site, frame, expected)
                           .seen;
        if (seen != wanted) give(expected, &seen, size, site);
        return seen == wanted;
    });
}

RINGPROOF_HOOK void __tsan_atomic_thread_fence(int mo) {
    if (!rv::runtime::running()) return __atomic_thread_fence(__ATOMIC_SEQ_CST);
    rv::request r;
    r.act = rv::action::fence;
    r.mo = rv::given(rv::ordered::fence, mo, RINGPROOF_SITE);
    if (r.mo == rv::order::relaxed) return;
    r.site = reinterpret_cast<std::uintptr_t>(RINGPROOF_SITE);
    rv::runtime::active()->visible(r);
}

// Orders a thread with its own handlers only.
RINGPROOF_HOOK void __tsan_atomic_signal_fence(int mo) {
    if (!rv::runtime::running()) return;
    const rv::order given = rv::given(rv::ordered::signal_fence, mo, RINGPROOF_SITE);
    if (given == rv::order::relaxed) return;
    rv::runtime::active()->handlers().compiler_barrier(given,
                                                       reinterpret_cast<std::uintptr_t>(RINGPROOF_SITE));
}
