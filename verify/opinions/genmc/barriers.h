// SPDX-License-Identifier: Apache-2.0
// The letters of core/include/ringproof/barriers.hpp in C, for checkers that read C. A test compares the orders of each
// function here with those of the function of its name there.
//
//     FENCES    0: acquire_release; 1: fences
//     WITHOUT   the letter that is relaxed, as in verify/scenarios/ring/mutants.hpp; or no_letter
#ifndef RINGPROOF_GENMC_BARRIERS_H
#define RINGPROOF_GENMC_BARRIERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { no_letter, letter_a, letter_b, letter_c, letter_d, letter_i, letter_j };

typedef _Atomic uint64_t position;

/// A: the producer asks how far the consumer has read.
static inline uint64_t load_tail(position* tail) {
    if (WITHOUT != letter_a && !FENCES) return atomic_load_explicit(tail, memory_order_acquire);
    const uint64_t value = atomic_load_explicit(tail, memory_order_relaxed);
    if (WITHOUT != letter_a) atomic_thread_fence(memory_order_acquire);
    return value;
}

/// B: the producer hands over everything before `value`.
static inline void publish_head(position* head, uint64_t value) {
    if (WITHOUT != letter_b && !FENCES) {
        atomic_store_explicit(head, value, memory_order_release);
        return;
    }
    if (WITHOUT != letter_b) atomic_thread_fence(memory_order_release);
    atomic_store_explicit(head, value, memory_order_relaxed);
}

/// C: the consumer asks how far it may read.
static inline uint64_t load_head(position* head) {
    if (WITHOUT != letter_c && !FENCES) return atomic_load_explicit(head, memory_order_acquire);
    const uint64_t value = atomic_load_explicit(head, memory_order_relaxed);
    if (WITHOUT != letter_c) atomic_thread_fence(memory_order_acquire);
    return value;
}

/// D: the consumer gives back everything before `value`.
static inline void release_tail(position* tail, uint64_t value) {
    if (WITHOUT != letter_d && !FENCES) {
        atomic_store_explicit(tail, value, memory_order_release);
        return;
    }
    if (WITHOUT != letter_d) atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(tail, value, memory_order_relaxed);
}

// ---- in band: a word that is plain at other times of its life, so that the address is a plain one's

static inline position* in_band(uint64_t* word) { return (position*)word; }

/// A in band: a producer asks whether the consumer has vacated this slot.
static inline uint64_t load_vacancy(uint64_t* word) { return load_tail(in_band(word)); }

/// B in band: a producer hands over this slot or record. With fences, too, a release store: what the consumer writes to the
/// same word later is plain, and must come after the store itself.
static inline void commit(uint64_t* word, uint64_t value) {
    atomic_store_explicit(in_band(word), value,
                          WITHOUT != letter_b ? memory_order_release : memory_order_relaxed);
}

/// C in band: the consumer asks whether this slot or record has been handed over.
static inline uint64_t load_commit(uint64_t* word) { return load_head(in_band(word)); }

/// D in band: the consumer gives this slot back.
static inline void vacate(uint64_t* word, uint64_t value) { release_tail(in_band(word), value); }

// ---- reservation by several producers, which orders nothing

static inline uint64_t claimed(position* reserved) {
    return atomic_load_explicit(reserved, memory_order_relaxed);
}

static inline bool claim(position* reserved, uint64_t* expected, uint64_t desired) {
    return atomic_compare_exchange_strong_explicit(reserved, expected, desired, memory_order_relaxed,
                                                   memory_order_relaxed);
}

/// A counter with many writers.
static inline void count_shared(position* counter) {
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/// I: the writer is about to overwrite what `value` implies.
static inline void intend(position* intent, uint64_t value) {
    atomic_store_explicit(intent, value, memory_order_relaxed);
    if (WITHOUT != letter_i) atomic_thread_fence(memory_order_release);
}

/// J: how far the writer had got with overwriting when the last word was copied.
static inline uint64_t load_intent(position* intent) {
    if (WITHOUT != letter_j) atomic_thread_fence(memory_order_acquire);
    return atomic_load_explicit(intent, memory_order_relaxed);
}

/// One word of data that another thread may copy or overwrite at the same time.
static inline void put_word(position* word, uint64_t value) {
    atomic_store_explicit(word, value, memory_order_relaxed);
}
static inline uint64_t get_word(position* word) { return atomic_load_explicit(word, memory_order_relaxed); }

/// What only this side writes.
static inline uint64_t own(position* word) { return atomic_load_explicit(word, memory_order_relaxed); }

#endif
