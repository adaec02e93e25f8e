/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A qspinlock and a qrwlock of the kernel, for scenarios. Each thread is a CPU, which it names first. */

#include "taken_away.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kernel_locks {
    void (*spin_lock)(void);
    bool (*spin_trylock)(void);
    void (*spin_unlock)(void);
    void (*read_lock)(void);
    bool (*read_trylock)(void);
    void (*read_unlock)(void);
    void (*write_lock)(void);
    bool (*write_trylock)(void);
    void (*write_unlock)(void);
    bool (*at_rest)(void); /* nothing is held, pending or queued */
};
/* As a kernel for less than 2^14 CPUs has them: the pending bit is a byte, and the tail two. For more: all is one word, but for
 * the byte that says "locked". */
extern const struct kernel_locks locks_in_halves, locks_in_words;

int lock_cpu(void); /* which CPU the calling thread is: 0 to 3 */
void lock_event(const char* event);

#ifdef __cplusplus
}
#endif
