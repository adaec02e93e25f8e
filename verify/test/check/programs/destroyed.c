// SPDX-License-Identifier: Apache-2.0
// A thread uses what main destroys: KIND is the library's name of it, USE what the thread does. -DORDERED: before.
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t rwlock;
pthread_spinlock_t spin;
pthread_cond_t cond;
sem_t sem;

static void* uses(void* unused) {
    USE;
    return unused;
}

int main(void) {
    pthread_rwlock_init(&rwlock, 0);
    pthread_spin_init(&spin, 0);
    pthread_cond_init(&cond, 0);
    sem_init(&sem, 0, 1);
    pthread_t thread;
    pthread_create(&thread, 0, uses, 0);
#ifdef ORDERED
    pthread_join(thread, 0);
    DESTROY;
#else
    DESTROY;
    pthread_join(thread, 0);
#endif
}
