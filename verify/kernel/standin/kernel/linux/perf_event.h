/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A perf_event with the members that the ring looks at. The layout of the shared page and of attr is the kernel's own. */

#include "kernel_words.h"

#include <uapi/linux/perf_event.h>

struct irq_work {
    int queued;
};
void irq_work_queue(struct irq_work* work);

struct perf_event;
struct pmu {
    unsigned capabilities;
    void* (*setup_aux)(struct perf_event* event, void** pages, int nr_pages, bool overwrite);
    void (*free_aux)(void* aux);
};
#define PERF_PMU_CAP_AUX_NO_SG 0x04

struct perf_buffer;
struct perf_event {
    struct perf_event* parent;
    struct perf_buffer* rb;
    struct perf_event_attr attr;
    u64 id;
    u32 id_header_size;
    int cpu;
    atomic64_t lost_samples;
    struct pmu* pmu;
    volatile unsigned pending_wakeup; /* written alike by a writer and by who interrupts it */
    int pending_disable;
    struct irq_work pending_irq;
};
static inline bool is_write_backward(struct perf_event* event) { return event->attr.write_backward; }
static inline bool has_aux(struct perf_event* event) { return event->pmu && event->pmu->setup_aux; }

struct perf_sample_data {
    u64 id;
};
struct perf_output_handle {
    struct perf_event* event;
    struct perf_buffer* rb;
    unsigned long wakeup, size;
    union {
        u64 flags, aux_flags;
    };
    union {
        void* addr;
        unsigned long head;
    };
    int page;
};
typedef unsigned long (*perf_copy_f)(void* to, const void* from, unsigned long offset, unsigned long n);

int perf_output_begin(struct perf_output_handle*, struct perf_sample_data*, struct perf_event*,
                      unsigned size);
int perf_output_begin_forward(struct perf_output_handle*, struct perf_sample_data*, struct perf_event*,
                              unsigned);
int perf_output_begin_backward(struct perf_output_handle*, struct perf_sample_data*, struct perf_event*,
                               unsigned);
void perf_output_end(struct perf_output_handle*);
unsigned perf_output_copy(struct perf_output_handle*, const void* from, unsigned n);
unsigned perf_output_skip(struct perf_output_handle*, unsigned n);
void* perf_aux_output_begin(struct perf_output_handle*, struct perf_event*);
void perf_aux_output_end(struct perf_output_handle*, unsigned long size);
int perf_aux_output_skip(struct perf_output_handle*, unsigned long size);
void perf_aux_output_flag(struct perf_output_handle*, u64 flags);
void* perf_get_aux(struct perf_output_handle*);
long perf_output_copy_aux(struct perf_output_handle*, struct perf_output_handle*, unsigned long,
                          unsigned long);
#define perf_output_put(handle, object) perf_output_copy(handle, &(object), sizeof(object))

/* Records end without a sample_id: no attr of ours asks for one. */
#define perf_event_header__init_id(header, data, event) WARN_ON((event)->attr.sample_id_all)
#define perf_event__output_id_sample(event, handle, data) WARN_ON((event)->attr.sample_id_all)
