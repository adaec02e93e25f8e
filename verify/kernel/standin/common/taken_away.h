/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a scenario takes away from the kernel's and libperf's code, or puts into it, by the letters of docs/kernel.md:
 * the source stays as it is, the words that it is written in mean less, or more. */

#ifdef __cplusplus
extern "C" {
#endif

enum kernel_change {
    tail_dependency_taken = 1, /* A: the writer's branch on data_tail or aux_tail orders nothing */
    write_barrier_taken,       /* B: smp_wmb() is nothing */
    head_acquire_taken,        /* C: libperf's load of data_head orders nothing */
    tail_release_taken,        /* D: libperf's store of data_tail orders nothing */
    driver_barrier_taken,      /* b: the AUX driver's own write barrier is nothing */
    compiler_barrier_taken,    /* K: barrier() is nothing */
    cmpxchg_in_two_steps,      /* local_cmpxchg() of head can be interrupted between its load and its store */
    xchg_in_two_steps,         /* so can local_xchg() of lost */
    poll_set_releases, /* the fix of docs/findings/perf-poll-flag.md: atomic_set(&rb->poll) is a release */
    stamp_before_nest, /* that of perf-wakeup-stamp.md: a copy of the source with two lines exchanged */
    /* of the locks: each is relaxed, or nothing */
    try_acquire_taken,        /* atomic_try_cmpxchg_acquire(): the lock is free */
    pending_acquire_taken,    /* queued_fetch_set_pending_acquire(): it has become free */
    wait_acquire_taken,       /* atomic_cond_read_acquire(): it becomes free */
    unlock_release_taken,     /* smp_store_release() of the lock's byte */
    node_barrier_taken,       /* smp_wmb() between a queue node's values and the tail that leads to it */
    address_dependency_taken, /* from the tail, and from a node's `next`, to the node */
    queue_acquire_taken,      /* arch_mcs_spin_lock_contended(): the thread comes to the head of the queue */
    queue_release_taken,      /* arch_mcs_spin_unlock_contended() */
    reader_acquire_taken,     /* atomic_add_return_acquire() of a reader */
    reader_release_taken,     /* atomic_sub_return_release() of a reader */
    kernel_changes
};

extern unsigned char kernel_changed[kernel_changes];
/* For the execution that runs; to be called before there is a second thread. */
static inline void change_kernel(enum kernel_change what) { kernel_changed[what] = 1; }
/* Not instrumented: no word of the ring is read so often, and no thread writes it while there are two. */
int kernel_is_changed(enum kernel_change what);

#ifdef __cplusplus
}
#endif
