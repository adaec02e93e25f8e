/* SPDX-License-Identifier: Apache-2.0 */
/* What a program under the checker is linked with in place of its C library's start, threads and memory: requests to the
 * checker, by the numbers of service in src/thread_run.hpp. Compiled for AArch64. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define ASK(NUMBER, A, B, C)                                                                                 \
    ({                                                                                                       \
        register uint64_t x0 __asm__("x0") = (uint64_t)(A);                                                  \
        register uint64_t x1 __asm__("x1") = (uint64_t)(B);                                                  \
        register uint64_t x2 __asm__("x2") = (uint64_t)(C);                                                  \
        __asm__ volatile("svc %1" : "+r"(x0) : "i"(NUMBER), "r"(x1), "r"(x2) : "memory");                    \
        x0;                                                                                                  \
    })

enum { create = 0x601, join, end, fail, allocate, lock, unlock, try_lock, yield };

int main(void);

_Noreturn static void over(void) {
    ASK(end, 0, 0, 0);
    __builtin_unreachable();
}

extern void (*const __init_array_start[])(void) __attribute__((weak, visibility("hidden")));
extern void (*const __init_array_end[])(void) __attribute__((weak, visibility("hidden")));

_Noreturn void __ringproof_main(void) {
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
int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* a) {
    (void)a;
    *(uint32_t*)m = 0;
    return 0;
}
int pthread_mutex_destroy(pthread_mutex_t* m) { return (void)m, 0; }
int pthread_mutex_lock(pthread_mutex_t* m) { return ASK(lock, m, 0, 0), 0; }
int pthread_mutex_unlock(pthread_mutex_t* m) { return ASK(unlock, m, 0, 0), 0; }
int pthread_mutex_trylock(pthread_mutex_t* m) { return ASK(try_lock, m, 0, 0) ? 16 : 0; }
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
