/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What LCRQ asks of the headers beside it, for the checker. Its compare-exchange of 16 bytes is inline assembly there, which the
 * checker does not see: the compiler's stands in its place. Hazard pointers are left out, as nothing is freed here. */

// NOLINTBEGIN(readability-identifier-naming): the names are LCRQ's
#include <stdbool.h>
#include <stdint.h>

#define PRIMITIVES_H /* in place of primitives.h */
#define FAA(address, value) __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST)
#define CAS(address, expected, value)                                                                        \
    __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
/* Whether the bit was not set. */
#define BTAS(address, bit) (!(__atomic_fetch_or(address, 1ull << (bit), __ATOMIC_SEQ_CST) >> (bit)&1))
#define CAS2(address, first, second, new_first, new_second)                                                  \
    exchange_pair((void*)(address), first, second, new_first, new_second)

__extension__ typedef unsigned __int128 pair_of_words;
static inline pair_of_words pair_of(uint64_t first, uint64_t second) {
    return (pair_of_words)second << 64 | first;
}
/* Both words at once, if they are what is expected; otherwise tells what they are. (LCRQ_IGNORES_INDICES: the first is, whatever
 * the second one is.) */
static inline bool exchange_pair(pair_of_words* at, uint64_t* first, uint64_t* second, uint64_t new_first,
                                 uint64_t new_second) {
#ifdef LCRQ_IGNORES_INDICES
    *second = __atomic_load_n((uint64_t*)at + 1, __ATOMIC_SEQ_CST);
#endif
    pair_of_words seen = pair_of(*first, *second);
    const bool done = __atomic_compare_exchange_n(at, &seen, pair_of(new_first, new_second), false,
                                                  __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    *first = (uint64_t)seen, *second = (uint64_t)(seen >> 64);
    return done;
}

#define HZDPTR_H /* in place of hzdptr.h */
typedef struct {
    void** ptrs;
    int nptrs, nretired, nprocs;
} hzdptr_t;
#define hzdptr_setv(address, hazards, index) (*(address))
#define hzdptr_clear(hazards, index) ((void)0)
#define hzdptr_retire(hazards, address) ((void)0)
#define hzdptr_init(hazards, threads, pointers) ((void)0)
// NOLINTEND(readability-identifier-naming)
