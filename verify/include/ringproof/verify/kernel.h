/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The Linux kernel's words for shared memory, in C and C++, so that code written in them can be checked in user
 * space: READ_ONCE and its kin, barriers, xchg and cmpxchg, atomic_t, local_t, spinlocks. `ringproof check` finds
 * this header also as <lkmm.h>.
 *
 * Each means what Documentation/memory-barriers.txt and atomic_t.txt say, in C++'s terms as in WG21's P0124 ("Linux
 * Kernel Memory Model"), and is judged by C++'s rules. So smp_wmb() and smp_rmb() are release and acquire fences,
 * which order a little more; dependencies order nothing: where one is relied on, say rcu_dereference(); and data
 * that several threads reach without READ_ONCE and WRITE_ONCE races unless it is ordered. Not here: RCU's grace
 * periods, seqcounts, per-CPU variables, bit operations. */

#ifdef atomic_fetch_add
#error "<stdatomic.h> and the kernel's atomics give one name two meanings: include one of them"
#endif

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- single accesses */

#define READ_ONCE(x) (*(const volatile __typeof__(x)*)&(x))
#define WRITE_ONCE(x, value) ((void)(*(volatile __typeof__(x)*)&(x) = (value)))
#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, value) __atomic_store_n(p, value, __ATOMIC_RELEASE)
#define rcu_dereference(p) __atomic_load_n(&(p), __ATOMIC_ACQUIRE)
#define rcu_assign_pointer(p, value) __atomic_store_n(&(p), value, __ATOMIC_RELEASE)

/* ---- barriers */

#define barrier() __atomic_signal_fence(__ATOMIC_SEQ_CST)
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_mb__before_atomic() smp_mb()
#define smp_mb__after_atomic() smp_mb()
#define smp_mb__after_spinlock() smp_mb()
#define smp_store_mb(x, value)                                                                               \
    do {                                                                                                     \
        WRITE_ONCE(x, value);                                                                                \
        smp_mb();                                                                                            \
    } while (0)

/* ---- waiting: a round without effect */

#define cpu_relax() ((void)sched_yield())
/* Until `condition`, which may name the value read VAL, holds; gives that value. */
#define smp_cond_load_relaxed(p, condition)                                                                  \
    __extension__({                                                                                          \
        __typeof__(*(p)) VAL;                                                                                \
        while (VAL = READ_ONCE(*(p)), !(condition)) cpu_relax();                                             \
        VAL;                                                                                                 \
    })
#define smp_cond_load_acquire(p, condition)                                                                  \
    __extension__({                                                                                          \
        __typeof__(*(p)) seen_ = smp_cond_load_relaxed(p, condition);                                        \
        smp_rmb();                                                                                           \
        seen_;                                                                                               \
    })

/* ---- xchg, cmpxchg, try_cmpxchg: those without a suffix order everything before and behind. The kernel's cmpxchg
 * orders nothing when it fails; here the barrier in front is there all the same. */

#define xchg_relaxed(p, value) __atomic_exchange_n(p, value, __ATOMIC_RELAXED)
#define xchg_acquire(p, value) __atomic_exchange_n(p, value, __ATOMIC_ACQUIRE)
#define xchg_release(p, value) __atomic_exchange_n(p, value, __ATOMIC_RELEASE)
#define xchg(p, value)                                                                                       \
    __extension__({                                                                                          \
        smp_mb();                                                                                            \
        __typeof__(*(p)) was_ = xchg_relaxed(p, value);                                                      \
        smp_mb();                                                                                            \
        was_;                                                                                                \
    })

#define RINGPROOF_CMPXCHG(p, expected, desired, order)                                                       \
    __extension__({                                                                                          \
        __typeof__(*(p)) was_ = (expected);                                                                  \
        (void)__atomic_compare_exchange_n(p, &was_, desired, false, order, __ATOMIC_RELAXED);                \
        was_;                                                                                                \
    })
#define cmpxchg_relaxed(p, expected, desired) RINGPROOF_CMPXCHG(p, expected, desired, __ATOMIC_RELAXED)
#define cmpxchg_acquire(p, expected, desired) RINGPROOF_CMPXCHG(p, expected, desired, __ATOMIC_ACQUIRE)
#define cmpxchg_release(p, expected, desired) RINGPROOF_CMPXCHG(p, expected, desired, __ATOMIC_RELEASE)
#define cmpxchg(p, expected, desired)                                                                        \
    __extension__({                                                                                          \
        __typeof__(*(p)) was_ = (expected);                                                                  \
        smp_mb();                                                                                            \
        if (__atomic_compare_exchange_n(p, &was_, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))       \
            smp_mb();                                                                                        \
        was_;                                                                                                \
    })
#define try_cmpxchg_relaxed(p, expected, desired)                                                            \
    __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define try_cmpxchg_acquire(p, expected, desired)                                                            \
    __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)
#define try_cmpxchg_release(p, expected, desired)                                                            \
    __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)
#define try_cmpxchg(p, expected, desired)                                                                    \
    __extension__({                                                                                          \
        smp_mb();                                                                                            \
        const bool done_ = try_cmpxchg_relaxed(p, expected, desired);                                        \
        if (done_) smp_mb();                                                                                 \
        done_;                                                                                               \
    })

/* ---- atomic_t, atomic64_t, atomic_long_t: what returns a value orders everything unless its suffix says less;
 * what returns none orders nothing. local_t: safe against interrupts on the same CPU only. The checker has it
 * atomic, and orders nothing by it: whether several threads change one is for the program to see to. */

#define ATOMIC_INIT(value)                                                                                   \
    { (value) }
#define ATOMIC64_INIT(value)                                                                                 \
    { (value) }
#define ATOMIC_LONG_INIT(value)                                                                              \
    { (value) }
#define LOCAL_INIT(value)                                                                                    \
    { (value) }

#define RINGPROOF_FETCH_OF_ORDER(name, type, op, builtin, suffix, order)                                     \
    static inline type name##_fetch_##op##suffix(type by, name##_t* v) {                                     \
        return builtin(&v->counter, by, order);                                                              \
    }
#define RINGPROOF_FETCH(name, type, op, builtin)                                                             \
    static inline void name##_##op(type by, name##_t* v) {                                                   \
        (void)builtin(&v->counter, by, __ATOMIC_RELAXED);                                                    \
    }                                                                                                        \
    RINGPROOF_FETCH_OF_ORDER(name, type, op, builtin, _relaxed, __ATOMIC_RELAXED)                            \
    RINGPROOF_FETCH_OF_ORDER(name, type, op, builtin, _acquire, __ATOMIC_ACQUIRE)                            \
    RINGPROOF_FETCH_OF_ORDER(name, type, op, builtin, _release, __ATOMIC_RELEASE)                            \
    static inline type name##_fetch_##op(type by, name##_t* v) {                                             \
        smp_mb();                                                                                            \
        const type was = builtin(&v->counter, by, __ATOMIC_RELAXED);                                         \
        smp_mb();                                                                                            \
        return was;                                                                                          \
    }
#define RINGPROOF_RETURN(name, type, suffix)                                                                 \
    static inline type name##_add_return##suffix(type by, name##_t* v) {                                     \
        return name##_fetch_add##suffix(by, v) + by;                                                         \
    }                                                                                                        \
    static inline type name##_sub_return##suffix(type by, name##_t* v) {                                     \
        return name##_fetch_sub##suffix(by, v) - by;                                                         \
    }                                                                                                        \
    static inline type name##_inc_return##suffix(name##_t* v) { return name##_add_return##suffix(1, v); }    \
    static inline type name##_dec_return##suffix(name##_t* v) { return name##_sub_return##suffix(1, v); }    \
    static inline type name##_fetch_inc##suffix(name##_t* v) { return name##_fetch_add##suffix(1, v); }      \
    static inline type name##_fetch_dec##suffix(name##_t* v) { return name##_fetch_sub##suffix(1, v); }      \
    static inline type name##_xchg##suffix(name##_t* v, type value) {                                        \
        return xchg##suffix(&v->counter, value);                                                             \
    }                                                                                                        \
    static inline type name##_cmpxchg##suffix(name##_t* v, type expected, type desired) {                    \
        return cmpxchg##suffix(&v->counter, expected, desired);                                              \
    }                                                                                                        \
    static inline bool name##_try_cmpxchg##suffix(name##_t* v, type* expected, type desired) {               \
        return try_cmpxchg##suffix(&v->counter, expected, desired);                                          \
    }
#define RINGPROOF_ATOMIC(name, type)                                                                         \
    typedef struct {                                                                                         \
        type counter;                                                                                        \
    } name##_t;                                                                                              \
    static inline type name##_read(const name##_t* v) { return READ_ONCE(v->counter); }                      \
    static inline void name##_set(name##_t* v, type value) { WRITE_ONCE(v->counter, value); }                \
    static inline type name##_read_acquire(const name##_t* v) { return smp_load_acquire(&v->counter); }      \
    static inline void name##_set_release(name##_t* v, type value) {                                         \
        smp_store_release(&v->counter, value);                                                               \
    }                                                                                                        \
    RINGPROOF_FETCH(name, type, add, __atomic_fetch_add)                                                     \
    RINGPROOF_FETCH(name, type, sub, __atomic_fetch_sub)                                                     \
    RINGPROOF_FETCH(name, type, and, __atomic_fetch_and)                                                     \
    RINGPROOF_FETCH(name, type, or, __atomic_fetch_or)                                                       \
    RINGPROOF_FETCH(name, type, xor, __atomic_fetch_xor)                                                     \
    RINGPROOF_RETURN(name, type, )                                                                           \
    RINGPROOF_RETURN(name, type, _relaxed)                                                                   \
    RINGPROOF_RETURN(name, type, _acquire)                                                                   \
    RINGPROOF_RETURN(name, type, _release)                                                                   \
    static inline void name##_inc(name##_t* v) { name##_add(1, v); }                                         \
    static inline void name##_dec(name##_t* v) { name##_sub(1, v); }                                         \
    static inline bool name##_inc_and_test(name##_t* v) { return name##_inc_return(v) == 0; }                \
    static inline bool name##_dec_and_test(name##_t* v) { return name##_dec_return(v) == 0; }                \
    static inline bool name##_sub_and_test(type by, name##_t* v) { return name##_sub_return(by, v) == 0; }   \
    static inline bool name##_add_negative(type by, name##_t* v) { return name##_add_return(by, v) < 0; }    \
    static inline type name##_fetch_add_unless(name##_t* v, type by, type unless) {                          \
        type seen = name##_read(v);                                                                          \
        while (seen != unless && !name##_try_cmpxchg(v, &seen, seen + by)) cpu_relax();                      \
        return seen;                                                                                         \
    }                                                                                                        \
    static inline bool name##_add_unless(name##_t* v, type by, type unless) {                                \
        return name##_fetch_add_unless(v, by, unless) != unless;                                             \
    }                                                                                                        \
    static inline bool name##_inc_not_zero(name##_t* v) { return name##_add_unless(v, 1, 0); }

RINGPROOF_ATOMIC(atomic, int)
RINGPROOF_ATOMIC(atomic64, int64_t)
RINGPROOF_ATOMIC(atomic_long, long)

typedef struct {
    long a;
} local_t;
static inline long local_read(const local_t* l) { return READ_ONCE(l->a); }
static inline void local_set(local_t* l, long value) { WRITE_ONCE(l->a, value); }
static inline long local_add_return(long by, local_t* l) {
    return __atomic_add_fetch(&l->a, by, __ATOMIC_RELAXED);
}
static inline void local_add(long by, local_t* l) { (void)local_add_return(by, l); }
static inline void local_sub(long by, local_t* l) { (void)local_add_return(-by, l); }
static inline void local_inc(local_t* l) { local_add(1, l); }
static inline void local_dec(local_t* l) { local_sub(1, l); }
static inline bool local_dec_and_test(local_t* l) { return local_add_return(-1, l) == 0; }
static inline long local_xchg(local_t* l, long value) { return xchg_relaxed(&l->a, value); }
static inline long local_cmpxchg(local_t* l, long expected, long desired) {
    return cmpxchg_relaxed(&l->a, expected, desired);
}
static inline bool local_try_cmpxchg(local_t* l, long* expected, long desired) {
    return try_cmpxchg_relaxed(&l->a, expected, desired);
}

/* ---- spinlocks: a lock that the checker knows, so that waiting for one costs no executions */

typedef struct {
    pthread_mutex_t lock;
} spinlock_t;
#define DEFINE_SPINLOCK(name) spinlock_t name = {PTHREAD_MUTEX_INITIALIZER}
static inline void spin_lock_init(spinlock_t* s) { (void)pthread_mutex_init(&s->lock, NULL); }
static inline void spin_lock(spinlock_t* s) { (void)pthread_mutex_lock(&s->lock); }
static inline bool spin_trylock(spinlock_t* s) { return pthread_mutex_trylock(&s->lock) == 0; }
static inline void spin_unlock(spinlock_t* s) { (void)pthread_mutex_unlock(&s->lock); }

/* ---- what must not happen: the kernel warns or stops, the checker refutes; with NDEBUG too, unlike assert() */

#ifdef __cplusplus
extern "C" void __assert_fail(const char*, const char*, unsigned, const char*) noexcept
    __attribute__((noreturn));
#else
extern void __assert_fail(const char*, const char*, unsigned, const char*) __attribute__((noreturn));
#endif

#define WARN_ON(condition)                                                                                   \
    __extension__({                                                                                          \
        const bool warn_ = !!(condition);                                                                    \
        if (warn_) __assert_fail("WARN_ON(" #condition ") does not fire", __FILE__, __LINE__, __func__);     \
        warn_;                                                                                               \
    })
#define WARN_ON_ONCE(condition) WARN_ON(condition)
#define BUG_ON(condition) ((void)WARN_ON(condition))

/* ---- mutexes, in the same manner */

struct mutex {
    pthread_mutex_t lock;
};
#define DEFINE_MUTEX(name) struct mutex name = {PTHREAD_MUTEX_INITIALIZER}
static inline void mutex_init(struct mutex* m) { (void)pthread_mutex_init(&m->lock, NULL); }
static inline void mutex_lock(struct mutex* m) { (void)pthread_mutex_lock(&m->lock); }
static inline bool mutex_trylock(struct mutex* m) { return pthread_mutex_trylock(&m->lock) == 0; }
static inline void mutex_unlock(struct mutex* m) { (void)pthread_mutex_unlock(&m->lock); }

/* ---- refcount_t: taking a reference orders nothing, giving one back is a release, and the last one an acquire too
 * (Documentation/core-api/refcount-vs-atomic.rst). It does not saturate: reaching zero twice is an error here. */

typedef struct {
    atomic_t refs;
} refcount_t;
#define REFCOUNT_INIT(value)                                                                                 \
    { ATOMIC_INIT(value) }
static inline void refcount_set(refcount_t* r, int value) { atomic_set(&r->refs, value); }
static inline unsigned refcount_read(const refcount_t* r) { return (unsigned)atomic_read(&r->refs); }
static inline void refcount_inc(refcount_t* r) {
    const int was = atomic_fetch_add_relaxed(1, &r->refs);
    BUG_ON(was <= 0);
}
static inline bool refcount_inc_not_zero(refcount_t* r) {
    int seen = atomic_read(&r->refs);
    while (seen != 0 && !atomic_try_cmpxchg_relaxed(&r->refs, &seen, seen + 1)) cpu_relax();
    return seen != 0;
}
static inline bool refcount_dec_and_test(refcount_t* r) {
    const int was = atomic_fetch_sub_release(1, &r->refs);
    BUG_ON(was <= 0);
    if (was != 1) return false;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return true;
}
static inline void refcount_dec(refcount_t* r) { BUG_ON(refcount_dec_and_test(r)); }

/* ---- RCU's read sections, and code that is not preempted: marks, which order nothing. There is no call_rcu() and no
 * synchronize_rcu(), since the checker knows no grace period. */

struct rcu_head {
    struct rcu_head* next;
    void (*func)(struct rcu_head* head);
};
#define rcu_read_lock() ((void)0)
#define rcu_read_unlock() ((void)0)
#define preempt_disable() ((void)0)
#define preempt_enable() ((void)0)

/* ---- lists: as far as to be a member that is initialised */

struct list_head {
    struct list_head *next, *prev;
};
static inline void INIT_LIST_HEAD(struct list_head* list) { list->next = list->prev = list; }

/* ---- the rest of the kernel's vocabulary in such code */

#ifndef likely
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif
#ifndef container_of
#define container_of(member_address, type, member)                                                           \
    ((type*)(void*)((char*)(member_address)-offsetof(type, member)))
#endif
