/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The record ring for C. Link the CMake target ringproof::c, or compile ringproof_c.cpp (installed beside the package)
 * as C++20 together with the program.
 *
 *     ringproof_ring *ring = ringproof_create(RINGPROOF_SHARED, 65536, 0, 0);
 *     ringproof_write(ring, "hello", 5, RINGPROOF_SAMPLE);        // producers
 *     ringproof_read(ring, SIZE_MAX, print_it, stdout);           // the consumer
 *
 * What each producer promises stands in ringproof/producer/, the whole in docs/guarantees.md. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ringproof_ring ringproof_ring;

enum ringproof_producer {
    RINGPROOF_SINGLE, /* one thread */
    RINGPROOF_NESTED, /* one thread and its signal handlers */
    RINGPROOF_SHARED  /* many threads */
};

enum ringproof_type { RINGPROOF_LOST = 2, RINGPROOF_SAMPLE = 9 };

/* Why something was refused; 0 is success. */
enum ringproof_refusal {
    RINGPROOF_OK,
    RINGPROOF_FULL,      /* the consumer has to read first */
    RINGPROOF_TOO_LARGE, /* can never fit */
    RINGPROOF_PAUSED,
    RINGPROOF_RESERVATION_OPEN, /* a single producer holds one at a time */
    RINGPROOF_RESERVED_TYPE
};

/* A payload in the ring, in two pieces when it goes around the end. */
typedef struct ringproof_bytes {
    void* first;
    size_t first_size;
    void* second;
    size_t second_size;
} ringproof_bytes;

/* Room for one record: fill `bytes`, then commit or discard it. After that, and when it was refused, it is empty, and
 * committing or discarding it does nothing. */
typedef struct ringproof_room {
    ringproof_bytes bytes;
    uint64_t private_words[6];
} ringproof_room;

/* A record in place; valid during the call it was handed to. */
typedef struct ringproof_record {
    uint32_t type;
    uint16_t misc;
    ringproof_bytes bytes; /* not to be written to */
} ringproof_record;

/* The payload of a LOST record. */
typedef struct ringproof_lost_record {
    uint64_t id;
    uint64_t count;
} ringproof_lost_record;

/* `capacity` bytes, a power of two, at least 64. Losses are also told in band, by LOST records.
 * Returns 0 when that can't be, with the reason in `why` (cut to `why_size`), which may be 0. */
ringproof_ring* ringproof_create(enum ringproof_producer producer, size_t capacity, char* why,
                                 size_t why_size);
void ringproof_destroy(ringproof_ring* ring);

/* No pointer to a ring, a room or a function may be 0, and a room belongs to the ring it came from: contracts, checked
 * where ringproof_c.cpp is compiled without NDEBUG. `bytes` may be 0 when `size` is. */

/* Producers. Refused, the record is lost and counted. */
enum ringproof_refusal ringproof_write(ringproof_ring* ring, const void* bytes, size_t size, uint32_t type);
enum ringproof_refusal ringproof_begin(ringproof_ring* ring, size_t size, uint32_t type,
                                       ringproof_room* room);
void ringproof_commit(ringproof_ring* ring, ringproof_room* room);
void ringproof_discard(ringproof_ring* ring, ringproof_room* room);

/* Consumer: calls `use` for up to `most` records, as long as it returns 0; the records are given back together.
 * Returns how many. */
size_t ringproof_read(ringproof_ring* ring, size_t most,
                      int (*use)(const ringproof_record* record, void* context), void* context);

/* Consumer: a sentence about what the last read found wrong in the ring's memory, or 0. */
const char* ringproof_error(const ringproof_ring* ring);

/* Anybody. */
size_t ringproof_capacity(const ringproof_ring* ring);
size_t ringproof_max_payload(const ringproof_ring* ring);
uint64_t ringproof_lost(const ringproof_ring* ring);
void ringproof_pause(ringproof_ring* ring);
void ringproof_resume(ringproof_ring* ring);

#ifdef __cplusplus
}
#endif
