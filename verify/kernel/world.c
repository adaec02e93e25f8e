/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds kernel/events/ring_buffer.c in the kernel, as far as it calls it: pages, references, the AUX record, wake-ups,
 * and a driver with an AUX area. */
#include "world.h"

#include <linux/perf_event.h>

#include <kernel/events/internal.h>

unsigned char kernel_changed[kernel_changes];

/* ---- pages: all of one mapping, one behind the other, the first as large as the shared page */

enum { max_pages = 9 };
static _Alignas(64) unsigned char memory[sizeof(struct perf_event_mmap_page) + max_pages * PAGE_SIZE];
static struct page frames[max_pages + 1];
static int frames_used;

static size_t page_offset(long frame) {
    return frame == 0 ? 0 : sizeof(struct perf_event_mmap_page) + (size_t)(frame - 1) * PAGE_SIZE;
}
void* page_address(const struct page* page) { return memory + page_offset(page - frames); }
struct page* virt_to_page(const void* address) {
    const size_t at = (size_t)((const unsigned char*)address - memory);
    return at < page_offset(1) ? frames : frames + 1 + (at - page_offset(1)) / PAGE_SIZE;
}
struct page* alloc_pages_node(int node, int flags, int order) {
    struct page* first = frames + frames_used;
    (void)node, (void)flags;
    BUG_ON(frames_used + (1 << order) > max_pages + 1);
    frames_used += 1 << order;
    memset(page_address(first), 0, page_offset(frames_used) - page_offset(first - frames));
    return first;
}
void __free_page(struct page* page) {
    memset(page_address(page), 0xee, 1);
} /* who still reads it races with this */

/* ---- the event */

static struct perf_event event_of_scenario;
static size_t data_size, aux_offset;

void* shared_page(void) { return memory; }
size_t shared_page_size(void) { return page_offset(1); }
size_t shared_data_size(void) { return data_size; }
unsigned char* shared_aux_byte(uint64_t at) {
    const struct perf_buffer* rb = event_of_scenario.rb;
    return memory + aux_offset + at % ((uint64_t)rb->aux_nr_pages * PAGE_SIZE);
}

static void* aux_of_driver(struct perf_event* event, void** pages, int nr_pages, bool overwrite) {
    (void)event, (void)nr_pages, (void)overwrite;
    return pages[0];
}
static void aux_given_back(void* aux) { (void)aux; }
static struct pmu driver = {.setup_aux = aux_of_driver, .free_aux = aux_given_back};

struct perf_event* kernel_open(struct ring_shape shape) {
    struct perf_event* event = &event_of_scenario;
    event->id = 7;
    event->attr.write_backward = shape.backward;
    event->pmu = &driver;
    struct perf_buffer* rb =
        rb_alloc(shape.pages, shape.watermark, -1, shape.backward ? 0 : RING_BUFFER_WRITABLE);
    BUG_ON(!rb);
    data_size = perf_data_size(rb);
    aux_offset = page_offset(1 + shape.pages);
    if (shape.aux_pages != 0) {
        const int failed = rb_alloc_aux(rb, event, (pgoff_t)shape.pages + 1, shape.aux_pages,
                                        shape.aux_watermark, RING_BUFFER_WRITABLE);
        BUG_ON(failed);
        atomic_set(&rb->aux_mmap_count, 1);
    }
    rcu_assign_pointer(event->rb, rb);
    return event;
}

void kernel_close(struct perf_event* event) {
    struct perf_buffer* rb = event->rb;
    event->rb = NULL;
    if (rb->aux_nr_pages != 0) rb_free_aux(rb);
    ring_buffer_put(rb);
}

/* core.c takes a reference within a read section, and frees after a grace period. Here the last reference frees at once. */
struct perf_buffer* ring_buffer_get(struct perf_event* event) {
    struct perf_buffer* rb = rcu_dereference(event->rb);
    return rb && refcount_inc_not_zero(&rb->refcount) ? rb : NULL;
}
void ring_buffer_put(struct perf_buffer* rb) {
    if (refcount_dec_and_test(&rb->refcount)) rb_free(rb);
}

/* ---- records */

/* Those of the copy that take_apart.cmake makes. */
int changed_perf_output_begin(struct perf_output_handle*, struct perf_sample_data*, struct perf_event*,
                              unsigned size);
unsigned changed_perf_output_copy(struct perf_output_handle*, const void* from, unsigned n);
void changed_perf_output_end(struct perf_output_handle*);

bool kernel_write(struct perf_event* event, uint64_t value, int words) {
    struct {
        struct perf_event_header header;
        u64 words[7];
    } record;
    struct perf_output_handle handle;
    struct perf_sample_data data;
    const unsigned size = sizeof(record.header) + (unsigned)words * sizeof(u64);
    record.header.type = PERF_RECORD_SAMPLE;
    record.header.misc = 0;
    record.header.size = (__u16)size;
    for (int i = 0; i < words; ++i) record.words[i] = value;
    if (kernel_changed[stamp_before_nest]) {
        if (changed_perf_output_begin(&handle, &data, event, size) != 0) return false;
        changed_perf_output_copy(&handle, &record, size);
        changed_perf_output_end(&handle);
    } else {
        if (perf_output_begin(&handle, &data, event, size) != 0) return false;
        perf_output_copy(&handle, &record, size);
        perf_output_end(&handle);
    }
    return true;
}

void perf_event_aux_event(struct perf_event* event, unsigned long head, unsigned long size, u64 flags) {
    struct {
        struct perf_event_header header;
        u64 offset, size, flags;
    } record = {{PERF_RECORD_AUX, 0, sizeof(record)}, head, size, flags};
    struct perf_output_handle handle;
    struct perf_sample_data data;
    if (perf_output_begin(&handle, &data, event, sizeof(record)) != 0) return;
    perf_output_put(&handle, record);
    perf_output_end(&handle);
}

unsigned long kernel_data_head(const struct perf_event* event) {
    return smp_load_acquire(&event->rb->user_page->data_head);
}
unsigned long kernel_reserved(const struct perf_event* event) {
    return (unsigned long)local_read(&event->rb->head);
}
unsigned long kernel_lost(const struct perf_event* event) {
    return (unsigned long)local_read(&event->rb->lost);
}
unsigned long kernel_refused(const struct perf_event* event) {
    return (unsigned long)atomic64_read(&event->lost_samples);
}
unsigned kernel_nest(const struct perf_event* event) { return *(volatile unsigned*)&event->rb->nest; }
void kernel_pause(struct perf_event* event, bool pause) { rb_toggle_paused(event->rb, pause); }

/* ---- AUX: what a driver does between pmu::start() and pmu::stop() */

bool kernel_aux_write(struct perf_event* event, unsigned char value, unsigned long size, unsigned long skip) {
    struct perf_output_handle handle;
    if (!perf_aux_output_begin(&handle, event)) return false;
    if ((skip != 0 && perf_aux_output_skip(&handle, skip) != 0) || handle.size < size) {
        perf_aux_output_flag(&handle, PERF_AUX_FLAG_TRUNCATED);
        perf_aux_output_end(&handle, 0);
        return false;
    }
    for (unsigned long i = 0; i < size; ++i) *shared_aux_byte(handle.head + i) = value;
    if (!kernel_changed[driver_barrier_taken]) __atomic_thread_fence(__ATOMIC_RELEASE); /* its B */
    perf_aux_output_end(&handle, size);
    return true;
}
uint64_t kernel_aux_head(const struct perf_event* event) {
    return smp_load_acquire(&event->rb->user_page->aux_head);
}

/* ---- wake-ups */

/* The wait queue: one sleeper. Its lock is what orders poll_wait() and wake_up_all(). */
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_woken = PTHREAD_COND_INITIALIZER;
static bool queued, woken;

static int volatile work_is_queued;
void irq_work_queue(struct irq_work* work) {
    (void)work;
    work_is_queued = 1;
}
void kernel_irq_work(struct perf_event* event) {
    if (!work_is_queued) return;
    work_is_queued = 0;
    if (!event->pending_wakeup) return;
    event->pending_wakeup = 0;
    pthread_mutex_lock(&queue_lock);
    if (queued) {
        woken = true;
        pthread_cond_signal(&queue_woken);
    }
    pthread_mutex_unlock(&queue_lock);
}
bool kernel_poll_is_set(const struct perf_event* event) { return atomic_read(&event->rb->poll) != 0; }

void kernel_poll(struct perf_event* event) {
    pthread_mutex_lock(&queue_lock); /* poll_wait() */
    queued = true;
    woken = false;
    pthread_mutex_unlock(&queue_lock);
    while (!atomic_xchg(&event->rb->poll, 0)) {
        pthread_mutex_lock(&queue_lock);
        while (!woken) pthread_cond_wait(&queue_woken, &queue_lock);
        woken = false;
        pthread_mutex_unlock(&queue_lock);
    }
    pthread_mutex_lock(&queue_lock);
    queued = false;
    pthread_mutex_unlock(&queue_lock);
}
