/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled as C and as C++. */
#include <assert.h>
#include <lkmm.h>

static atomic_t count = ATOMIC_INIT(0);
static atomic64_t bits = ATOMIC64_INIT(6);
static local_t nest = LOCAL_INIT(0);
static DEFINE_SPINLOCK(lock);
static DEFINE_MUTEX(owner);
static refcount_t users = REFCOUNT_INIT(1);
static int guarded;
static int x, y, seen[2];

static void alone(void) {
    assert(atomic_inc_return(&count) == 1 && atomic_fetch_add(4, &count) == 1 &&
           atomic_sub_return(3, &count) == 2);
    assert(!atomic_dec_and_test(&count) && atomic_dec_and_test(&count) && !atomic_inc_not_zero(&count));
    assert(atomic_cmpxchg(&count, 7, 9) == 0 && atomic_cmpxchg_acquire(&count, 0, 9) == 0 &&
           atomic_read(&count) == 9);
    assert(atomic_add_unless(&count, 1, 3) && atomic_xchg(&count, 0) == 10);
    assert(atomic64_fetch_and(3, &bits) == 6 && atomic64_fetch_or_release(8, &bits) == 2);
    atomic64_xor(1, &bits);
    assert(atomic64_read_acquire(&bits) == 11);
    int64_t guess = 5;
    assert(!atomic64_try_cmpxchg(&bits, &guess, 0) && guess == 11 && atomic64_try_cmpxchg(&bits, &guess, 0));
    local_inc(&nest);
    assert(local_cmpxchg(&nest, 1, 5) == 1 && local_xchg(&nest, 0) == 5 && local_add_return(2, &nest) == 2);
    int plain = 1;
    assert(xchg(&plain, 2) == 1 && cmpxchg(&plain, 2, 3) == 2 && cmpxchg_release(&plain, 2, 4) == 3);
}

static void references(void) {
    refcount_inc(&users);
    assert(refcount_read(&users) == 2 && !refcount_dec_and_test(&users) && refcount_inc_not_zero(&users));
    refcount_dec(&users);
    assert(refcount_dec_and_test(&users) && !refcount_inc_not_zero(&users) && refcount_read(&users) == 0);
#ifdef ONE_REFERENCE_TOO_FEW
    refcount_inc(&users);
#endif
    assert(!WARN_ON(guarded != 0));
#ifdef WARNS
    if (WARN_ON_ONCE(guarded == 0)) guarded = 0;
#endif
    mutex_lock(&owner);
    assert(!mutex_trylock(&owner));
    mutex_unlock(&owner);
    struct list_head list;
    INIT_LIST_HEAD(&list);
    rcu_read_lock();
    assert(list.next == &list && list.prev == &list);
    rcu_read_unlock();
}

/* Store buffering: a read-modify-write that gives its value back is a full barrier, one that doesn't is none. */
static void* first(void* unused) {
    spin_lock(&lock);
    ++guarded;
    spin_unlock(&lock);
    WRITE_ONCE(x, 1);
#ifdef ORDERS_NOTHING
    atomic_inc(&count);
#else
    (void)atomic_inc_return(&count);
#endif
    seen[0] = READ_ONCE(y);
    return unused;
}

static void* second(void* unused) {
    spin_lock(&lock);
    ++guarded;
    spin_unlock(&lock);
    smp_store_mb(y, 1);
    seen[1] = READ_ONCE(x);
    return unused;
}

int main(void) {
    alone();
    references();
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(guarded == 2 && (seen[0] || seen[1]));
    return 0;
}
