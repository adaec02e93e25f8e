// SPDX-License-Identifier: Apache-2.0
#pragma once
// Locks of which several threads may have a share, and that are polled: a read-write lock, and a semaphore that is taken and
// given back.

#include "program.hpp"

#include <atomic>
#include <pthread.h>
#include <semaphore.h>
#include <semaphore>

namespace ringproof::verify::locks {

/// A semaphore of libc.
struct posix_gate {
    sem_t count = {};
    std::atomic<bool> put{false}; ///< it may let two in

    void open(int width) { sem_init(&count, 0, static_cast<unsigned>(width)); }
    void take() { sem_wait(&count); }
    bool try_to_take() { return sem_trywait(&count) == 0; }
    void give() { sem_post(&count); }
    int left() {
        int left = 0;
        sem_getvalue(&count, &left);
        return left;
    }
};
/// The same of C++.
struct cpp_gate {
    std::counting_semaphore<> count{0};
    std::atomic<bool> put{false};

    void open(int width) { count.release(width); }
    void take() { count.acquire(); }
    bool try_to_take() { return count.try_acquire(); }
    void give() { count.release(); }
    int left() { return 0; }
};

struct shared_slots {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    posix_gate gate;
    cpp_gate other_gate;
    bool put = false; ///< with the lock

    bool look(bool alone) {
        if (alone)
            pthread_rwlock_wrlock(&lock);
        else
            pthread_rwlock_rdlock(&lock);
        const bool there = put;
        pthread_rwlock_unlock(&lock);
        return there;
    }
    /// As a library does that does not wait for the lock: by a try.
    bool try_to_look() {
        if (pthread_rwlock_tryrdlock(&lock) != 0) return false;
        const bool there = put;
        pthread_rwlock_unlock(&lock);
        return there;
    }
};

template <class Gate, class Failed, class Note>
void use_gate(Gate& on, statement_kind what, int way, Failed failed, Note note) {
    const auto look = [&] {
        if (way == 2 && !on.try_to_take()) return false;
        if (way != 2) on.take();
        const bool there = on.put.load(std::memory_order_relaxed);
        on.give();
        return there;
    };
    switch (what) {
    case statement_kind::poll_gate:
        while (!look()) failed();
        return;
    case statement_kind::put_gate:
        if (way != 0) on.take();
        on.put.store(true, std::memory_order_relaxed);
        if (way != 0) on.give();
        return;
    case statement_kind::peek_gate:
        if (way == 0) return note(on.left());
        if (const bool free = on.try_to_take(); note(free), free) on.give();
        return;
    case statement_kind::widen_gate: // one more may come in from now on
        return on.give();
    default: // narrow_gate
        return on.take();
    }
}

/// @param way of waiting, or of looking
template <class Failed, class Note>
void use_shares(shared_slots& on, statement_kind what, int object, int way, Failed failed, Note note) {
    switch (what) {
    case statement_kind::poll_shared:
        while (!(way == 2 ? on.try_to_look() : on.look(way == 1))) failed();
        return;
    case statement_kind::put_shared:
        pthread_rwlock_wrlock(&on.lock);
        on.put = true;
        pthread_rwlock_unlock(&on.lock);
        return;
    case statement_kind::peek_shared: {
        const bool free =
            (way == 0 ? pthread_rwlock_tryrdlock(&on.lock) : pthread_rwlock_trywrlock(&on.lock)) == 0;
        if (free) pthread_rwlock_unlock(&on.lock);
        return note(free);
    }
    default:
        if (object == 0)
            use_gate(on.gate, what, way, failed, note);
        else
            use_gate(on.other_gate, what, way, failed, note);
    }
}

} // namespace ringproof::verify::locks
