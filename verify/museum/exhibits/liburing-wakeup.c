// SPDX-License-Identifier: Apache-2.0
// The kernel's side is a thread and a system call of a few lines, after the rules at the top of io_uring.c.
#include <errno.h>
#include <signal.h>
#include <stdbool.h>

#define LIBURING_INTERNAL           // as its build does
#define LIBURING_ARCH_X86_SYSCALL_H // its system calls are instructions
static bool woken;
struct io_uring_params;
static inline int ____sys_io_uring_enter2(int fd, unsigned to_submit, unsigned min_complete, unsigned flags,
                                          sigset_t* sig, int size);
static inline int ____sys_io_uring_enter(int fd, unsigned to_submit, unsigned min_complete, unsigned flags,
                                         sigset_t* sig);
#include <queue.c>

static inline int ____sys_io_uring_enter2(int fd, unsigned to_submit, unsigned min_complete, unsigned flags,
                                          sigset_t* sig, int size) {
    if (flags & IORING_ENTER_SQ_WAKEUP) woken = true;
    return (int)to_submit;
}
static inline int ____sys_io_uring_enter(int fd, unsigned to_submit, unsigned min_complete, unsigned flags,
                                         sigset_t* sig) {
    return ____sys_io_uring_enter2(fd, to_submit, min_complete, flags, sig, 0);
}

#include <assert.h>
#include <pthread.h>

static unsigned head, tail, mask = 1, entries = 2, flags, array[2];
static struct io_uring_sqe sqes[2];
static bool seen;

/// The poll thread before it goes to sleep: it sets the flag, and looks a last time.
static void* polls(void* unused) {
    __atomic_fetch_or(&flags, IORING_SQ_NEED_WAKEUP, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    seen = __atomic_load_n(&tail, __ATOMIC_ACQUIRE) != 0;
    return unused;
}

int main(void) {
    struct io_uring ring = {.flags = IORING_SETUP_SQPOLL,
                            .sq = {.khead = &head,
                                   .ktail = &tail,
                                   .kring_mask = &mask,
                                   .kring_entries = &entries,
                                   .kflags = &flags,
                                   .array = array,
                                   .sqes = sqes}};
    pthread_t poller;
    pthread_create(&poller, 0, polls, 0);
    io_uring_prep_nop(io_uring_get_sqe(&ring));
    io_uring_submit(&ring);
    pthread_join(poller, 0);
    assert(seen || woken);
}
