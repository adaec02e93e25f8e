/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Requests to the checker, by the numbers of service in src/thread_run.hpp. */
#include <stdint.h>

/* Which atomic instructions the helpers of the compiler's libraries take: 0 the exclusives of Armv8.0, 1 those of Armv8.1
 * (LSE). */
#ifndef RINGPROOF_LSE
#define RINGPROOF_LSE 0
#endif

#define ASK(NUMBER, A, B, C)                                                                                 \
    ({                                                                                                       \
        register uint64_t x0 __asm__("x0") = (uint64_t)(A);                                                  \
        register uint64_t x1 __asm__("x1") = (uint64_t)(B);                                                  \
        register uint64_t x2 __asm__("x2") = (uint64_t)(C);                                                  \
        __asm__ volatile("svc %1" : "+r"(x0) : "i"(NUMBER), "r"(x1), "r"(x2) : "memory");                    \
        x0;                                                                                                  \
    })

enum {
    create = 0x601,
    join,
    end,
    fail,
    allocate,
    lock,
    unlock,
    try_lock,
    yield,
    wait_begin,
    wait_end,
    notify,
    look,
    pass,
    take_shared,
    drop_shared,
    refuse
};
