// SPDX-License-Identifier: Apache-2.0
// A local structure of main() that a function returns, and that another thread has the address of. With LATE it is
// returned after the thread has ended.
#include <pthread.h>
#include <stddef.h>

struct small {
    int x, y;
};

__attribute__((noinline)) static struct small made(int x) {
    const struct small one = {x, x};
    return one;
}
__attribute__((noinline)) static int sum(struct small of) { return of.x + of.y; }

static void* looks(void* p) { return sum(*(const struct small*)p) < 0 ? p : NULL; }

int main(void) {
    struct small local = {1, 1};
    pthread_t other;
    pthread_create(&other, NULL, looks, &local);
#ifndef LATE
    local = made(2);
#endif
    pthread_join(other, NULL);
    local = made(3);
    return sum(local) != 6;
}
