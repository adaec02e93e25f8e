/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The kernel's vocabulary for one source, kernel/events/ring_buffer.c. <lkmm.h> has most of it; here are what that source
 * needs beside, and what a scenario may take away. docs/kernel.md lists what each promises, and what it leaves out. */

#include "taken_away.h"

#include <asm/types.h>
#include <errno.h>
#include <lkmm.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

typedef __u64 u64;
typedef __u32 u32;
typedef unsigned long pgoff_t;

/* The copy with the stamp saved first has names of its own, so that it can stand beside the original. */
#ifdef RINGPROOF_KERNEL_CHANGED
#define perf_output_begin changed_perf_output_begin
#define perf_output_begin_forward changed_perf_output_begin_forward
#define perf_output_begin_backward changed_perf_output_begin_backward
#define perf_output_copy changed_perf_output_copy
#define perf_output_skip changed_perf_output_skip
#define perf_output_end changed_perf_output_end
#define perf_aux_output_flag changed_perf_aux_output_flag
#define perf_aux_output_begin changed_perf_aux_output_begin
#define perf_aux_output_end changed_perf_aux_output_end
#define perf_aux_output_skip changed_perf_aux_output_skip
#define perf_get_aux changed_perf_get_aux
#define perf_output_copy_aux changed_perf_output_copy_aux
#define perf_mmap_to_page changed_perf_mmap_to_page
#define rb_alloc changed_rb_alloc
#define rb_alloc_aux changed_rb_alloc_aux
#define rb_free_aux changed_rb_free_aux
#define rb_free changed_rb_free
#endif

/* ---- what can be taken away */

/* The writer's branch on data_tail or aux_tail keeps its later stores behind the load (a control dependency, A). C++ has no
 * such order, so it is an acquire fence here. These two are the only words of 64 bits that the source reads so. */
#undef READ_ONCE
#define READ_ONCE(x)                                                                                         \
    __extension__({                                                                                          \
        __typeof__(x) read_once_ = *(const volatile __typeof__(x)*)&(x);                                     \
        if (__builtin_types_compatible_p(__typeof__(x), __u64) && !kernel_is_changed(tail_dependency_taken)) \
            __atomic_thread_fence(__ATOMIC_ACQUIRE);                                                         \
        read_once_;                                                                                          \
    })
#undef smp_wmb
#define smp_wmb()                                                                                            \
    do {                                                                                                     \
        if (!kernel_is_changed(write_barrier_taken)) __atomic_thread_fence(__ATOMIC_RELEASE);                \
    } while (0)
#undef barrier
#define barrier()                                                                                            \
    do {                                                                                                     \
        if (!kernel_is_changed(compiler_barrier_taken)) __atomic_signal_fence(__ATOMIC_SEQ_CST);             \
    } while (0)
#define atomic_set(v, value)                                                                                 \
    (kernel_is_changed(poll_set_releases) ? atomic_set_release(v, value) : atomic_set(v, value))

static inline long interruptible_cmpxchg(local_t* l, long expected, long desired) {
    if (!kernel_is_changed(cmpxchg_in_two_steps)) return local_cmpxchg(l, expected, desired);
    const long seen = local_read(l);
    if (seen == expected) local_set(l, desired);
    return seen;
}
static inline long interruptible_xchg(local_t* l, long value) {
    if (!kernel_is_changed(xchg_in_two_steps)) return local_xchg(l, value);
    const long seen = local_read(l);
    local_set(l, value);
    return seen;
}
#define local_cmpxchg interruptible_cmpxchg
#define local_xchg interruptible_xchg

/* ---- numbers */

#define U32_MAX ((u32)~0U)
#define min(a, b)                                                                                            \
    __extension__({                                                                                          \
        __typeof__(a) a_ = (a);                                                                              \
        __typeof__(b) b_ = (b);                                                                              \
        a_ < b_ ? a_ : b_;                                                                                   \
    })
#define min_t(type, a, b) min((type)(a), (type)(b))
#define rounddown(n, by) ((n) - (n) % (by))
static inline int ilog2(unsigned long n) { return 63 - __builtin_clzl(n); }
static inline int order_base_2(unsigned long n) { return n > 1 ? ilog2(n - 1) + 1 : 0; }
static inline unsigned long array_index_nospec(unsigned long index, unsigned long size) {
    return index < size ? index : 0;
}

/* ---- memory: pages of 64 bytes, so that a handful of records fills one */

#define PAGE_SHIFT 6
#define PAGE_SIZE (1UL << PAGE_SHIFT)
#define MAX_ORDER 4
#define offset_in_page(address) ((unsigned long)(address) & (PAGE_SIZE - 1))
static inline int get_order(unsigned long size) { return order_base_2((size + PAGE_SIZE - 1) >> PAGE_SHIFT); }

enum { GFP_KERNEL = 0, __GFP_ZERO = 0, __GFP_NOWARN = 0, __GFP_NORETRY = 0 };
struct page {
    unsigned long private_number;
    void* mapping;
};
struct page* alloc_pages_node(int node, int flags, int order);
void __free_page(struct page* page);
void* page_address(const struct page* page);
struct page* virt_to_page(const void* address);
#define split_page(page, order) ((void)(page), (void)(order))
#define SetPagePrivate(page) ((void)(page))
#define ClearPagePrivate(page) ((page)->private_number = 0)
#define set_page_private(page, value) ((page)->private_number = (unsigned long)(value))
#define page_private(page) ((page)->private_number)
#define cpu_to_node(cpu) ((cpu)*0)
#define kzalloc_node(size, flags, node) ((void)(node), calloc(1, size))
#define kcalloc_node(n, size, flags, node) ((void)(node), calloc(n, size))
#define kfree(address) free(address)

/* ---- the rest of it: one CPU writes, and nothing of it sleeps or faults */

#define EXPORT_SYMBOL_GPL(symbol)
#define smp_processor_id() 0
#define in_atomic() 0
#define interrupt_context_level() 0
#define pagefault_disable() ((void)0)
#define pagefault_enable() ((void)0)
#define __copy_from_user_inatomic(to, from, n) ((void)(to), (void)(from), (n))
