// SPDX-License-Identifier: Apache-2.0
// longjmp() comes back to main(), which then compares a pointer to freed memory. The way there would overwrite it.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

static jmp_buf where;
static uintptr_t made;

static uintptr_t allocated(void) {
    uintptr_t block = (uintptr_t)malloc(32);
    __asm__ volatile("" : "+r"(block));
    return block;
}

__attribute__((noipa)) static void go_back(int how) {
    if (how == 1) longjmp(where, how);
}

static void* idle(void* unused) { return unused; }

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, idle, NULL);
    uintptr_t kept = allocated();
    free((void*)kept);
    if (setjmp(where) == 0) {
        made = allocated();
        go_back(1);
        kept = 0;
        go_back(0);
    }
#ifndef FORGETS
    assert(made != kept);
#endif
    pthread_join(other, NULL);
    free((void*)made);
}
