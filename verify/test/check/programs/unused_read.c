/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

static int data;

static void* reader(void* unused) {
    int seen = data; /* its value is not used, and yet it is read */
    (void)seen;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    data = 42;
    pthread_join(thread, 0);
}
