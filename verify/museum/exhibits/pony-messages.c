// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define PONY_WANT_ATOMIC_DEFS
#include <actor/messageq.h>
#include <mem/pool.h>

// Otherwise the runtime's own allocator. A node is never used again.
void* ponyint_pool_alloc(size_t index) { return malloc((size_t)1 << (index + POOL_MIN_BITS)); }
void ponyint_pool_free(size_t index, void* node) {
    (void)index;
    (void)node;
}
void ponyint_assert_fail(const char* expression, const char* file, size_t line, const char* function) {
    abort();
}

static messageq_t queue;

static void* pushes(void* message) {
    ponyint_actor_messageq_push(&queue, message, message);
    return 0;
}

int main(void) {
    static pony_msg_t messages[2];
    pthread_t producers[2];
    ponyint_messageq_init(&queue);
    for (int i = 0; i < 2; ++i) pthread_create(&producers[i], 0, pushes, &messages[i]);
    for (int i = 0; i < 2; ++i) pthread_join(producers[i], 0);
    int popped = 0;
    while (ponyint_actor_messageq_pop(&queue)) ++popped;
    assert(popped == 2);
}
