// SPDX-License-Identifier: Apache-2.0
// Readers and a writer of two values, behind a read-write lock.
#include <cassert>
#include <shared_mutex>
#include <thread>

std::shared_mutex lock;
int first, second;

static void look() {
#ifndef NO_LOCK
    lock.lock_shared();
#endif
    assert(first == second);
#ifndef NO_LOCK
    lock.unlock_shared();
#endif
}

int main() {
    std::thread reader(look);
#ifdef READERS
    std::thread another(look);
#endif
#ifdef WRITER_SHARES
    lock.lock_shared();
#else
    lock.lock();
#endif
    first = second = 1;
#if defined(WRITER_SHARES)
    lock.unlock_shared();
#elif defined(FOR_EVER)
    lock.lock_shared();
#else
    lock.unlock();
#endif
#ifdef TRIES
    if (lock.try_lock_shared()) {
        assert(first == 1);
        lock.unlock_shared();
    }
#endif
    reader.join();
#ifdef READERS
    another.join();
#endif
}
