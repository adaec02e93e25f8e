/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The client of a LINEARIZABLE in C, as linearizable.hpp has it in C++: it is compiled, and instrumented, with the structure. */

#include <pthread.h>
#include <stdatomic.h>

enum { linear_max_threads = 8, linear_max_calls = 4, linear_max_waits = 4 };

/* The same in memory as the records of linear.hpp. */
typedef struct {
    uint64_t low, high;
} linear_known;
typedef struct {
    linear_answer given;
    uint32_t returned;
    linear_known known;
} linear_record;
typedef struct {
    unsigned thread;
    linear_record calls[linear_max_calls];
} linear_history;
typedef struct {
    uint32_t operation;
    uint16_t waits_for, sets;
} linear_call;

unsigned ringproof_linear_add(const linear_structure* s, const char* name,
                              void (*run)(const linear_structure* s, unsigned number, unsigned client),
                              void (*body)(void), const char* file, int line);
unsigned ringproof_linear_any_client(unsigned number);
unsigned ringproof_linear_any_survivor(unsigned number, unsigned client);
unsigned ringproof_linear_threads(unsigned number, unsigned client);
unsigned ringproof_linear_calls(unsigned number, unsigned client, unsigned thread);
linear_call ringproof_linear_call_at(unsigned number, unsigned client, unsigned thread, unsigned call);
int64_t ringproof_linear_argument_at(unsigned number, unsigned client, unsigned thread, unsigned call);
unsigned ringproof_linear_thread_number(void);
uint32_t ringproof_linear_latest_event(void);
linear_known ringproof_linear_known_here(void);
void ringproof_linear_check(unsigned number, unsigned client, const linear_history* notes);
void ringproof_linear_begin_calls(unsigned number, bool survives);
void ringproof_linear_end_calls(void);
void ringproof_linear_begin_call(unsigned number);
void ringproof_linear_note_returned(void);
void ringproof_linear_pause(void);

typedef struct {
    const linear_structure* structure;
    unsigned number, client, survivor;
    void* object;
    linear_history notes[linear_max_threads];
    _Atomic(unsigned) returned[linear_max_threads];
    _Atomic(bool) set[linear_max_waits];
} linear_run;
typedef struct {
    linear_run* run;
    unsigned self;
} linear_thread;

static void* linear_run_thread(void* argument) {
    const linear_thread* const t = argument;
    linear_run* const r = t->run;
    linear_history mine = {0}; /* on its own stack as long as it runs, see linearizable.hpp */
    mine.thread = ringproof_linear_thread_number();
    const unsigned n = ringproof_linear_calls(r->number, r->client, t->self);
    for (unsigned k = 0; k < n; ++k) {
        const linear_call what = ringproof_linear_call_at(r->number, r->client, t->self, k);
        for (unsigned w = 0; w < linear_max_waits; ++w)
            if ((what.waits_for >> w & 1) != 0)
                while (!atomic_load_explicit(&r->set[w], memory_order_acquire)) ringproof_linear_pause();
        linear_record* const call = &mine.calls[k];
        const int64_t with = ringproof_linear_argument_at(r->number, r->client, t->self, k);
        call->known = ringproof_linear_known_here();
        call->given = r->structure->ops[what.operation].call(r->object, with);
        /* An event that no other thread reads: it marks the return, and no reduction goes across it. */
        atomic_store_explicit(&r->returned[t->self], k + 1, memory_order_release);
        call->returned = ringproof_linear_latest_event();
        for (unsigned w = 0; w < linear_max_waits; ++w)
            if ((what.sets >> w & 1) != 0) atomic_store_explicit(&r->set[w], true, memory_order_release);
    }
    r->notes[t->self] = mine;
    return 0;
}

/* One that may be stopped for ever. */
static void* linear_run_stoppable(void* argument) {
    const linear_thread* const t = argument;
    linear_run* const r = t->run;
    ringproof_linear_begin_calls(r->number, t->self == r->survivor);
    for (unsigned k = 0; k < ringproof_linear_calls(r->number, r->client, t->self); ++k) {
        const linear_call what = ringproof_linear_call_at(r->number, r->client, t->self, k);
        const int64_t with = ringproof_linear_argument_at(r->number, r->client, t->self, k);
        ringproof_linear_begin_call(r->number);
        r->structure->ops[what.operation].call(r->object, with);
    }
    ringproof_linear_end_calls();
    return 0;
}

/* Runs a client of the structure. Where threads may stop, main makes no call, since it has to see who returns, and
 * the object is not destroyed. */
static void linear_explore(const linear_structure* s, unsigned number, unsigned client) {
    linear_run r = {.structure = s, .number = number, .client = client};
    linear_thread threads[linear_max_threads];
    pthread_t started[linear_max_threads];
    const bool progress = s->promise >= linear_lock_free;
    if (progress) r.survivor = ringproof_linear_any_survivor(number, r.client);
    r.object = s->make();
    const unsigned n = ringproof_linear_threads(number, r.client), others = progress ? n : n - 1;
    for (unsigned i = 0; i < n; ++i) threads[i] = (linear_thread){&r, i};
    for (unsigned i = 0; i < others; ++i)
        pthread_create(&started[i], 0, progress ? linear_run_stoppable : linear_run_thread, &threads[i]);
    if (!progress) linear_run_thread(&threads[others]);
    for (unsigned i = 0; i < others; ++i) pthread_join(started[i], 0);
    if (progress) {
        ringproof_linear_note_returned();
        return;
    }
    ringproof_linear_check(number, r.client, r.notes);
    if (s->destroy) s->destroy(r.object);
}
