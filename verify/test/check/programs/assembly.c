// SPDX-License-Identifier: Apache-2.0
// Message passing by atomics; with inline assembly that writes what nobody reads, of which the checker can't know; with
// such that matters to nobody; with an error that assembly might rule out.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data, unread;
atomic_int ready;

static void publish(void) {
#ifdef BY_ASSEMBLY
    __asm__ volatile("movl $1, %0" : "=m"(unread) : : "memory"); // unseen
#endif
    atomic_store_explicit(&ready, 1, memory_order_release);
}

void* writer(void* unused) {
    unsigned low, high;
    data = 42;
    __asm__ volatile("" : : : "memory");
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    publish();
    __asm__ volatile("rep; nop");
#ifdef WRONG
    data = 43;
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
#ifdef READS
    if (data == 1) return 0;
#endif
    if (atomic_load_explicit(&ready, memory_order_acquire)) assert(data == 42);
    pthread_join(thread, 0);
}
