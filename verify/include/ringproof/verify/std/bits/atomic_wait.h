// SPDX-License-Identifier: Apache-2.0
// Found before libstdc++'s header of that name when a program is compiled for the checker. libstdc++ waits by
// looking a number of times and then sleeping, through a table of counters that all atomics share; the checker
// wants what this means and nothing else: look, and sleep until what was looked at is notified, or give up. All else
// stays as it is.
#pragma once

#define __atomic_wait_address_v __ringproof_library_wait_address_v
#define __atomic_wait_address __ringproof_library_wait_address
#define __atomic_wait_address_bare __ringproof_library_wait_address_bare
#define __atomic_notify_address __ringproof_library_notify_address
#define __atomic_notify_address_bare __ringproof_library_notify_address_bare
#define __atomic_spin __ringproof_library_spin
#include_next <bits/atomic_wait.h>
#undef __atomic_wait_address_v
#undef __atomic_wait_address
#undef __atomic_wait_address_bare
#undef __atomic_notify_address
#undef __atomic_notify_address_bare
#undef __atomic_spin

#if !defined(_GLIBCXX_RELEASE) || _GLIBCXX_RELEASE < 11 || _GLIBCXX_RELEASE > 14
#error "std::atomic's wait is modelled for libstdc++ 11 to 14 only"
#endif

extern "C" {
/// Begins (`waits` != 0) or ends a wait of the calling thread.
void ringproof_atomic_waits(int waits) noexcept;
/// Sleeps until `address`, which the calling thread has just read, is notified.
void ringproof_atomic_sleep(const void* address) noexcept;
void ringproof_atomic_notify(const void* address, int all) noexcept;
}

// The library's own macros open and close these; the formatter cannot tell.
// clang-format off
namespace std _GLIBCXX_VISIBILITY(default) {
    _GLIBCXX_BEGIN_NAMESPACE_VERSION

    namespace __detail {
    /// Gives up after so many looks, as try_acquire() may after one.
    template <typename Predicate, typename Spin = __default_spin_policy>
    bool __atomic_spin(Predicate& predicate, Spin = Spin{}) noexcept {
        return predicate();
    }
    }

    template <typename Value, typename Load>
    void __atomic_wait_address_v(const Value* address, Value old, Load load) noexcept {
        ringproof_atomic_waits(1);
        for (;;) {
            const Value seen = load();
            if (__builtin_memcmp(&seen, &old, sizeof(Value)) != 0) break;
            ringproof_atomic_sleep(address);
        }
        ringproof_atomic_waits(0);
    }

    template <typename Value, typename Predicate>
    void __atomic_wait_address(const Value* address, Predicate predicate) noexcept {
        ringproof_atomic_waits(1);
        while (!predicate()) ringproof_atomic_sleep(address);
        ringproof_atomic_waits(0);
    }

    template <typename Predicate>
    void __atomic_wait_address_bare(const __detail::__platform_wait_t* address,
                                    Predicate predicate) noexcept {
        std::__atomic_wait_address(address, predicate);
    }

    template <typename Value>
    void __atomic_notify_address(const Value* address, bool all) noexcept {
        ringproof_atomic_notify(address, all);
    }

    inline void __atomic_notify_address_bare(const __detail::__platform_wait_t* address, bool all) noexcept {
        ringproof_atomic_notify(address, all);
    }

    _GLIBCXX_END_NAMESPACE_VERSION
} // namespace std
