// SPDX-License-Identifier: Apache-2.0
// The kernel's side is a thread and a system call of a few lines, after the rules at the top of io_uring.c.
#include <errno.h>
#include <signal.h>
#include <stdbool.h>

#define LIBURING_INTERNAL           // as its build does
#define LIBURING_ARCH_X86_SYSCALL_H // its system calls are instructions
struct io_uring_params;
static inline int __sys_io_uring_enter2(unsigned fd, unsigned to_submit, unsigned min_complete,
                                        unsigned flags, sigset_t* sig, int size);
static inline int __sys_io_uring_enter(unsigned fd, unsigned to_submit, unsigned min_complete, unsigned flags,
                                       sigset_t* sig);
#include <queue.c>

static inline int __sys_io_uring_enter2(unsigned fd, unsigned to_submit, unsigned min_complete,
                                        unsigned flags, sigset_t* sig, int size) {
    return (int)to_submit;
}
static inline int __sys_io_uring_enter(unsigned fd, unsigned to_submit, unsigned min_complete, unsigned flags,
                                       sigset_t* sig) {
    return __sys_io_uring_enter2(fd, to_submit, min_complete, flags, sig, 0);
}

#include <pthread.h>

static unsigned head, tail, mask = 1, entries = 2, flags, array[2];
static struct io_uring_sqe sqes[2];

/// The poll thread takes what is there, and says so.
static void* polls(void* unused) {
    if (__atomic_load_n(&tail, __ATOMIC_ACQUIRE) == 1) __atomic_store_n(&head, 1, __ATOMIC_RELEASE);
    return unused;
}

int main(void) {
    struct io_uring ring = {.flags = IORING_SETUP_SQPOLL,
                            .sq = {.khead = &head,
                                   .ktail = &tail,
                                   .kflags = &flags,
                                   .array = array,
                                   .sqes = sqes,
                                   .ring_mask = mask,
                                   .ring_entries = entries}};
    pthread_t poller;
    pthread_create(&poller, 0, polls, 0);
    io_uring_prep_nop(io_uring_get_sqe(&ring));
    io_uring_submit(&ring);
    pthread_join(poller, 0);
}
