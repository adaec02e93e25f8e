// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the functions share that take the place of libc's while the program under test runs.

#include "../program/mixed.hpp"
#include "../runtime/runtime.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <type_traits>

#define RINGPROOF_HOOK extern "C" __attribute__((visibility("default")))
#define RINGPROOF_SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
/// The next definition of the function being interposed: libc's. Looked up once, for libraries lock a lot (a
/// counterexample's source lines took a hundred times as long); without a guard, which is interposed as well.
#define RINGPROOF_NEXT(function)                                                                             \
    ([] {                                                                                                    \
        static void* next = nullptr;                                                                         \
        if (void* const known = __atomic_load_n(&next, __ATOMIC_RELAXED))                                    \
            return reinterpret_cast<decltype(&function)>(known);                                             \
        void* const found = dlsym(RTLD_NEXT, #function);                                                     \
        __atomic_store_n(&next, found, __ATOMIC_RELAXED);                                                    \
        return reinterpret_cast<decltype(&function)>(found);                                                 \
    }())

namespace ringproof::verify::hook {

inline bool running() { return runtime::running(); }
inline runtime& engine() { return *runtime::active(); }
inline thread_state& self() { return engine().self(); }
inline std::uintptr_t address_of(const volatile void* p) { return reinterpret_cast<std::uintptr_t>(p); }

inline std::uintptr_t word_of(const volatile void* p) { return address_of(p); }
template <class Number>
requires std::is_integral_v<Number> std::uintptr_t word_of(Number n) {
    return static_cast<std::uintptr_t>(n);
}
/// A number for the arguments of a call.
template <class... Argument>
std::uint64_t mixed_arguments(Argument... arguments) {
    std::uint64_t all = 0;
    ((all = mixed(all, word_of(arguments))), ...);
    return all;
}

/// While it lives, the running thread is in a library function whose frame is known: so its state can be compared. What it
/// was called with is part of that: in the program's own registers and frames it may be dead.
struct standing {
    standing(std::uintptr_t frame, std::uint64_t arguments) {
        if (frame == 0) return;
        self().hook_frame = program::in_process() ? engine().home_of(frame) : frame;
        self().hook_arguments = arguments;
    }
    ~standing() {
        if (running()) self().hook_frame = self().hook_arguments = 0;
    }
    standing(const standing&) = delete;
    standing& operator=(const standing&) = delete;
};
#define RINGPROOF_STANDING(...)                                                                              \
    const ringproof::verify::hook::standing here(running() ? RINGPROOF_PROGRAM_FRAME : 0,                    \
                                                 ringproof::verify::hook::mixed_arguments(__VA_ARGS__))

/// Room in the program's heap for a note of the engine's, which is put back with it and is not the program's to free.
inline void* note_room(std::size_t size) {
    void* const p = engine().heap().allocate(size, 16);
    program_memory::note_freed(address_of(p));
    return p;
}

[[noreturn]] inline void misuse(const char* message, std::uintptr_t site, const volatile void* object) {
    engine().fail_here(failure_kind::lock_misuse, message, site, address_of(object));
}
[[noreturn]] inline void unsupported(const char* function, std::uintptr_t site) {
    engine().fail_here(failure_kind::unsupported, std::string(function) + " is not supported", site, 0);
}

/// An operation on an object that the runtime keeps in the graph (`virtual_word`) or in the program's memory.
struct operation {
    std::uintptr_t address = 0;
    std::uintptr_t site = 0;
    order mo = order::relaxed;
    bool virtual_word = true;
    std::uint8_t size = 8;
    const char* word = nullptr; ///< for people: "post semaphore"
    bool counts = false;        ///< see request::counts
};

inline request request_for(action act, const operation& on, transition rule, value_t operand) {
    request r;
    r.act = act;
    r.mo = on.mo;
    r.mo_fail = order::relaxed;
    r.size = on.size;
    r.object = on.virtual_word;
    r.address = on.address;
    r.operand = operand;
    r.rule = rule;
    r.site = on.site;
    r.word = on.word;
    r.counts = on.counts;
    return r;
}

/// Does what `rule` says at once. @return what was seen
inline value_t change(const operation& on, transition rule, value_t operand = 0) {
    return engine().visible(request_for(action::modify, on, rule, operand));
}

/// Does what `rule` says once it does not say wait. `awaits` is the failure of waiting for ever.
inline value_t take(const operation& on, transition rule, value_t operand, const char* awaits) {
    request r = request_for(action::lock, on, rule, operand);
    r.awaits = awaits;
    return engine().visible(r);
}

/// Does what `rule` says, unless it says wait. @return whether it was done
inline bool attempt(const operation& on, transition rule, value_t operand) {
    const value_t seen = engine().visible(request_for(action::try_lock, on, rule, operand));
    value_t next = seen;
    return rule(seen, operand, next) != going::wait;
}

/// The latest value of an object, for what no other thread can change at this time; 0 when it has none yet.
inline value_t latest(std::uintptr_t address) {
    if (address_checks::may_be_view(address)) address = engine().home_of(address);
    const search_facts& facts = engine().facts();
    if (!facts.holds.empty())
        if (const auto at = facts.holds.find(address); at != facts.holds.end())
            return at->second ? self().id + 1u : 0;
    const graph& g = engine().execution();
    const location_id l = g.find(address);
    if (l == none) return 0;
    const auto& co = g.loc(l).co;
    const event* const as_of = facts.as_of;
    for (std::size_t i = co.size(); as_of && i-- > 1;) {
        const event& w = g.at(co[i]);
        if (w.thread == init_thread || as_of->porf().includes(w.thread, w.index)) return w.value;
    }
    return g.at(as_of ? co.front() : co.back()).value;
}

/// Writes to an object of the program as the program itself would.
template <class T>
void write_plain(T* to, T value, std::uintptr_t site) {
    engine().accesses().plain(address_of(to), sizeof(T), true, site);
    *to = value;
}

/// Joins a thread of the program, as pthread_join() does. @return what it has returned, if the program `asks`
void* join(pthread_t handle, bool asks, std::uintptr_t site);

/// An object ends whose operations are no events of the program's memory: whatever others do with it has to be ordered.
inline void ends(const volatile void* object, std::size_t size, std::uintptr_t site) {
    engine().accesses().plain(address_of(object), size, true, site);
}

} // namespace ringproof::verify::hook
