// SPDX-License-Identifier: Apache-2.0
// The kernel's side is a thread of a few lines, after bpf_ringbuf_commit(). A reader behind an edge-triggered epoll sleeps
// until the next notification, without another look.
#include <ringbuf.c>

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { record_size = BPF_RINGBUF_HDR_SZ + 8 };
static unsigned long consumer, producer = 2 * record_size; // both records are reserved
static struct {
    struct ringbuf_hdr header;
    __u64 data;
} records[4] = {{{8, 0}, 1}, {{8 | BPF_RINGBUF_BUSY_BIT, 0}, 2}}; // the second is not committed
static bool notified;
static int seen;

static int take(void* unused, void* data, size_t size) {
    ++seen;
    return 0;
}

static void* commits(void* unused) {
    __atomic_exchange_n(&records[1].header.len, 8, __ATOMIC_SEQ_CST);
    notified = __atomic_load_n(&consumer, __ATOMIC_ACQUIRE) == record_size;
    return unused;
}

int main(void) {
    struct ring ring = {.sample_cb = take,
                        .data = records,
                        .consumer_pos = &consumer,
                        .producer_pos = &producer,
                        .mask = sizeof records - 1};
    struct ring* rings[] = {&ring};
    struct ring_buffer buffer = {.rings = rings, .ring_cnt = 1};
    pthread_t kernel;
    pthread_create(&kernel, 0, commits, 0);
    ring_buffer__consume(&buffer);
    pthread_join(kernel, 0);
    assert(seen == 2 || notified);
}
