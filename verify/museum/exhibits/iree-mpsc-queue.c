// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <iree/base/internal/mpsc_queue.h>
#include <pthread.h>

// Otherwise in a file that needs the whole library.
iree_status_t iree_status_allocate(iree_status_code_t code, const char* file, uint32_t line,
                                   iree_string_view_t message) {
    return iree_status_from_code(code);
}
iree_status_t iree_status_allocate_f(iree_status_code_t code, const char* file, uint32_t line,
                                     const char* format, ...) {
    return iree_status_from_code(code);
}

static iree_mpsc_queue_t queue;
static _Alignas(64) char memory[4096];
static const char entry[28]; // with its length, half of the queue
static int written[2];

static void* writes(void* result) {
    *(int*)result = iree_mpsc_queue_write(&queue, entry, sizeof entry);
    return 0;
}

int main(void) {
    iree_mpsc_queue_initialize(memory, sizeof memory, 64, &queue);
    int first, second;
    writes(&first), writes(&second);
    pthread_t producers[2];
    for (int i = 0; i < 2; ++i) pthread_create(&producers[i], 0, writes, &written[i]);
    iree_host_size_t length;
    iree_mpsc_queue_peek(&queue, &length);
    iree_mpsc_queue_consume(&queue);
    for (int i = 0; i < 2; ++i) pthread_join(producers[i], 0);
    assert(first && second && written[0] + written[1] <= 1);
}
