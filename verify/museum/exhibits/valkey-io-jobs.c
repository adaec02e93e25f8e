// SPDX-License-Identifier: Apache-2.0
// The queue's functions are static: their file is included.
#include <io_threads.c>

#include <pthread.h>
#include <stdlib.h>

struct valkeyServer server;
void _serverAssertWithInfo(const client* c, const robj* o, const char* estr, const char* file, int line) {
    abort();
}
void _serverAssert(const char* estr, const char* file, int line) { abort(); }

static iojob slots[2];
static IOJobQueue queue = {.ring_buffer = slots, .size = 2};

static void nothing(void* data) {}

// As IOThreadMain() does, with two jobs.
static void* io_thread(void* unused) {
    thread_id = 1;
    for (int i = 0; i < 2; ++i) {
        job_handler handler;
        void* data;
        while (IOJobQueue_availableJobs(&queue) == 0) {
        }
        IOJobQueue_peek(&queue, &handler, &data);
        handler(data);
        IOJobQueue_removeJob(&queue);
        atomic_thread_fence(memory_order_release);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, io_thread, 0);
    for (int i = 0; i < 3; ++i) { // the third comes to the slot of the first
        while (IOJobQueue_isFull(&queue)) {
        }
        IOJobQueue_push(&queue, nothing, slots);
    }
    pthread_join(thread, 0);
}
