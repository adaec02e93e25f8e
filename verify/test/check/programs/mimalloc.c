/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads over mimalloc: one allocates, the other frees. */
#include <assert.h>
#include <mimalloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

_Atomic(int*) box;

static void* frees(void* unused) {
    int* const p = atomic_load_explicit(&box, memory_order_acquire);
    if (p) {
        assert(*p == 7);
        mi_free(p);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, frees, NULL);
    int* const p = mi_malloc(sizeof *p);
    *p = 7;
    atomic_store_explicit(&box, p, memory_order_release);
    pthread_join(thread, NULL);
    return 0;
}
