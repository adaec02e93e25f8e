// SPDX-License-Identifier: Apache-2.0
// The kernel's qspinlock and qrwlock: their words are accessed in one, two and four bytes. What they protect is plain memory, so
// that a lock that two hold, or that hands over too little, is a race.

#include "locks.h"

#include <ringproof/verify/verify.hpp>

#include <cstdint>
#include <initializer_list>
#include <pthread.h>
#include <thread>
#include <vector>

void lock_event(const char* event) { ringproof::verify::cover(event); }

namespace {

using namespace ringproof;

const kernel_locks* locks = &locks_in_halves;
int guarded;

/// The CPU that a thread is, from 0 to 3. A key, as with a thread_local variable each switch of threads is a system call on
/// processors without FSGSBASE.
class cpus {
  public:
    cpus() { pthread_key_create(&number, nullptr); }
    ~cpus() { pthread_key_delete(number); }
    cpus(const cpus&) = delete;
    cpus& operator=(const cpus&) = delete;
    static void set(std::intptr_t cpu) { pthread_setspecific(number, reinterpret_cast<void*>(cpu)); }
    static int get() {
        return static_cast<int>(reinterpret_cast<std::intptr_t>(pthread_getspecific(number)));
    }

  private:
    inline static pthread_key_t number;
};

} // namespace

int lock_cpu() { return cpus::get(); }

namespace {

void take_away(std::initializer_list<kernel_change> changes) {
    for (const kernel_change change : changes) change_kernel(change);
}

/// Runs each function on a CPU of its own.
template <class... Functions>
void on_cpus(Functions... functions) {
    const cpus here;
    std::intptr_t cpu = 0;
    std::vector<std::thread> others;
    const auto start = [&](auto f) {
        others.emplace_back([f, at = cpu++] {
            cpus::set(at);
            f();
        });
    };
    (start(functions), ...);
    for (std::thread& t : others) t.join();
    VERIFY_THAT(locks->at_rest());
}

void counts() {
    locks->spin_lock();
    ++guarded;
    locks->spin_unlock();
}
void counts_twice() {
    counts();
    counts();
}
void tries() {
    if (!locks->spin_trylock()) return verify::cover("taken");
    ++guarded;
    locks->spin_unlock();
}

void two_cpus(std::initializer_list<kernel_change> changes = {}) {
    take_away(changes);
    on_cpus(counts, counts);
    VERIFY_THAT(guarded == 2);
}
void two_cpus_twice(const kernel_locks& of) {
    locks = &of;
    on_cpus(counts_twice, counts_twice);
    VERIFY_THAT(guarded == 4);
}
void three_cpus(std::initializer_list<kernel_change> changes = {}) {
    take_away(changes);
    on_cpus(counts, counts, counts);
    VERIFY_THAT(guarded == 3);
}
/// In which one node of the queue leads to the next.
void two_in_the_queue(const kernel_locks& of, std::initializer_list<kernel_change> changes = {}) {
    take_away(changes);
    locks = &of;
    on_cpus(counts_twice, counts, counts);
    VERIFY_THAT(guarded == 4);
}

void reads() {
    locks->read_lock();
    VERIFY_THAT(guarded % 2 == 0);
    locks->read_unlock();
}
void writes() {
    locks->write_lock();
    ++guarded;
    ++guarded;
    locks->write_unlock();
}
void tries_to_read() {
    if (!locks->read_trylock()) return verify::cover("not readable");
    VERIFY_THAT(guarded % 2 == 0);
    locks->read_unlock();
}
void tries_to_write() {
    if (!locks->write_trylock()) return verify::cover("not writable");
    ++guarded;
    ++guarded;
    locks->write_unlock();
}
void reads_and_writes(kernel_change change) {
    take_away({change});
    on_cpus(reads, writes);
}

} // namespace

VERIFY("qspinlock: two CPUs, one waits as pending", .models = {rc11, tso, sc}, .covers = {"lock_pending"}) {
    two_cpus();
}
VERIFY("qspinlock: three CPUs, pending and queued", .models = {rc11, tso, sc},
       .covers = {"lock_pending", "lock_slowpath"}) {
    three_cpus();
}
VERIFY("qspinlock: one CPU tries while two take it", .models = {rc11, tso, sc}, .covers = {"taken"}) {
    on_cpus(tries, counts, counts);
    VERIFY_THAT(guarded >= 2);
}
VERIFY("qspinlock: two CPUs take it twice each", .models = {tso, sc},
       .covers = {"lock_pending", "lock_slowpath"}) {
    two_cpus_twice(locks_in_halves);
}
/// Of the word a part may be older than another: docs/kernel.md.
VERIFY("qspinlock: two CPUs take it twice each, where a load of the word may miss a store of its half",
       .models = {rc11}, .expect = refuted) {
    two_cpus_twice(locks_in_halves);
}
VERIFY("qspinlock for 16,384 CPUs: two take it twice each", .models = {rc11, tso, sc},
       .covers = {"lock_pending", "lock_slowpath"}) {
    two_cpus_twice(locks_in_words);
}

VERIFY("qspinlock: atomic_try_cmpxchg_acquire() is relaxed", .models = {rc11}, .expect = refuted) {
    two_cpus({try_acquire_taken});
}
VERIFY("qspinlock: queued_fetch_set_pending_acquire() is relaxed", .models = {rc11}, .expect = refuted) {
    two_cpus({pending_acquire_taken});
}
VERIFY("qspinlock: atomic_cond_read_acquire() is relaxed", .models = {rc11}, .expect = refuted) {
    two_cpus({wait_acquire_taken});
}
VERIFY("qspinlock: the store that unlocks is relaxed", .models = {rc11}, .expect = refuted) {
    two_cpus({unlock_release_taken});
}
VERIFY("qspinlock for 16,384 CPUs: smp_wmb() before xchg_tail() is nothing", .models = {rc11},
       .expect = refuted) {
    two_in_the_queue(locks_in_words, {node_barrier_taken});
}
VERIFY("qspinlock for 16,384 CPUs: addresses order nothing", .models = {rc11}, .expect = refuted) {
    two_in_the_queue(locks_in_words, {address_dependency_taken});
}
VERIFY("qspinlock for 16,384 CPUs: the wait in the queue acquires nothing", .models = {rc11},
       .expect = refuted) {
    two_in_the_queue(locks_in_words, {queue_acquire_taken});
}
VERIFY("qspinlock for 16,384 CPUs: the hand-over in the queue releases nothing", .models = {rc11},
       .expect = refuted) {
    two_in_the_queue(locks_in_words, {queue_release_taken});
}
VERIFY("qspinlock: on a machine that needs no barrier but the compiler's", .models = {tso, sc}) {
    three_cpus({try_acquire_taken, pending_acquire_taken, wait_acquire_taken, unlock_release_taken,
                node_barrier_taken, address_dependency_taken, queue_acquire_taken, queue_release_taken});
}

VERIFY("qrwlock: a reader and a writer", .models = {rc11, tso, sc}) { on_cpus(reads, writes); }
VERIFY("qrwlock: two readers and a writer", .models = {rc11, tso, sc}) { on_cpus(reads, reads, writes); }
VERIFY("qrwlock: two writers", .models = {rc11, tso, sc}) {
    on_cpus(writes, writes);
    VERIFY_THAT(guarded == 4);
}
VERIFY("qrwlock: a reader and a writer that only try", .models = {rc11, tso, sc},
       .covers = {"not readable", "not writable"}) {
    on_cpus(tries_to_read, tries_to_write);
}
VERIFY("qrwlock: a reader's atomic_add_return_acquire() is relaxed", .models = {rc11}, .expect = refuted) {
    reads_and_writes(reader_acquire_taken);
}
VERIFY("qrwlock: a reader's atomic_sub_return_release() is relaxed", .models = {rc11}, .expect = refuted) {
    reads_and_writes(reader_release_taken);
}
VERIFY("qrwlock: a writer's atomic_try_cmpxchg_acquire() is relaxed", .models = {rc11}, .expect = refuted) {
    reads_and_writes(try_acquire_taken);
}
VERIFY("qrwlock: atomic_cond_read_acquire() is relaxed", .models = {rc11}, .expect = refuted) {
    reads_and_writes(wait_acquire_taken);
}
VERIFY("qrwlock: the store that ends writing is relaxed", .models = {rc11}, .expect = refuted) {
    reads_and_writes(unlock_release_taken);
}
