/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

static int data;

static void* reader(void* unused) {
    int seen = data; /* its value is not used, and yet it is read */
    (void)seen;
    return unused;
}

__attribute__((noinline)) static int look(void) { return data; }
static int is_zero(void) { return data == 0; }
__attribute__((noinline)) static void* looks(void* unused) {
#ifdef BEFORE_A_CALL
    is_zero();
    pthread_self();
#else
    look();
#endif
    return unused;
}

#if defined BY_A_FUNCTION || defined BEFORE_A_CALL
#define FIRST looks
#else
#define FIRST reader
#endif

int main(void) {
    pthread_t thread;
    (void)is_zero;
    (void)looks;
    (void)look;
    pthread_create(&thread, 0, FIRST, 0);
    data = 42;
    pthread_join(thread, 0);
}
