// SPDX-License-Identifier: Apache-2.0
// CALL, a call of libc's by a thread, and MEANWHILE, what main does with the same text. -DORDERED: behind it.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char text[64] = "1 text", copy[64];
volatile int size = 4; // not known to the compiler
sem_t semaphore;
long result;

int compare(const void* a, const void* b) { return *(const char*)a - *(const char*)b; }
void* nothing(void* unused) { return unused; }
void create(pthread_t* thread) {
    pthread_create(thread, 0, nothing, 0);
    pthread_detach(*thread);
}
void join(void** returned) {
    pthread_t thread;
    pthread_create(&thread, 0, nothing, 0);
    pthread_join(thread, returned);
}

static void* calls(void* unused) {
    result = (long)(CALL);
    return unused;
}

int main(void) {
    sem_init(&semaphore, 0, 1);
    pthread_t thread;
    pthread_create(&thread, 0, calls, 0);
#ifdef ORDERED
    pthread_join(thread, 0);
    MEANWHILE;
#else
    MEANWHILE;
    pthread_join(thread, 0);
#endif
    if (result == 12345) puts(text);
}
