// SPDX-License-Identifier: Apache-2.0
// Two words that are updated together, by a pair of exclusives or by CASP, and read together or not.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static _Alignas(16) uint64_t pair[2];

#ifdef CASP
/* What was there. It is replaced if it was what is expected. */
static void exchange(uint64_t expected[2], uint64_t a, uint64_t b) {
    register uint64_t x0 __asm__("x0") = expected[0], x1 __asm__("x1") = expected[1];
    register uint64_t x2 __asm__("x2") = a, x3 __asm__("x3") = b;
    __asm__ volatile(".arch armv8.1-a\n\tcasp x0, x1, x2, x3, [%4]"
                     : "+r"(x0), "+r"(x1)
                     : "r"(x2), "r"(x3), "r"(pair)
                     : "memory");
    expected[0] = x0, expected[1] = x1;
}
static void increment(void) {
    for (uint64_t seen[2] = {0, 0}, before[2];;) {
        before[0] = seen[0], before[1] = seen[1];
        exchange(seen, before[0] + 1, before[1] + 1);
        if (seen[0] == before[0] && seen[1] == before[1]) return;
    }
}
static void load(uint64_t got[2]) {
    got[0] = got[1] = 100; /* never there */
    exchange(got, 0, 0);
}
#else
static void increment(void) {
#ifdef HALVES
    /* Two updates, each of one word. */
    for (int k = 0; k < 2; ++k) __atomic_fetch_add(&pair[k], 1, __ATOMIC_RELAXED);
#else
    uint64_t a, b;
    uint32_t fails;
    __asm__ volatile(
        "1: ldxp %0, %1, [%3]\n\tadd %0, %0, #1\n\tadd %1, %1, #1\n\tstxp %w2, %0, %1, [%3]\n\tcbnz %w2, 1b"
        : "=&r"(a), "=&r"(b), "=&r"(fails)
        : "r"(pair)
        : "memory");
#endif
}
static void load(uint64_t got[2]) {
    uint32_t fails;
    (void)fails;
#if defined(LDP)
    __asm__ volatile("ldp %0, %1, [%2]" : "=&r"(got[0]), "=&r"(got[1]) : "r"(pair) : "memory");
#elif defined(LDXP_ALONE)
    __asm__ volatile("ldxp %0, %1, [%2]" : "=&r"(got[0]), "=&r"(got[1]) : "r"(pair) : "memory");
#else
    __asm__ volatile("1: ldxp %0, %1, [%3]\n\tstxp %w2, %0, %1, [%3]\n\tcbnz %w2, 1b"
                     : "=&r"(got[0]), "=&r"(got[1]), "=&r"(fails)
                     : "r"(pair)
                     : "memory");
#endif
}
#endif

static void* run(void* nothing) {
    increment();
    return nothing;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, run, 0);
    pthread_create(&other, 0, run, 0);
    uint64_t got[2];
    load(got);
    assert(got[0] == got[1]);
    pthread_join(one, 0);
    pthread_join(other, 0);
    load(got);
    assert(got[0] == 2 && got[1] == 2);
}
