// SPDX-License-Identifier: Apache-2.0
#include "subject.hpp"

#include "counters.hpp"
#include "shares.hpp"
#include "timed.hpp"
#include "undone.hpp"
#include "updates.hpp"

#include <ringproof/verify/verify.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>

namespace ringproof::verify::locks {

running_program running;

namespace {

using what = statement_kind;

constexpr std::size_t most_threads = 32, most_seen = 32; // main is thread 0

// At fixed places, as the memory of the program under test is restored.
int seen[most_threads][most_seen];
unsigned seen_by[most_threads];
int met[most_threads]; // how often a thread has met others at the barrier

struct shared_objects {
    std::atomic<int> words[2] = {};
    int counted = 0;
    bool flag = false, put[2] = {}, put_spin[2] = {}, put_nested[2] = {};
    std::atomic<int> polled[2] = {}, robbed[2] = {};
    std::atomic<bool> put_word[2] = {};
    pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
    pthread_mutex_t nested[2] = {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                                 PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
    pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_spinlock_t spin = {};
    pthread_barrier_t barrier = {};
    sem_t semaphore = {};
    start_counter start;
    timed_flag timed;
    updated_words updated;
    undone_lock undone;
    shared_slots shares;
} objects;

// Seen by the checker: memory that changed unseen would keep it from telling that an iteration left nothing.
void note(std::size_t thread, int value) {
    if (seen_by[thread] < most_seen) seen[thread][seen_by[thread]++] = value;
}
// Not seen by the checker: reading the program is no part of it.
[[gnu::noinline, gnu::no_sanitize_thread]] statement* fetch(const std::vector<statement>& from,
                                                            std::size_t at) {
    return at < from.size() ? const_cast<statement*>(from.data()) + at : nullptr;
}
struct look {
    what kind;
    int object, value;
};
[[gnu::noinline, gnu::no_sanitize_thread]] look look_at(const statement& s) {
    return {s.what, s.object, s.value};
}

[[gnu::noinline, gnu::no_sanitize_thread]] bool is_too_many(int failed) {
    return failed >= running.most_failed;
}
[[gnu::noinline, gnu::no_sanitize_thread]] bool counts() { return running.most_failed != 0; }
/// A loop that counts is another one in each iteration, so it does so only where it has to end.
inline void note_failed(int& failed) {
    if (counts() && is_too_many(++failed)) ringproof::verify::assume(false);
}

bool poll(int object) {
    pthread_mutex_lock(&objects.mutexes[object]);
    const bool there = objects.put[object];
    pthread_mutex_unlock(&objects.mutexes[object]);
    return there;
}
void take_word(std::atomic<int>& word) {
    while (word.exchange(1, std::memory_order_acquire) == 1) {
    }
}
bool poll_spin(int object) {
    take_word(objects.polled[object]);
    const bool there = objects.put_spin[object];
    objects.polled[object].store(0, std::memory_order_release);
    return there;
}

bool poll_tried(int object) {
    if (pthread_mutex_trylock(&objects.mutexes[object]) != 0) return false;
    const bool there = objects.put[object];
    pthread_mutex_unlock(&objects.mutexes[object]);
    return there;
}
bool exchange_word(std::atomic<int>& word) {
    int free = 0;
    return word.compare_exchange_strong(free, 1, std::memory_order_acquire, std::memory_order_relaxed);
}
bool poll_swap(int object, bool once) {
    while (!exchange_word(objects.polled[object]))
        if (once) return false;
    const bool there = objects.put_spin[object];
    objects.polled[object].store(0, std::memory_order_release);
    return there;
}
/// A lock that is only tried where it looks free.
bool poll_looked(int object, bool by_exchange) {
    std::atomic<int>& word = objects.polled[object];
    do
        while (word.load(std::memory_order_relaxed) != 0) {
        }
    while (by_exchange ? word.exchange(1, std::memory_order_acquire) != 0 : !exchange_word(word));
    const bool there = objects.put_spin[object];
    word.store(0, std::memory_order_release);
    return there;
}

bool poll_nested(int object) {
    pthread_mutex_t* const mutex = &objects.nested[object];
    for (int held = 0; held < 2; ++held) pthread_mutex_lock(mutex);
    const bool there = objects.put_nested[object];
    for (int held = 2; held > 0; --held) pthread_mutex_unlock(mutex);
    return there;
}

bool poll_word(int object) {
    take_word(objects.robbed[object]);
    const bool there = objects.put_word[object].load(std::memory_order_relaxed);
    objects.robbed[object].store(0, std::memory_order_release);
    return there;
}
[[gnu::noinline, gnu::no_sanitize_thread]] bool takes_together() { return running.together; }
/// As std::lock() takes two.
void take_both(int first) {
    pthread_mutex_t* const both[] = {&objects.mutexes[first], &objects.mutexes[1 - first]};
    if (takes_together() && ringproof_lock_together(both, 2) != 0) return;
    for (int failed = 0;; first = 1 - first) {
        pthread_mutex_lock(&objects.mutexes[first]);
        if (pthread_mutex_trylock(&objects.mutexes[1 - first]) == 0) return;
        pthread_mutex_unlock(&objects.mutexes[first]);
        note_failed(failed);
    }
}

[[gnu::noinline, gnu::no_sanitize_thread]] bool tries_locks() { return running.tries; }
/// Gets a lock, or what is counted, in one of these ways.
template <class Object>
void get(Object* of, int (*waits)(Object*), int (*tried)(Object*)) {
    if (!tries_locks())
        waits(of);
    else
        while (tried(of) != 0) {
        }
}

[[gnu::noinline, gnu::no_sanitize_thread]] bool looks_at_updated() { return running.looks; }

[[gnu::noinline, gnu::no_sanitize_thread]] bool waits_with_time_out() { return running.timed; }

[[gnu::noinline, gnu::no_sanitize_thread]] int number_of_threads() {
    return static_cast<int>(running.subject->runs.size());
}

[[gnu::noinline, gnu::no_sanitize_thread]] int counts_of_latch() {
    int counts = 0;
    for (const std::size_t code : running.subject->runs)
        for (const statement& s : running.subject->threads[code]) counts += s.what == what::count_latch;
    return std::max(1, counts);
}

void run(std::size_t thread, const std::vector<statement>& all);

void wait_or_update(std::size_t thread, const look& l);

void poll_or_put(std::size_t thread, const look& l) {
    switch (l.kind) {
    case what::poll:
        for (int failed = 0; !poll(l.object);) note_failed(failed);
        return;
    case what::poll_spin:
        for (int failed = 0; !poll_spin(l.object);) note_failed(failed);
        return;
    case what::poll_tried:
        for (int failed = 0; !poll_tried(l.object);) note_failed(failed);
        return;
    case what::poll_swap:
        for (int failed = 0; !poll_swap(l.object, l.value != 0);) note_failed(failed);
        return;
    case what::poll_looked:
        for (int failed = 0; !poll_looked(l.object, l.value != 0);) note_failed(failed);
        return;
    case what::poll_nested:
        for (int failed = 0; !poll_nested(l.object);) note_failed(failed);
        return;
    case what::put_nested:
        pthread_mutex_lock(&objects.nested[l.object]);
        objects.put_nested[l.object] = true;
        pthread_mutex_unlock(&objects.nested[l.object]);
        return;
    case what::put:
        pthread_mutex_lock(&objects.mutexes[l.object]);
        objects.put[l.object] = true;
        pthread_mutex_unlock(&objects.mutexes[l.object]);
        return;
    case what::put_spin:
        take_word(objects.polled[l.object]);
        objects.put_spin[l.object] = true;
        objects.polled[l.object].store(0, std::memory_order_release);
        return;
    case what::peek: {
        const bool free = pthread_mutex_trylock(&objects.mutexes[l.object]) == 0;
        if (free) pthread_mutex_unlock(&objects.mutexes[l.object]);
        return note(thread, free);
    }
    case what::poll_word:
        for (int failed = 0; !poll_word(l.object);) note_failed(failed);
        return;
    case what::put_word:
        return objects.put_word[l.object].store(true, std::memory_order_relaxed);
    case what::peek_word:
        return note(thread, objects.robbed[l.object].load(std::memory_order_relaxed));
    case what::rob:
        return objects.robbed[l.object].store(l.value, std::memory_order_relaxed);
    case what::both:
        take_both(l.object);
        for (std::atomic<int>& word : objects.words)
            note(thread, word.fetch_add(1, std::memory_order_relaxed));
        for (pthread_mutex_t& mutex : objects.mutexes) pthread_mutex_unlock(&mutex);
        return;
    default:
        return wait_or_update(thread, l);
    }
}

void wait_or_update(std::size_t thread, const look& l) {
    switch (l.kind) {
    case what::await_timed: {
        int failed = 0;
        return note(thread, objects.timed.await(waits_with_time_out(), [&] { note_failed(failed); }));
    }
    case what::set_timed:
        return objects.timed.change(true, l.value);
    case what::clear_timed:
        return objects.timed.change(false, 0);
    case what::poll_shared:
    case what::put_shared:
    case what::peek_shared:
    case what::poll_gate:
    case what::put_gate:
    case what::peek_gate:
    case what::widen_gate:
    case what::narrow_gate: {
        int failed = 0;
        return use_shares(
            objects.shares, l.kind, l.object, l.value, [&] { note_failed(failed); },
            [&](int value) { note(thread, value); });
    }
    case what::watch_lock:
        return note(thread, objects.undone.word.load(std::memory_order_relaxed));
    case what::take_share:
        return note(thread, objects.undone.word.fetch_sub(1, std::memory_order_relaxed));
    case what::update:
    case what::update_down:
    case what::update_bits:
    case what::update_counted:
    case what::look_at_updated:
    case what::set_updated:
    case what::send:
    case what::receive:
    case what::count_latch:
    case what::wait_latch:
    case what::try_latch:
    case what::fence:
        return use_updated(objects.updated, l.kind, l.object, l.value,
                           [&](int value) { note(thread, value); });
    default:
        return start_together(objects.start, l.kind, l.value, number_of_threads() - l.object,
                              [&](int value) { note(thread, value); });
    }
}

void await_flag() {
    pthread_mutex_lock(&objects.mutexes[0]);
    while (!objects.flag) pthread_cond_wait(&objects.changed, &objects.mutexes[0]);
    pthread_mutex_unlock(&objects.mutexes[0]);
}
void announce_flag() {
    pthread_mutex_lock(&objects.mutexes[0]);
    objects.flag = true;
    pthread_mutex_unlock(&objects.mutexes[0]);
    pthread_cond_signal(&objects.changed);
}

void hold(std::size_t thread, const statement& s, const look& l) {
    const bool alone = l.kind == what::hold_alone;
    int failed = 0;
    objects.undone.enter(alone, l.value, [&] { note_failed(failed); });
    run(thread, s.body);
    objects.undone.leave(alone);
}

void run_one(std::size_t thread, const statement& s) {
    const look l = look_at(s);
    switch (l.kind) {
    case what::load:
        return note(thread, objects.words[l.object].load(std::memory_order_relaxed));
    case what::store:
        return objects.words[l.object].store(l.value, std::memory_order_relaxed);
    case what::add:
        return note(thread, objects.words[l.object].fetch_add(l.value, std::memory_order_acq_rel));
    case what::count:
        return note(thread, ++objects.counted);
    case what::section:
        get(&objects.mutexes[l.object], pthread_mutex_lock, pthread_mutex_trylock);
        run(thread, s.body);
        if (l.value == 0) pthread_mutex_unlock(&objects.mutexes[l.object]);
        return;
    case what::attempt: {
        const bool free = pthread_mutex_trylock(&objects.mutexes[l.object]) == 0;
        note(thread, free);
        if (!free) return;
        run(thread, s.body);
        pthread_mutex_unlock(&objects.mutexes[l.object]);
        return;
    }
    case what::spin:
        get(&objects.spin, pthread_spin_lock, pthread_spin_trylock);
        run(thread, s.body);
        pthread_spin_unlock(&objects.spin);
        return;
    case what::reading:
        get(&objects.shared, pthread_rwlock_rdlock, pthread_rwlock_tryrdlock);
        run(thread, s.body);
        pthread_rwlock_unlock(&objects.shared);
        return;
    case what::writing:
        get(&objects.shared, pthread_rwlock_wrlock, pthread_rwlock_trywrlock);
        run(thread, s.body);
        pthread_rwlock_unlock(&objects.shared);
        return;
    case what::hold_shared:
    case what::hold_alone:
        return hold(thread, s, l);
    case what::acquire:
        get(&objects.semaphore, sem_wait, sem_trywait);
        return;
    case what::post:
        sem_post(&objects.semaphore);
        return;
    case what::once:
        pthread_once(&objects.once, [] { objects.words[0].fetch_add(1, std::memory_order_relaxed); });
        return;
    case what::await:
        return await_flag();
    case what::announce:
        return announce_flag();
    case what::meet:
        pthread_barrier_wait(&objects.barrier);
        ++met[thread];
        return;
    case what::take:
        return take_word(objects.words[l.object]);
    case what::give:
        return objects.words[l.object].store(0, std::memory_order_release);
    default:
        return poll_or_put(thread, l);
    }
}

void run(std::size_t thread, const std::vector<statement>& all) {
    for (std::size_t i = 0; const statement* const s = fetch(all, i); ++i) run_one(thread, *s);
}

[[gnu::noinline, gnu::no_sanitize_thread]] void* code_of(int thread) {
    const program& all = *running.subject;
    return const_cast<std::vector<statement>*>(&all.threads[all.runs[static_cast<std::size_t>(thread)]]);
}
/// The number of the thread that calls it, told by its stack: threads with one code have equal arguments.
[[gnu::noinline, gnu::no_sanitize_thread]] std::size_t this_thread() {
    constexpr std::uintptr_t stack = 1 << 20; // bytes, of each of them
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) / stack % most_threads;
}

} // namespace

void run_all() {
    pthread_spin_init(&objects.spin, 0);
    sem_init(&objects.semaphore, 0, static_cast<unsigned>(running.subject->semaphore));
    objects.shares.gate.open(1 + running.subject->semaphore);
    objects.shares.other_gate.open(1 + running.subject->semaphore);
    new (objects.updated.room_of_latch) std::latch(counts_of_latch());
    pthread_barrier_init(&objects.barrier, nullptr, static_cast<unsigned>(running.subject->meeting));
    pthread_t handles[most_threads];
    const int threads = number_of_threads();
    for (int t = 0; t < threads; ++t)
        pthread_create(
            &handles[t], nullptr,
            [](void* code) -> void* {
                run(this_thread(), *static_cast<const std::vector<statement>*>(code));
                return nullptr;
            },
            code_of(t));
    for (int t = 0; t < threads; ++t) pthread_join(handles[t], nullptr);
    if (looks_at_updated()) note(0, objects.updated.sum());
    pthread_barrier_destroy(&objects.barrier);
}

std::string state() {
    std::vector<std::pair<std::size_t, std::string>> by_code;
    for (std::size_t t = 0; t <= running.subject->runs.size(); ++t) {
        std::string text;
        for (unsigned i = 0; i < seen_by[t]; ++i) text += std::to_string(seen[t][i]) + " ";
        by_code.emplace_back(t == 0 ? 0 : 1 + running.subject->runs[t - 1], text);
    }
    std::sort(by_code.begin(), by_code.end()); // whichever of the threads with one code is which
    std::string text;
    for (const auto& [code, seen_by_one] : by_code) text += seen_by_one + "/ ";
    return text + std::to_string(objects.words[0].load()) + " " + std::to_string(objects.words[1].load());
}
std::string state_and_rounds() { return std::to_string(met[1]) + " rounds, " + state(); }

} // namespace ringproof::verify::locks
