/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic update whose old value no register takes acquires nothing. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef OLD
#define OLD "wzr"
#endif

int data;
atomic_int ready;

static void* send(void* nothing) {
    data = 42;
    atomic_store_explicit(&ready, 2, memory_order_release);
    return nothing;
}

int main(void) {
    pthread_t sender;
    int after, got;
    pthread_create(&sender, NULL, send, NULL);
    __asm__ volatile(".arch armv8.1-a\n ldadda %w2, " OLD ", [%3]\n ldr %w0, [%3]\n ldr %w1, [%4]"
                     : "=&r"(after), "=&r"(got)
                     : "r"(1), "r"(&ready), "r"(&data)
                     : "w5", "memory");
    if (after == 3) assert(got == 42);
    pthread_join(sender, NULL);
    return 0;
}
