// SPDX-License-Identifier: Apache-2.0
// What belongs to a thread and goes with it: destructors of thread_local objects, values of pthread keys.

#include "exit.hpp"

#include "../program/callers.hpp"
#include "../program/early_heap.hpp"
#include "hook.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <pthread.h>
#include <unistd.h>

namespace ringproof::verify {
namespace {

/// In the program's heap, like all that is to be the same again when a state is restored.
struct destructor {
    void (*function)(void*);
    void* object;
    destructor* next;
};

/// A key is named by the thread that made it and its place among that thread's keys, as threads are; behind those
/// of all threads come those of static objects.
constexpr unsigned keys_per_thread = 32;
constexpr unsigned early = max_threads;
struct made_keys {
    using destructor = void (*)(void*);
    destructor made[keys_per_thread];
    bool alive[keys_per_thread];
    unsigned count;
};
struct key_block {
    made_keys own; ///< of the keys that this thread made
    void* values[(max_threads + 1) * keys_per_thread];
};

/// The keys that static objects made, and the values that they gave them: data of the program's, as its static
/// objects are, since an execution may delete them.
struct early_keys {
    made_keys own;
    void* values[keys_per_thread];
};
constinit early_keys* of_static_objects = nullptr;

key_block* keys_of(thread_state& t) { return static_cast<key_block*>(t.keys); }

/// The first thread begins with the values that its keys had before main.
key_block& own_keys() {
    thread_state& t = hook::self();
    if (!t.keys) {
        t.keys = std::memset(hook::note_room(sizeof(key_block)), 0, sizeof(key_block));
        if (t.id == 0 && of_static_objects)
            std::memcpy(keys_of(t)->values + early * keys_per_thread, of_static_objects->values,
                        sizeof of_static_objects->values);
    }
    return *keys_of(t);
}

made_keys* own_of_static_objects() {
    if (!of_static_objects) {
        const std::uintptr_t room = early_heap::allocate(sizeof(early_keys), 16);
        if (room == 0) return nullptr;
        of_static_objects = new (reinterpret_cast<void*>(room)) early_keys{};
    }
    return &of_static_objects->own;
}

made_keys* maker_of(unsigned key) {
    const unsigned maker = key / keys_per_thread;
    if (maker == early) return of_static_objects ? &of_static_objects->own : nullptr;
    if (!hook::running() || maker >= hook::engine().thread_count()) return nullptr;
    key_block* const keys = keys_of(hook::engine().thread(static_cast<thread_id>(maker)));
    return keys ? &keys->own : nullptr;
}

/// Whether a key is, or would be, the program's.
bool is_ours(unsigned key) { return hook::running() || key / keys_per_thread == early; }

bool alive(unsigned key) {
    const made_keys* maker = maker_of(key);
    return maker && maker->alive[key % keys_per_thread];
}

/// Keys are not given out again, so that a value of a deleted one is nobody's.
[[noreturn]] void too_many_keys(std::uintptr_t site) {
    if (hook::running())
        hook::engine().fail_here(
            failure_kind::limit,
            "a thread makes more than " + std::to_string(keys_per_thread) + " pthread keys", site, 0);
    std::fprintf(stderr, "error: static objects make more than %u pthread keys before main()\n",
                 keys_per_thread);
    ::_exit(2);
}

int make_key(unsigned* key, void (*function)(void*), std::uintptr_t site) {
    made_keys& own = hook::running() ? own_keys().own : *own_of_static_objects();
    if (own.count == keys_per_thread) too_many_keys(site);
    own.made[own.count] = function;
    own.alive[own.count] = true;
    *key = (hook::running() ? hook::self().id : early) * keys_per_thread + own.count++;
    return 0;
}

int delete_key(unsigned key) {
    if (!alive(key)) return EINVAL;
    maker_of(key)->alive[key % keys_per_thread] = false;
    return 0;
}

int set_value(unsigned key, const void* value) {
    if (!alive(key)) return EINVAL;
    void** const values = hook::running() ? own_keys().values : of_static_objects->values;
    values[hook::running() ? key : key % keys_per_thread] = const_cast<void*>(value);
    return 0;
}

void* value_of(unsigned key) {
    if (!alive(key)) return nullptr;
    const bool first = !hook::running() || hook::self().id == 0;
    if (hook::running() && hook::self().keys) return keys_of(hook::self())->values[key];
    return first && key / keys_per_thread == early ? of_static_objects->values[key % keys_per_thread]
                                                   : nullptr;
}

} // namespace

void end_of_thread() {
    thread_state& t = hook::self();
    while (auto* d = static_cast<destructor*>(t.at_exit)) {
        t.at_exit = d->next;
        d->function(d->object);
    }
    for (int round = 0; round < 4 && t.keys; ++round) { // as often as POSIX promises
        bool any = false;
        for (unsigned key = 0; key < (max_threads + 1) * keys_per_thread; ++key) {
            void* value = keys_of(t)->values[key];
            if (!value || !alive(key) || !maker_of(key)->made[key % keys_per_thread]) continue;
            keys_of(t)->values[key] = nullptr;
            any = true;
            maker_of(key)->made[key % keys_per_thread](value);
        }
        if (!any) break;
    }
}

} // namespace ringproof::verify

namespace rv = ringproof::verify;
using namespace rv::hook;

extern "C" __attribute__((visibility("default"))) int
__cxa_thread_atexit(void (*function)(void*), void* object, void* library) noexcept {
    if (!running())
        return reinterpret_cast<int (*)(void (*)(void*), void*, void*)>(
            dlsym(RTLD_NEXT, "__cxa_thread_atexit"))(function, object, library);
    auto* d = static_cast<rv::destructor*>(note_room(sizeof(rv::destructor)));
    *d = {function, object, static_cast<rv::destructor*>(self().at_exit)};
    self().at_exit = d;
    return 0;
}
static int create_key(pthread_key_t* key, void (*function)(void*), std::uintptr_t site) {
    return running() || rv::callers::for_static_object(site)
               ? rv::make_key(key, function, site)
               : RINGPROOF_NEXT(pthread_key_create)(key, function);
}
RINGPROOF_HOOK int pthread_key_create(pthread_key_t* key, void (*function)(void*)) noexcept {
    return create_key(key, function, RINGPROOF_SITE);
}
RINGPROOF_HOOK int pthread_key_delete(pthread_key_t key) noexcept {
    return rv::is_ours(key) ? rv::delete_key(key) : RINGPROOF_NEXT(pthread_key_delete)(key);
}
RINGPROOF_HOOK int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
    return rv::is_ours(key) ? rv::set_value(key, value) : RINGPROOF_NEXT(pthread_setspecific)(key, value);
}
RINGPROOF_HOOK void* pthread_getspecific(pthread_key_t key) noexcept {
    return rv::is_ours(key) ? rv::value_of(key) : RINGPROOF_NEXT(pthread_getspecific)(key);
}
RINGPROOF_HOOK int tss_create(unsigned* key, void (*function)(void*)) {
    return create_key(key, function, RINGPROOF_SITE) == 0 ? 0 : 2; // thrd_success, thrd_error
}
RINGPROOF_HOOK void tss_delete(unsigned key) { pthread_key_delete(key); }
RINGPROOF_HOOK int tss_set(unsigned key, void* value) { return pthread_setspecific(key, value) == 0 ? 0 : 2; }
RINGPROOF_HOOK void* tss_get(unsigned key) { return pthread_getspecific(key); }

// libstdc++ keeps a list for the end of each thread in memory of its own, which is not put back for the next execution.
extern "C" {
RINGPROOF_HOOK void
_ZSt25notify_all_at_thread_exitRSt18condition_variableSt11unique_lockISt5mutexE(void* c, void* lock) {
    if (running()) unsupported("std::notify_all_at_thread_exit()", RINGPROOF_SITE);
    RINGPROOF_NEXT(_ZSt25notify_all_at_thread_exitRSt18condition_variableSt11unique_lockISt5mutexE)(c, lock);
}
RINGPROOF_HOOK void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(void* result) {
    if (running())
        unsupported("a result that is set at the end of its thread (set_value_at_thread_exit())",
                    RINGPROOF_SITE);
    RINGPROOF_NEXT(_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv)(result);
}
}
