/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The kernel's vocabulary for kernel/locking/qspinlock.c and qrwlock.c. <lkmm.h> has most of it; here are what those two need
 * beside, and what a scenario may take away. docs/kernel.md lists what each promises, and what it leaves out. */

#include "taken_away.h"

#include <lkmm.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;

/* ---- CPUs: a thread is one */

/* From 2^14 on, the lock's pending bit has no byte of its own, and the queue's tail is exchanged with all of the word. That
 * variant has names of its own, so that both can be in one program. */
#ifdef LOCKS_WITHOUT_HALVES
#define CONFIG_NR_CPUS (1 << 14)
#define queued_spin_lock_slowpath whole_spin_lock_slowpath
#define queued_read_lock_slowpath whole_read_lock_slowpath
#define queued_write_lock_slowpath whole_write_lock_slowpath
#else
#define CONFIG_NR_CPUS 4
#endif
#ifdef __cplusplus
extern "C" {
#endif
int lock_cpu(void); /* which CPU the calling thread is */
/* For `covers`: "lock_pending" and the like, as the kernel counts them. */
void lock_event(const char* event);
#ifdef __cplusplus
}
#endif
#define smp_processor_id() lock_cpu()
#define in_interrupt() 0

/* A load whose address another load has given is ordered behind that one (an address dependency). C++ has no such order, so
 * it is an acquire fence here, where the source uses an address that it has read. */
#define follow_address()                                                                                     \
    ((void)(kernel_changed[address_dependency_taken] || (__atomic_thread_fence(__ATOMIC_ACQUIRE), 0)))

/* Beside the variable, one of it for each CPU; `name` may be an array. */
#define DEFINE_PER_CPU_ALIGNED(type, name)                                                                   \
    type name;                                                                                               \
    static struct { type name; } of_cpu[4]
#define cpu_copy(p, cpu) ((__typeof__(p))((char*)&of_cpu[cpu] + ((char*)(p) - (char*)qnodes)))
#define this_cpu_ptr(p) cpu_copy(p, smp_processor_id())
#define per_cpu_ptr(p, cpu) (follow_address(), cpu_copy(p, cpu))
#define __this_cpu_dec(x) ((void)--*this_cpu_ptr(&(x)))

/* ---- what can be taken away */

#define atomic_cond_read_relaxed(v, condition) smp_cond_load_relaxed(&(v)->counter, condition)
#define atomic_cond_read_acquire(v, condition)                                                               \
    __extension__({                                                                                          \
        const int read_ = atomic_cond_read_relaxed(v, condition);                                            \
        if (!kernel_changed[wait_acquire_taken]) smp_rmb();                                                  \
        read_;                                                                                               \
    })
#undef smp_wmb
#define smp_wmb()                                                                                            \
    do {                                                                                                     \
        if (!kernel_changed[node_barrier_taken]) __atomic_thread_fence(__ATOMIC_RELEASE);                    \
    } while (0)

/* By which the lock is given back; the hand-over in the queue has its own, below. */
#undef smp_store_release
#define smp_store_release(p, value)                                                                          \
    (kernel_changed[unlock_release_taken] ? __atomic_store_n(p, value, __ATOMIC_RELAXED)                     \
                                          : __atomic_store_n(p, value, __ATOMIC_RELEASE))
#define arch_mcs_spin_lock_contended(p)                                                                      \
    do {                                                                                                     \
        (void)smp_cond_load_relaxed(p, VAL);                                                                 \
        if (!kernel_changed[queue_acquire_taken]) smp_rmb();                                                 \
    } while (0)
#define arch_mcs_spin_unlock_contended(p)                                                                    \
    do {                                                                                                     \
        follow_address();                                                                                    \
        if (kernel_changed[queue_release_taken])                                                             \
            WRITE_ONCE(*(p), 1);                                                                             \
        else                                                                                                 \
            __atomic_store_n(p, 1, __ATOMIC_RELEASE);                                                        \
    } while (0)

static inline bool lock_try_cmpxchg_acquire(atomic_t* v, int* expected, int desired) {
    return kernel_changed[try_acquire_taken] ? atomic_try_cmpxchg_relaxed(v, expected, desired)
                                             : atomic_try_cmpxchg_acquire(v, expected, desired);
}
static inline int lock_fetch_or_acquire(int bits, atomic_t* v) {
    return kernel_changed[pending_acquire_taken] ? atomic_fetch_or_relaxed(bits, v)
                                                 : atomic_fetch_or_acquire(bits, v);
}
static inline int lock_add_return_acquire(int by, atomic_t* v) {
    return kernel_changed[reader_acquire_taken] ? atomic_add_return_relaxed(by, v)
                                                : atomic_add_return_acquire(by, v);
}
static inline int lock_sub_return_release(int by, atomic_t* v) {
    return kernel_changed[reader_release_taken] ? atomic_sub_return_relaxed(by, v)
                                                : atomic_sub_return_release(by, v);
}
#define atomic_try_cmpxchg_acquire lock_try_cmpxchg_acquire
#define atomic_fetch_or_acquire lock_fetch_or_acquire
#define atomic_add_return_acquire lock_add_return_acquire
#define atomic_sub_return_release lock_sub_return_release

/* ---- the rest of it */

static inline void atomic_andnot(int bits, atomic_t* v) { atomic_and(~bits, v); }

#define __pure __attribute__((pure))
#define __lockfunc
#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#define BUILD_BUG_ON(condition) _Static_assert(!(condition), #condition)
#define EXPORT_SYMBOL(symbol)
#define prefetchw(address) ((void)(address))
#define lockevent_inc(event) lock_event(#event)
#define lockevent_cond_inc(event, condition)
#define trace_contention_begin(lock, flags) ((void)(lock))
#define trace_contention_end(lock, result) ((void)(lock))
