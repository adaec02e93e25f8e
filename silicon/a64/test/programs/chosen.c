/* SPDX-License-Identifier: Apache-2.0 */
/* A function that the program chooses by the processor when it starts (IFUNC), as libraries do: -DATOMICS=1 where the
 * processor is said to have the atomic instructions of Armv8.1. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#ifndef ATOMICS
#define ATOMICS 0
#endif

int data, atomics;
atomic_int ready;

static void send_without(void) {
    data = 42;
    atomic_store_explicit(&ready, 1, RELEASE);
}
static void send_with_atomics(void) {
    atomics = 1;
    send_without();
}
static void (*choose(unsigned long has))(void) {
    const unsigned long has_atomics = 1 << 8; /* HWCAP_ATOMICS */
    return has & has_atomics ? send_with_atomics : send_without;
}
void send(void) __attribute__((ifunc("choose")));

static void* run(void* nothing) {
    send();
    return nothing;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, NULL, run, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire)) assert(data == 42 && atomics == ATOMICS);
    pthread_join(sender, NULL);
    assert(data == 42);
}
