// SPDX-License-Identifier: Apache-2.0
// The one scenario of a program that `ringproof museum --second-opinion relacy` makes: the main() of an exhibit, which objcopy has
// given another name, as it has what is defined here. Its memory by malloc() is of the scenario's heap: at the same addresses in each run.

#include "hooks.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <pthread.h>
#include <semaphore.h>

extern "C" int ringproof_exhibit_main();

namespace shim = ringproof::opinions;

namespace {

constexpr const char* wide = "it has atomics of 16 bytes";

void exhibit() {
    if (ringproof_exhibit_main() == 0) return;
    const shim::hook with;
    if (with) with->fail("main() does not return 0", 0);
}

void fails(const char* what, shim::place where) {
    const shim::hook with;
    if (with) with->fail(what, where);
}

} // namespace

std::vector<shim::named_scenario> shim::scenarios() { return {{"exhibit", exhibit, "", 0}}; }

RINGPROOF_HOOK void ringproof_exhibit___assert_fail(const char* expression, const char*, unsigned,
                                                    const char*) {
    fails(expression, RINGPROOF_PLACE);
    __builtin_trap(); // it came back: the tool has no run that goes on behind a failure
}
RINGPROOF_HOOK void ringproof_exhibit_abort() {
    fails("abort()", RINGPROOF_PLACE);
    __builtin_trap();
}

RINGPROOF_HOOK void* ringproof_exhibit_malloc(std::size_t bytes) { return ::operator new(bytes); }
RINGPROOF_HOOK void* ringproof_exhibit_calloc(std::size_t n, std::size_t bytes) {
    return std::memset(::operator new(n* bytes), 0, n * bytes); // fresh memory: no other thread knows of it
}
RINGPROOF_HOOK void* ringproof_exhibit_aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return ::operator new(bytes, std::align_val_t(alignment));
}
RINGPROOF_HOOK int ringproof_exhibit_posix_memalign(void** to, std::size_t alignment, std::size_t bytes) {
    *to = ::operator new(bytes, std::align_val_t(alignment));
    return 0;
}
RINGPROOF_HOOK void* ringproof_exhibit_realloc(void*, std::size_t) {
    shim::cannot_express("it calls realloc()");
}
RINGPROOF_HOOK void ringproof_exhibit_free(void* p) { ::operator delete(p); }

// What sleeps, or waits for another in the system.
#define RINGPROOF_REFUSE(name, what)                                                                         \
    RINGPROOF_HOOK int ringproof_exhibit_##name() { shim::cannot_express(what); }

RINGPROOF_REFUSE(pthread_cond_timedwait, "it waits for a condition variable with a time-out")
RINGPROOF_REFUSE(pthread_cond_clockwait, "it waits for a condition variable with a time-out")
RINGPROOF_REFUSE(pthread_spin_lock, "it locks a spin lock of pthread")
RINGPROOF_REFUSE(pthread_rwlock_rdlock, "it locks a read-write lock")
RINGPROOF_REFUSE(pthread_rwlock_wrlock, "it locks a read-write lock")
RINGPROOF_REFUSE(pthread_key_create, "it has thread-specific values")
RINGPROOF_REFUSE(sem_wait, "it waits for a semaphore")
RINGPROOF_REFUSE(sem_post, "it posts a semaphore")
RINGPROOF_REFUSE(syscall, "it makes system calls")
RINGPROOF_REFUSE(eventfd, "it makes system calls")
RINGPROOF_REFUSE(poll, "it makes system calls")
RINGPROOF_REFUSE(read, "it makes system calls")
RINGPROOF_REFUSE(write, "it makes system calls")
// std::future, in libstdc++.
RINGPROOF_REFUSE(
    _ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE,
    "it waits for a future")

// Annotations of locks for ThreadSanitizer do nothing: here the locks' own accesses order the threads.
RINGPROOF_HOOK void AnnotateRWLockCreate() {}
RINGPROOF_HOOK void AnnotateRWLockDestroy() {}
RINGPROOF_HOOK void AnnotateRWLockAcquired() {}
RINGPROOF_HOOK void AnnotateRWLockReleased() {}

// Atomics of 16 bytes, which tools have no words for.
RINGPROOF_HOOK int __tsan_atomic128_compare_exchange_strong() { shim::cannot_express(wide); }
RINGPROOF_HOOK int __tsan_atomic128_compare_exchange_weak() { shim::cannot_express(wide); }
RINGPROOF_HOOK int __tsan_atomic128_compare_exchange_val() { shim::cannot_express(wide); }
RINGPROOF_HOOK int __tsan_atomic128_load() { shim::cannot_express(wide); }
RINGPROOF_HOOK int __tsan_atomic128_store() { shim::cannot_express(wide); }

// Static variables in functions: the first byte of the guard says that one is initialised, the second that a thread does it.
RINGPROOF_HOOK int ringproof_exhibit___cxa_guard_acquire(char* guard) {
    const shim::hook with;
    const shim::access done{reinterpret_cast<std::uintptr_t>(guard), 1, __ATOMIC_ACQ_REL, RINGPROOF_PLACE};
    for (;;) {
        if (with ? with->update(done, shim::change::bit_or, 0) != 0 : guard[0] != 0) return 0;
        if (guard[1] == 0 || !with) break;
        with->yield(RINGPROOF_PLACE); // another thread is at it
    }
    shim::keep_static(done.at, 2);
    guard[1] = 1;
    return 1;
}
RINGPROOF_HOOK void ringproof_exhibit___cxa_guard_release(char* guard) {
    const shim::hook with;
    const shim::access done{reinterpret_cast<std::uintptr_t>(guard), 1, __ATOMIC_RELEASE, RINGPROOF_PLACE};
    if (with) with->store(done, 1);
    shim::keep_static(done.at, 2);
    guard[0] = 1;
    guard[1] = 0;
}
