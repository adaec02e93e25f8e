/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's own inline functions, called as its callers do. */

#include "locks.h"

#include <linux/spinlock.h>

static struct qspinlock spin = __ARCH_SPIN_LOCK_UNLOCKED;
static struct qrwlock rw = __ARCH_RW_LOCK_UNLOCKED;

static void spin_lock_once(void) { queued_spin_lock(&spin); }
static bool spin_trylock_once(void) { return queued_spin_trylock(&spin); }
static void spin_unlock_once(void) { queued_spin_unlock(&spin); }
static void read_lock_once(void) { queued_read_lock(&rw); }
static bool read_trylock_once(void) { return queued_read_trylock(&rw); }
static void read_unlock_once(void) { queued_read_unlock(&rw); }
static void write_lock_once(void) { queued_write_lock(&rw); }
static bool write_trylock_once(void) { return queued_write_trylock(&rw); }
static void write_unlock_once(void) { queued_write_unlock(&rw); }
static bool at_rest(void) {
    return atomic_read(&spin.val) == 0 && atomic_read(&rw.cnts) == 0 && atomic_read(&rw.wait_lock.val) == 0;
}

#ifdef LOCKS_WITHOUT_HALVES
#define LOCKS_OF_THIS locks_in_words
#else
#define LOCKS_OF_THIS locks_in_halves
#endif

const struct kernel_locks LOCKS_OF_THIS = {
    .spin_lock = spin_lock_once,
    .spin_trylock = spin_trylock_once,
    .spin_unlock = spin_unlock_once,
    .read_lock = read_lock_once,
    .read_trylock = read_trylock_once,
    .read_unlock = read_unlock_once,
    .write_lock = write_lock_once,
    .write_trylock = write_trylock_once,
    .write_unlock = write_unlock_once,
    .at_rest = at_rest,
};
