// SPDX-License-Identifier: Apache-2.0
// The engine with and without the reductions of locks, barriers, timed waits and updates, on generated programs that
// wait in all the ways libc has, and in some of their own.
//
//   ringproof_verify_locks [--kind NAME] [--seeds N] [--first SEED] [--show]
#include "../oracle/seed_options.hpp"
#include "counters.hpp"
#include "program.hpp"
#include "timed.hpp"
#include "updates.hpp"

#include <ringproof/verify/explore.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>

namespace {

namespace rv = ringproof::verify;
namespace oracle = ringproof::verify::oracle;
namespace locks = ringproof::verify::locks;
using locks::statement;
using what = locks::statement_kind;

constexpr std::size_t most_threads = 3, most_seen = 32;

// At fixed places, as the memory of the program under test is restored.
const locks::program* subject = nullptr;
int seen[most_threads][most_seen];
unsigned seen_by[most_threads];
int met[most_threads]; // how often a thread has met others at the barrier

struct shared_objects {
    std::atomic<int> words[2] = {};
    int counted = 0;
    bool flag = false, put[2] = {}, put_spin[2] = {};
    std::atomic<int> polled[2] = {}, robbed[2] = {};
    std::atomic<bool> put_word[2] = {};
    pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
    pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_spinlock_t spin = {};
    pthread_barrier_t barrier = {};
    sem_t semaphore = {};
    locks::start_counter start;
    locks::timed_flag timed;
    locks::updated_words updated;
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

/// How often a poll fails before its execution is left out; 0: always again.
int most_failed = 0;
[[gnu::noinline, gnu::no_sanitize_thread]] bool is_too_many(int failed) { return failed >= most_failed; }
[[gnu::noinline, gnu::no_sanitize_thread]] bool counts() { return most_failed != 0; }
/// A loop that counts is another one in each iteration, so it does so only where it has to end.
inline void note_failed(int& failed) {
    if (counts() && is_too_many(++failed)) rv::assume(false);
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

bool poll_word(int object) {
    take_word(objects.robbed[object]);
    const bool there = objects.put_word[object].load(std::memory_order_relaxed);
    objects.robbed[object].store(0, std::memory_order_release);
    return there;
}
/// As std::lock() takes two.
void take_both(int first) {
    for (int failed = 0;; first = 1 - first) {
        pthread_mutex_lock(&objects.mutexes[first]);
        if (pthread_mutex_trylock(&objects.mutexes[1 - first]) == 0) return;
        pthread_mutex_unlock(&objects.mutexes[first]);
        note_failed(failed);
    }
}

/// Whether locks are tried until they are free, and not waited for.
bool tries = false;
[[gnu::noinline, gnu::no_sanitize_thread]] bool tries_locks() { return tries; }
/// Gets a lock, or what is counted, in one of these ways.
template <class Object>
void get(Object* of, int (*waits)(Object*), int (*tried)(Object*)) {
    if (!tries_locks())
        waits(of);
    else
        while (tried(of) != 0) {
        }
}

/// Whether the words of updates.hpp are looked at in the end.
bool looks = false;
[[gnu::noinline, gnu::no_sanitize_thread]] bool looks_at_updated() { return looks; }

/// Whether loops wait with a time-out; otherwise they poll.
bool waits_timed = false;
[[gnu::noinline, gnu::no_sanitize_thread]] bool waits_with_time_out() { return waits_timed; }

[[gnu::noinline, gnu::no_sanitize_thread]] int number_of_threads() {
    return static_cast<int>(subject->threads.size());
}

[[gnu::noinline, gnu::no_sanitize_thread]] int counts_of_latch() {
    int counts = 0;
    for (const auto& thread : subject->threads)
        for (const statement& s : thread) counts += s.what == what::count_latch;
    return std::max(1, counts);
}

void run(std::size_t thread, const std::vector<statement>& all);

void poll_or_put(std::size_t thread, const look& l) {
    switch (l.kind) {
    case what::poll:
        for (int failed = 0; !poll(l.object);) note_failed(failed);
        return;
    case what::poll_spin:
        for (int failed = 0; !poll_spin(l.object);) note_failed(failed);
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
    case what::await_timed: {
        int failed = 0;
        return note(thread, objects.timed.await(waits_with_time_out(), [&] { note_failed(failed); }));
    }
    case what::set_timed:
        return objects.timed.change(true, l.value);
    case what::clear_timed:
        return objects.timed.change(false, 0);
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
        return locks::use_updated(objects.updated, l.kind, l.object, l.value,
                                  [&](int value) { note(thread, value); });
    default:
        return locks::start_together(objects.start, l.kind, l.value, number_of_threads() - l.object,
                                     [&](int value) { note(thread, value); });
    }
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
        pthread_mutex_unlock(&objects.mutexes[l.object]);
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
        pthread_mutex_lock(&objects.mutexes[0]);
        while (!objects.flag) pthread_cond_wait(&objects.changed, &objects.mutexes[0]);
        pthread_mutex_unlock(&objects.mutexes[0]);
        return;
    case what::announce:
        pthread_mutex_lock(&objects.mutexes[0]);
        objects.flag = true;
        pthread_mutex_unlock(&objects.mutexes[0]);
        pthread_cond_signal(&objects.changed);
        return;
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

[[gnu::noinline, gnu::no_sanitize_thread]] const std::vector<statement>& code_of(std::size_t thread) {
    return subject->threads[thread];
}

void run_all() {
    pthread_spin_init(&objects.spin, 0);
    sem_init(&objects.semaphore, 0, static_cast<unsigned>(subject->semaphore));
    new (objects.updated.room_of_latch) std::latch(counts_of_latch());
    pthread_barrier_init(&objects.barrier, nullptr, static_cast<unsigned>(subject->meeting));
    pthread_t running[most_threads];
    for (std::size_t t = 0; t < subject->threads.size(); ++t)
        pthread_create(
            &running[t], nullptr,
            [](void* number) -> void* {
                const auto thread = reinterpret_cast<std::size_t>(number);
                run(thread, code_of(thread));
                return nullptr;
            },
            reinterpret_cast<void*>(t));
    for (std::size_t t = 0; t < subject->threads.size(); ++t) pthread_join(running[t], nullptr);
    if (looks_at_updated()) note(0, objects.updated.sum());
    pthread_barrier_destroy(&objects.barrier);
}

std::string state() {
    std::string text;
    for (std::size_t t = 0; t < subject->threads.size(); ++t) {
        for (unsigned i = 0; i < seen_by[t]; ++i) text += std::to_string(seen[t][i]) + " ";
        text += "/ ";
    }
    return text + std::to_string(objects.words[0].load()) + " " + std::to_string(objects.words[1].load());
}
/// The same, with the rounds that there were at the barrier.
std::string state_and_rounds() { return std::to_string(met[0]) + " rounds, " + state(); }

/// @param reduced whether with all reductions; otherwise without those that are judged here, and with bounded polls.
/// Locks that are tried have no end without: then they are waited for, which is to be the same.
rv::exploration_result explored(locks::kind kind, rv::memory_model model, bool reduced, bool never_hangs) {
    const bool barriers = kind == locks::kind::barriers || kind == locks::kind::starts,
               tried = kind == locks::kind::tries, updates = kind == locks::kind::updates;
    tries = tried && reduced;
    waits_timed = reduced;
    looks = kind == locks::kind::updates;
    constexpr int enough =
        3; // polls that fail: each but the last has been noticed, and there are few who can
    most_failed = reduced ? 0 : enough;
    rv::exploration_options options;
    options.limits.reduce.restored_iteration = reduced || barriers || tried;
    options.limits.reduce.commuting_update = reduced && updates;
    options.limits.reduce.barrier =
        reduced && barriers; // which order of arrival it shows depends on the others
    options.model = model;
    options.limits.executions = 20'000;
    options.limits.execution_events = 2'000; // a poll that is given up has no end
    options.limits.reduce.blocked_lock = reduced || barriers || tried;
    options.limits.hangs_refute = subject->hangs_refute && !never_hangs;
    options.digest = true;
    options.state = barriers ? state_and_rounds : state;
    return rv::explore(run_all, options);
}

struct totals {
    unsigned long programs = 0, comparisons = 0, executions = 0, executions_without = 0, refuted = 0,
                  large = 0, blocked = 0, blocked_without = 0, wrong = 0;
};

bool polls(const std::vector<statement>& all) {
    return std::any_of(all.begin(), all.end(), [](const statement& s) {
        return s.what == what::poll || s.what == what::poll_spin || s.what == what::poll_word ||
               s.what == what::both || s.what == what::await_timed || polls(s.body);
    });
}
bool polls(const locks::program& program) {
    return std::any_of(program.threads.begin(), program.threads.end(),
                       [](const auto& thread) { return polls(thread); });
}

/// How many words of updates.hpp several threads update.
int words_updated_by_several(const locks::program& program) {
    int words = 0;
    for (int word = 0; word < 5; ++word) { // the last one is the latch

        const auto updates = [&](const statement& s) {
            const bool bits = s.what == what::update_bits;
            if (word == 4) return s.what == what::count_latch;
            return (bits || s.what == what::update || s.what == what::update_down) &&
                   s.object + 2 * bits == word;
        };
        words += std::count_if(program.threads.begin(), program.threads.end(), [&](const auto& thread) {
                     return std::any_of(thread.begin(), thread.end(), updates);
                 }) > 1;
    }
    return words;
}

/// Whether both have met the same states: how often depends on the polls that fail.
bool same_states(const rv::exploration_result& a, const rv::exploration_result& b) {
    return a.states.size() == b.states.size() &&
           std::equal(a.states.begin(), a.states.end(), b.states.begin(),
                      [](const auto& one, const auto& other) { return one.first == other.first; });
}

/// Whether `without` has each execution as often as threads can come to its rounds in different orders.
bool has_each_order(const rv::exploration_result& with, const rv::exploration_result& without) {
    unsigned long orders = 1;
    for (std::size_t t = 2; t <= subject->threads.size(); ++t) orders *= t;
    for (const auto& [state, times] : with.states) {
        std::uint64_t expected = times;
        for (int rounds = std::stoi(state); rounds > 0; --rounds) expected *= orders;
        const auto other = without.states.find(state);
        if (other == without.states.end() || other->second != expected) return false;
    }
    return true;
}

/// Whether loops that wait with a time-out hang in other programs than loops that poll, which another reduction tells.
std::string hang_differently(rv::memory_model model) {
    tries = false;
    most_failed = 0;
    bool hangs[2] = {};
    for (const bool timed : {false, true}) {
        waits_timed = timed;
        rv::exploration_options options;
        options.model = model;
        options.limits.executions = 20'000;
        options.limits.execution_events = 2'000;
        const rv::exploration_result found = rv::explore(run_all, options);
        if (found.stopped || found.error.kind == rv::failure_kind::limit) return "";
        // Of several threads that hang, any may be named.
        hangs[timed] =
            found.error.kind == rv::failure_kind::livelock || found.error.kind == rv::failure_kind::deadlock;
        if (timed && !found.bounds.empty()) return "bounded: " + found.bounds.front();
    }
    return hangs[0] == hangs[1] ? ""
           : hangs[1]           ? "waiting hangs, polling does not"
                                : "polling hangs, waiting does not";
}

/// What the two do not agree about in a program with updates.
std::string updates_differ(const locks::program& program, rv::memory_model model,
                           const rv::exploration_result& with, const rv::exploration_result& without) {
    if (!same_states(with, without)) return "the states differ";
    // The orders of several words depend on each other, and under sc and tso on all else: they are not counted.
    const bool counted = model == rv::memory_model::rc11 && words_updated_by_several(program) < 2;
    if (!counted || with.permutations == static_cast<double>(without.executions)) return "";
    return "executions with their orders: " + std::to_string(with.permutations) + " of " +
           std::to_string(with.executions) + "; without the reduction: " + std::to_string(without.executions);
}

/// @return what the two do not agree about
std::string difference(locks::kind kind, const locks::program& program, rv::memory_model model, totals& of) {
    subject = &program;
    if (kind == locks::kind::timed)
        if (std::string how = hang_differently(model); !how.empty()) return how;
    const bool bounded = polls(program); // what is bounded does not hang
    const rv::exploration_result with = explored(kind, model, true, bounded),
                                 without = explored(kind, model, false, bounded);
    ++of.comparisons;
    const auto refuted = [](const rv::exploration_result& r) {
        return r.error.kind != rv::failure_kind::nothing;
    };
    // Who looks at a lock while others hold it, with nothing that orders the look, keeps polls from ending.
    const bool may_give_up =
        kind == locks::kind::robbed || kind == locks::kind::pairs || kind == locks::kind::polls;
    if (may_give_up && with.error.kind == rv::failure_kind::limit) return ++of.large, "";
    if (with.error.kind == rv::failure_kind::unsupported || with.error.kind == rv::failure_kind::limit)
        return "the engine reports: " + with.error.message;
    if (refuted(with) != refuted(without))
        return "with: " + with.error.message + "; without: " + without.error.message;
    if (refuted(with)) return ++of.refuted, "";
    if (with.stopped || without.stopped) return ++of.large, "";
    of.executions += with.executions;
    of.executions_without += without.executions;
    of.blocked += with.blocked + with.pruned;
    of.blocked_without += without.blocked + without.pruned;
    if (kind == locks::kind::updates) return updates_differ(program, model, with, without);
    if (bounded || kind == locks::kind::barriers || kind == locks::kind::starts) {
        if (!same_states(with, without)) return "the states differ";
        if (kind != locks::kind::barriers || static_cast<int>(program.threads.size()) != program.meeting)
            return "";
        return has_each_order(with, without) ? "" : "not each order of arrival is left out once";
    }
    if (with.executions != without.executions)
        return "executions: " + std::to_string(with.executions) + ", without the reduction " +
               std::to_string(without.executions);
    if (with.states != without.states) return "the states differ";
    // A try is made at another place in the program, which is a part of the digest.
    if (kind != locks::kind::tries && with.digest != without.digest) return "the executions differ";
    return "";
}

/// The program with as few statements as still make a difference.
locks::program smallest(locks::kind kind, locks::program program, rv::memory_model model) {
    totals ignored;
    const auto differs = [&](const locks::program& p) {
        return !difference(kind, p, model, ignored).empty();
    };
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (std::size_t t = 0; t < program.threads.size(); ++t)
            for (std::size_t i = program.threads[t].size(); i-- > 0;) {
                locks::program candidate = program;
                candidate.threads[t].erase(candidate.threads[t].begin() + static_cast<std::ptrdiff_t>(i));
                if (differs(candidate)) program = candidate, smaller = true;
            }
        for (std::size_t t = 0; t < program.threads.size(); ++t)
            for (std::size_t i = 0; i < program.threads[t].size(); ++i) {
                if (program.threads[t][i].body.empty()) continue;
                locks::program candidate = program;
                candidate.threads[t][i].body.pop_back();
                if (differs(candidate)) program = candidate, smaller = true;
            }
    }
    return program;
}

void compare(locks::kind kind, std::uint64_t seed, bool show, totals& of) {
    const std::string_view name = locks::kind_names[static_cast<std::size_t>(kind)];
    const locks::program program = locks::generate(kind, seed);
    if (show)
        std::printf("%s %llu\n%s\n", name.data(), static_cast<unsigned long long>(seed),
                    to_string(program).c_str());
    ++of.programs;
    for (const rv::memory_model model :
         {rv::memory_model::rc11, rv::memory_model::tso, rv::memory_model::sc, rv::memory_model::ra}) {
        const std::string wrong = difference(kind, program, model, of);
        if (wrong.empty()) continue;
        if (++of.wrong > 3) continue; // those shown are enough
        const locks::program less = smallest(kind, program, model);
        totals ignored;
        std::printf("MISMATCH under model %d, %s %llu: %s\nthe same with less: %s\n%s\n",
                    static_cast<int>(model), name.data(), static_cast<unsigned long long>(seed),
                    wrong.c_str(), difference(kind, less, model, ignored).c_str(), to_string(less).c_str());
    }
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    const auto chosen = oracle::seed_options::read(argc, argv, "--kind", 200);
    if (!chosen) return 2;
    const auto& [seeds, first, only, show] = *chosen;
    unsigned long compared = 0, mismatches = 0;
    for (std::size_t k = 0; k < locks::kind_names.size(); ++k) {
        if (!only.empty() && only != locks::kind_names[k]) continue;
        totals of;
        for (std::uint64_t seed = first; seed < first + seeds; ++seed)
            compare(static_cast<locks::kind>(k), seed, show, of);
        std::printf(
            "%-10s %5lu programs, %6lu comparisons, %5lu refuted, %4lu too large, %8lu executions (%lu), "
            "%8lu blocked (%lu without the reduction), %lu mismatches\n",
            locks::kind_names[k].data(), of.programs, of.comparisons, of.refuted, of.large, of.executions,
            of.executions_without, of.blocked, of.blocked_without, of.wrong);
        compared += of.comparisons;
        mismatches += of.wrong;
    }
    return compared == 0 ? 5 : mismatches == 0 ? 0 : 1;
}
