/* SPDX-License-Identifier: Apache-2.0 */
/* What a program under the checker is linked with in place of its C library's start, threads and memory: requests to the
 * checker (ask.h). Compiled for AArch64. */
#include "ask.h"

#include <elf.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

int main(void);

_Noreturn static void over(void) {
    ASK(end, 0, 0, 0);
    __builtin_unreachable();
}

extern void (*const __init_array_start[])(void) __attribute__((weak, visibility("hidden")));
extern void (*const __init_array_end[])(void) __attribute__((weak, visibility("hidden")));

/* Functions that the libraries choose by the processor (IFUNC): each entry's own function says which one it is. The
 * processor is one of Armv8.0, or of Armv8.1 with --lse. */
extern const Elf64_Rela __rela_iplt_start[] __attribute__((weak, visibility("hidden")));
extern const Elf64_Rela __rela_iplt_end[] __attribute__((weak, visibility("hidden")));

struct processor {
    unsigned long size, has, has_more;
};

static void choose_functions(void) {
    enum { floating_point = 1 << 0, vectors = 1 << 1, atomics = 1 << 8 };
    const unsigned long has = floating_point | vectors | (RINGPROOF_LSE ? atomics : 0);
    const struct processor p = {sizeof(p), has, 0};
    const unsigned long second_argument_is_there = 1ul << 62;
    const size_t count = (size_t)(__rela_iplt_end - __rela_iplt_start);
    for (size_t i = 0; i < count; ++i) {
        const Elf64_Rela* const entry = &__rela_iplt_start[i];
        if (ELF64_R_TYPE(entry->r_info) != R_AARCH64_IRELATIVE)
            ASK(refuse, "the program has an entry that the start of a program does not know (no IFUNC)", 0,
                0);
        uint64_t (*const choice)(unsigned long, const struct processor*) =
            (uint64_t(*)(unsigned long, const struct processor*))entry->r_addend;
        *(uint64_t*)entry->r_offset = choice(has | second_argument_is_there, &p);
    }
}

_Noreturn void __ringproof_main(void) {
    choose_functions();
    const size_t count = (size_t)(__init_array_end - __init_array_start);
    for (size_t i = 0; i < count; ++i) __init_array_start[i]();
    main();
    over();
}

struct call {
    void* (*does)(void*);
    void* with;
};
static void begin(struct call* given) {
    given->does(given->with);
    over();
}

int pthread_create(pthread_t* thread, const pthread_attr_t* a, void* (*does)(void*), void* with) {
    (void)a;
    struct call* given = (struct call*)ASK(allocate, sizeof(*given), 0, 0);
    given->does = does;
    given->with = with;
    *thread = ASK(create, begin, given, 0);
    return 0;
}
int pthread_join(pthread_t thread, void** result) {
    ASK(join, thread, 0, 0);
    if (result) *result = NULL;
    return 0;
}
/* A mutex is a word, 0 when free. Its kind lies where the C library has it; one that counts its owner's locks is refused. */
static void refuse_kinds(const pthread_mutex_t* m) {
    if (m->__data.__kind & 3)
        ASK(refuse, "a recursive or checking mutex: only normal ones are known here", 0, 0);
}
int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* a) {
    *(uint32_t*)m = 0;
    m->__data.__kind = a ? *(const int*)a & 3 : 0;
    return 0;
}
int pthread_mutex_destroy(pthread_mutex_t* m) { return (void)m, 0; }
int pthread_mutex_lock(pthread_mutex_t* m) { return refuse_kinds(m), ASK(lock, m, 0, 0), 0; }
int pthread_mutex_unlock(pthread_mutex_t* m) { return ASK(unlock, m, 0, 0), 0; }
int pthread_mutex_trylock(pthread_mutex_t* m) { return refuse_kinds(m), ASK(try_lock, m, 0, 0) ? 16 : 0; }
int sched_yield(void) { return ASK(yield, 0, 0, 0), 0; }

void* malloc(size_t bytes) { return (void*)ASK(allocate, bytes, 0, 0); }
void* calloc(size_t count, size_t bytes) { return (void*)ASK(allocate, count * bytes, 0, 0); }
void free(void* memory) { (void)memory; }

_Noreturn void __assert_fail(const char* text, const char* file, unsigned line, const char* function) {
    (void)function;
    ASK(fail, text, file, line);
    __builtin_unreachable();
}
_Noreturn void abort(void) {
    ASK(fail, "abort()", "the program", 0);
    __builtin_unreachable();
}
