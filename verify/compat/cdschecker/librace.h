/* SPDX-License-Identifier: Apache-2.0 */
/* CDSChecker's words for plain data: here they are plain accesses, like all others that the program does. */
#pragma once

#include <stdint.h>

/* The object is declared as what it is, and accessed as a number of its size. */
typedef uint8_t ringproof_8 __attribute__((may_alias));
typedef uint16_t ringproof_16 __attribute__((may_alias));
typedef uint32_t ringproof_32 __attribute__((may_alias));
typedef uint64_t ringproof_64 __attribute__((may_alias));

#define RINGPROOF_PLAIN_ACCESS(bits)                                                                         \
    static inline __attribute__((always_inline)) void store_##bits(void* address, uint##bits##_t value) {    \
        *(ringproof_##bits*)address = value;                                                                 \
    }                                                                                                        \
    static inline __attribute__((always_inline)) uint##bits##_t load_##bits(const void* address) {           \
        return *(const ringproof_##bits*)address;                                                            \
    }

RINGPROOF_PLAIN_ACCESS(8)
RINGPROOF_PLAIN_ACCESS(16)
RINGPROOF_PLAIN_ACCESS(32)
RINGPROOF_PLAIN_ACCESS(64)

#undef RINGPROOF_PLAIN_ACCESS
