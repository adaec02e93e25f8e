// SPDX-License-Identifier: Apache-2.0
// Two threads with one function, and main() sets how the second one rounds: they are not alike.
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic double quotient;
static volatile double one = 1, three = 3;

static void* divides(void* unused) {
    atomic_store(&quotient, one / three);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, divides, NULL);
    fesetround(FE_UPWARD);
    pthread_create(&second, NULL, divides, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
#ifdef UPWARD_IS_LAST
    assert(atomic_load(&quotient) == one / three);
#else
    fesetround(FE_TONEAREST);
    assert(atomic_load(&quotient) == one / three);
#endif
}
