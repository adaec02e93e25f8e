/* SPDX-License-Identifier: Apache-2.0
 * A reader of the kernel's ring buffer that knows nothing but linux/perf_event.h: no header of this library, and
 * written in C, so that what it reads is what any tool would. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct uapi_reader {
    void* page;      /* struct perf_event_mmap_page, and the data behind it */
    size_t length;   /* of that mapping */
    const void* aux; /* or NULL */
    size_t aux_length;
    int wrong; /* a record that can't be was met */
};

/* Maps a perf descriptor, or what looks like one. 0: success. */
int uapi_open(struct uapi_reader* reader, int descriptor, size_t data_pages);
/* Says in the page where the AUX area is wanted, and maps it: of a perf descriptor by its offset, else of its own. */
int uapi_open_aux(struct uapi_reader* reader, int descriptor, size_t offset, size_t length,
                  size_t file_offset);
void uapi_close(struct uapi_reader* reader);

typedef void (*uapi_use)(void* context, uint32_t type, uint16_t misc, const void* payload, size_t size);
typedef void (*uapi_use_aux)(void* context, uint64_t offset, const void* bytes, size_t size);

/* Uses all records there are, then gives them back. How many. */
size_t uapi_drain(struct uapi_reader* reader, uapi_use use, void* context);
/* The same for trace: one or two pieces. How many bytes. */
size_t uapi_drain_aux(struct uapi_reader* reader, uapi_use_aux use, void* context);

#ifdef __cplusplus
}
#endif
