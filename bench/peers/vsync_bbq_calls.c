/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of bbq_spsc.h that vsync_bbq.cpp calls. */
#include <stdint.h>
#include <stdlib.h>
#include <vsync/queue/bbq_spsc.h>

void* ringproof_bbq_make(uint32_t capacity);
void ringproof_bbq_free(void* queue);
uint32_t ringproof_bbq_push(void* queue, uintptr_t item);
uint32_t ringproof_bbq_pop(void* queue, uintptr_t* item);

void* ringproof_bbq_make(uint32_t capacity) {
    const vsize_t bytes = bbq_spsc_memsize(capacity);
    void* const queue = aligned_alloc(128, (bytes + 127) / 128 * 128);
    if (queue && !bbq_spsc_init(queue, bytes)) {
        free(queue);
        return NULL;
    }
    return queue;
}
void ringproof_bbq_free(void* queue) { free(queue); }
uint32_t ringproof_bbq_push(void* queue, uintptr_t item) {
    vuintptr_t word = item;
    return bbq_spsc_enqueue(queue, &word, 1, false);
}
uint32_t ringproof_bbq_pop(void* queue, uintptr_t* item) { return bbq_spsc_dequeue(queue, item, 1, false); }
