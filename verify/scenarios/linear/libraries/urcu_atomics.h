/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* liburcu's atomic operations on x86 are inline assembly, which the checker does not see: the compiler's stand in their place. */

// NOLINTBEGIN(readability-identifier-naming): the names are liburcu's
#include <stdbool.h>
#if __has_include(<urcu/uatomic/builtins.h>)
#define CONFIG_RCU_USE_ATOMIC_BUILTINS 1 /* since liburcu 0.15 */
#else
#define _URCU_ARCH_UATOMIC_X86_H /* in place of urcu/uatomic/x86.h */
#define uatomic_xchg(address, value) __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST)
#define uatomic_cmpxchg(address, old, new)                                                                   \
    __extension__({                                                                                          \
        __typeof__(*(address)) expected_ = (old);                                                            \
        __atomic_compare_exchange_n(address, &expected_, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
        expected_;                                                                                           \
    })
#include <urcu/compiler.h>
#include <urcu/system.h>
#define uatomic_set(address, value) CMM_STORE_SHARED(*(address), value)
#define uatomic_read(address) CMM_LOAD_SHARED(*(address))
#endif
#define _LGPL_SOURCE
// NOLINTEND(readability-identifier-naming)
