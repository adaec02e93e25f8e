/* SPDX-License-Identifier: Apache-2.0 */
/* libperf's reader, by its own functions; of an AUX area, which libperf does not read, as perf's tools do it. */
#define RINGPROOF_KERNEL_READER
#include "tools_words.h"
#include "world.h"

#include <internal/lib.h>
#include <internal/mmap.h>
#include <linux/perf_event.h>
#include <perf/core.h>
#include <perf/mmap.h>
#include <stdarg.h>
#include <stdlib.h>

unsigned int page_size; /* libperf's: where the data begin */
void libperf_print(enum libperf_print_level level, const char* format, ...);
void libperf_print(enum libperf_print_level level, const char* format, ...) { (void)level, (void)format; }

/* libperf's own object without the end of its copy of a split record, which is longer than any ring here: all that lies in
 * memory is saved and put back for each execution. What reached beyond would be found. */
static struct perf_mmap* map;

void reader_open(bool overwrite) {
    struct perf_event_mmap_page* page = shared_page();
    page_size = (unsigned)shared_page_size();
    map = calloc(1, offsetof(struct perf_mmap, event_copy) + 2 * shared_data_size());
    perf_mmap__init(map, NULL, overwrite, NULL);
    map->base = page;
    map->mask = (int)shared_data_size() - 1;
    refcount_set(&map->refcnt, 2); /* this reader's, and one that keeps libperf from unmapping */
}
void reader_close(void) { free(map); }
int reader_begin(void) { return perf_mmap__read_init(map); }
const struct perf_record* reader_next(void) { return (const struct perf_record*)perf_mmap__read_event(map); }
void reader_consume(void) { perf_mmap__consume(map); }
void reader_done(void) { perf_mmap__read_done(map); }
uint64_t reader_position(void) { return map->prev; }

uint64_t reader_aux_head(void) {
    const struct perf_event_mmap_page* page = map->base;
    return smp_load_acquire(&page->aux_head);
}
unsigned char reader_aux_byte(uint64_t at) { return *shared_aux_byte(at); }
void reader_aux_consume(uint64_t to) {
    struct perf_event_mmap_page* page = map->base;
    smp_store_release(&page->aux_tail, to);
}
