/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One perf event with its ring, as the kernel's core sees it, and libperf's reader of it: what scenarios call. */

#include "taken_away.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ring_shape {
    int pages;      /* of 64 bytes */
    long watermark; /* in bytes; 0: half the ring */
    bool backward;  /* overwrites, from the end downwards */
    int aux_pages;  /* 0: no AUX area */
    long aux_watermark;
};
/* libperf's headers have a union of this name. */
#ifndef RINGPROOF_KERNEL_READER
struct perf_event;
/* There is one at a time. */
struct perf_event* kernel_open(struct ring_shape shape);
void kernel_close(struct perf_event* event);

/* One record of `words` words that all hold `value`; false if the ring is full. On the event's CPU, or in an interrupt there. */
bool kernel_write(struct perf_event* event, uint64_t value, int words);
unsigned long kernel_data_head(const struct perf_event* event);
unsigned long kernel_reserved(const struct perf_event* event); /* what data_head becomes at rest */
unsigned long kernel_lost(const struct perf_event* event);     /* since the last LOST record */
unsigned long kernel_refused(const struct perf_event* event);  /* all of them */
unsigned kernel_nest(const struct perf_event* event);
void kernel_pause(struct perf_event* event, bool pause);

/* The work that perf_output_wakeup() queued, if any: it wakes who sleeps. On the event's CPU. */
void kernel_irq_work(struct perf_event* event);
bool kernel_poll_is_set(const struct perf_event* event);
/* poll() with an infinite timeout, as core.c's perf_poll() and the wait queue do it. */
void kernel_poll(struct perf_event* event);

/* AUX: `size` bytes of `value` by the driver; false if there is no room. */
bool kernel_aux_write(struct perf_event* event, unsigned char value, unsigned long size, unsigned long skip);
uint64_t kernel_aux_head(const struct perf_event* event);
#endif

/* libperf */
struct perf_record {
    uint32_t type;
    uint16_t misc, size;
    uint64_t words[7];
};
enum { record_of_ours = 9, record_of_loss = 2, record_of_aux = 11 };
void reader_open(bool overwrite);
void reader_close(void);
int reader_begin(void);                      /* perf_mmap__read_init */
const struct perf_record* reader_next(void); /* perf_mmap__read_event; NULL: no more */
void reader_consume(void);                   /* perf_mmap__consume */
void reader_done(void);                      /* perf_mmap__read_done */
uint64_t reader_position(void);
/* As perf's tools read an AUX area: aux_head with an acquire, the bytes, then aux_tail with a release. */
uint64_t reader_aux_head(void);
unsigned char reader_aux_byte(uint64_t at);
void reader_aux_consume(uint64_t to);

/* The memory that both see: the shared page, behind it the data, behind that the AUX area. */
void* shared_page(void);
size_t shared_page_size(void);
size_t shared_data_size(void);
unsigned char* shared_aux_byte(uint64_t at);

#ifdef __cplusplus
}
#endif
