/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The vocabulary of tools/lib/perf/mmap.c, libperf's reader; C and D are what a scenario may take away. */

#include "taken_away.h"

#include <asm/types.h>
#include <limits.h>
#include <lkmm.h>
#include <sys/types.h>

typedef __u64 u64;
typedef __u32 u32;
typedef __u16 u16;
typedef __s64 s64;

#undef smp_load_acquire
#define smp_load_acquire(p)                                                                                  \
    __atomic_load_n(p, kernel_is_changed(head_acquire_taken) ? __ATOMIC_RELAXED : __ATOMIC_ACQUIRE)
#undef smp_store_release
#define smp_store_release(p, value)                                                                          \
    __atomic_store_n(p, value, kernel_is_changed(tail_release_taken) ? __ATOMIC_RELAXED : __ATOMIC_RELEASE)

#define WARN_ONCE(condition, ...) WARN_ON(condition)
#define min(a, b)                                                                                            \
    __extension__({                                                                                          \
        __typeof__(a) a_ = (a);                                                                              \
        __typeof__(b) b_ = (b);                                                                              \
        a_ < b_ ? a_ : b_;                                                                                   \
    })
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define __maybe_unused __attribute__((unused))
#undef __aligned
#define __aligned(n) __attribute__((aligned(n)))
#define __stringify_1(x) #x
#define __stringify(x) __stringify_1(x)
/* Only perf_mmap__read_self() calls it, which no scenario does. */
static inline u64 mul_u64_u32_shr(u64 a, u32 by, unsigned shift) {
    return (u64)(((unsigned __int128)a * by) >> shift);
}
