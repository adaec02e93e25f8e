/* SPDX-License-Identifier: Apache-2.0 */
/* In the place of ck's inline assembly: what the manual pages say of a machine that reorders, in C11's words. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 ck_two_words;

#define ck_pr_load_ptr(at) __atomic_load_n(at, __ATOMIC_RELAXED)
#define ck_pr_store_ptr(at, value) __atomic_store_n(at, value, __ATOMIC_RELAXED)
#define ck_pr_fas_ptr(at, value) __atomic_exchange_n(at, value, __ATOMIC_RELAXED)
#define ck_pr_fence_load() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define ck_pr_fence_store() __atomic_thread_fence(__ATOMIC_RELEASE)
#define ck_pr_fence_store_atomic() __atomic_thread_fence(__ATOMIC_RELEASE)

static inline bool ck_pr_cas_ptr_value(void* at, void* seen, void* value, void* result) {
    const bool done =
        __atomic_compare_exchange_n((void**)at, &seen, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    *(void**)result = seen;
    return done;
}
static inline bool ck_pr_cas_ptr(void* at, void* seen, void* value) {
    return __atomic_compare_exchange_n((void**)at, &seen, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Release: to a machine both words are one store. Who has seen one of them, and has a fence, sees the other; C11 says so
   of release alone. */
#define CK_F_PR_CAS_PTR_2_VALUE
static inline bool ck_pr_cas_ptr_2_value(void* at, void* seen, void* value, void* result) {
    ck_two_words expected, wanted;
    __builtin_memcpy(&expected, seen, sizeof expected);
    __builtin_memcpy(&wanted, value, sizeof wanted);
    const bool done = __atomic_compare_exchange_n((ck_two_words*)at, &expected, wanted, false,
                                                  __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    __builtin_memcpy(result, &expected, sizeof expected);
    return done;
}
