// SPDX-License-Identifier: Apache-2.0
// Accesses of one size into words of another.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef ACQUIRE
#define ACQUIRE __ATOMIC_ACQUIRE
#endif
#ifndef RELEASE
#define RELEASE __ATOMIC_RELEASE
#endif

typedef uint32_t __attribute__((may_alias)) half;
typedef uint16_t __attribute__((may_alias)) quarter;
static uint64_t word;
static uint32_t lock, counter;
static half* halves(void) { return (half*)&word; }

#if defined(TICKETS)
/* A ticket lock as operating systems have it: one update takes a ticket in the upper half of the word and reads who is
 * served in the lower half; unlock() stores the lower half alone. */
static void* run(void* nothing) {
    const uint32_t seen = __atomic_fetch_add(&lock, 1u << 16, ACQUIRE);
    while (__atomic_load_n((quarter*)&lock, ACQUIRE) != seen >> 16) {
    }
    ++counter;
    __atomic_store_n((quarter*)&lock, (quarter)((seen >> 16) + 1), RELEASE);
    return nothing;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, run, 0);
    pthread_create(&other, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(counter == 2 && lock == (2u << 16 | 2));
}
#else
static void* run(void* nothing) {
#if defined(HALVES_WRITTEN)
    __atomic_store_n(&halves()[1], 1, __ATOMIC_RELAXED);
    __atomic_store_n(&halves()[0], 1, RELEASE);
#else
    __atomic_store_n(&word, 0x100000001u, RELEASE); /* data in the upper half, a flag in the lower */
#endif
    return nothing;
}
int main(void) {
    pthread_t writer;
    pthread_create(&writer, 0, run, 0);
#if defined(WORD_READ)
    const uint64_t all = __atomic_load_n(&word, ACQUIRE);
    const uint32_t flag = (uint32_t)all, data = (uint32_t)(all >> 32);
#else
    const uint32_t flag = __atomic_load_n(&halves()[0], ACQUIRE);
    const uint32_t data = __atomic_load_n(&halves()[1], __ATOMIC_RELAXED);
#endif
#if defined(ALL_OR_NOTHING)
    assert(flag == data);
#else
    assert(!flag || data);
#endif
    __atomic_store_n(&halves()[1], 7, __ATOMIC_RELAXED); /* so that the word is written in halves, too */
    pthread_join(writer, 0);
}
#endif
