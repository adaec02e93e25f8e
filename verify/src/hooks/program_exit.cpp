// SPDX-License-Identifier: Apache-2.0
// The end of the program: exit() and its kin, and what is to be done then. Functions that a thread registers while
// the program runs belong to the execution, as the objects do whose destructors they mostly are.

#include "exit.hpp"

#include "../program/early_ends.hpp"
#include "../program/early_heap.hpp"
#include "hook.hpp"
#include "processes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace ringproof::verify {
namespace {

/// In the program's heap, like all that is to be the same again when a state is restored.
struct at_end {
    void (*function)(void*);
    void* object;
    clocks_together<1> before; ///< what happened before it was registered
    unsigned index;            ///< of the event of its thread that comes next: who includes that, knows of it
    at_end* next;
};

/// One registration for each thread: the latest that has not been run and is ordered before the end. Of what two
/// threads register without any order between them, either may be run first; here it is the younger thread's.
class unrun {
  public:
    unrun() {
        for (thread_id t = 0; t < hook::engine().thread_count(); ++t) {
            if (hook::engine().thread(t).process != hook::self().process) continue;
            next_[t] = static_cast<at_end*>(hook::engine().thread(t).at_program_exit);
            while (t != hook::self().id && next_[t] && !hook::self().clocks.hb().includes(t, next_[t]->index))
                next_[t] = next_[t]->next;
        }
    }
    bool none() const {
        return std::all_of(std::begin(next_), std::end(next_), [](const at_end* n) { return !n; });
    }
    at_end* take() {
        for (thread_id t = max_threads; t-- > 0;)
            if (next_[t] && !before_another(t)) return std::exchange(next_[t], next_[t]->next);
        return nullptr;
    }

  private:
    bool before_another(thread_id t) const {
        for (thread_id u = 0; u < max_threads; ++u)
            if (u != t && next_[u] && next_[u]->before.clock<0>().includes(t, next_[t]->index)) return true;
        return false;
    }
    at_end* next_[max_threads] = {};
};

void register_end(void (*function)(void*), void* object) {
    thread_state& t = hook::self();
    auto* made = static_cast<at_end*>(hook::note_room(sizeof(at_end)));
    *made = {function, object, {}, t.next_index, static_cast<at_end*>(t.at_program_exit)};
    made->before.clock<0>().copy(t.clocks.hb());
    t.at_program_exit = made;
}

/// What is returned by a thread that ended the program.
char over;
/// The end of the program, as an object: at the same place in every run, where there is room for it.
constinit std::uintptr_t the_end = 0;

__attribute__((constructor)) void make_room_for_the_end() {
    constexpr std::uintptr_t place = 0x29fe'0000'0000, size = 4096;
    const bool made =
        mmap(reinterpret_cast<void*>(place), size, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == reinterpret_cast<void*>(place);
    the_end = made ? place : hook::address_of(&over);
}

going begin_end(value_t seen, value_t, value_t& next) {
    next = 1;
    return seen ? going::leave : going::change;
}

/// Of several threads that would end the program one does what is to be done at its end; the others are gone.
bool is_first_to_end() {
    return hook::change({the_end, 0, order::acq_rel, true, 8, "end the program"}, begin_end) == 0;
}

/// The end of the program is the end of the calling thread; others may still run, as long as what they do does
/// not follow from it. An exit code that says that something is wrong is a finding.
void leave(int code, bool in_order, std::uintptr_t site) {
    if (!hook::running()) return;
    if (hook::self().process != 0) in_order ? exit_process(code) : end_process(code, site);
    hook::engine().check_exit_code(code, "the program exits with code ", site);
    if (in_order) {
        end_of_thread();
        end_of_program();
    }
    if (hook::self().id != 0) end_with_program(site);
    request r;
    r.act = action::end;
    r.site = site;
    hook::engine().visible(r);
}

} // namespace

void end_of_program() {
    thread_state& t = hook::self();
    void* const known = t.at_program_exit;
    unrun rest;
    if (rest.none() && early_ends::count() == 0) return;
    if (t.process == 0 && !is_first_to_end()) return;
    const auto run = [&](void (*function)(void*), void* object) {
        function(object);
        while (t.at_program_exit != known) { // what it registered comes next
            auto* const newer = static_cast<at_end*>(t.at_program_exit);
            t.at_program_exit = newer->next;
            newer->function(newer->object);
        }
    };
    while (at_end* one = rest.take()) run(one->function, one->object);
    for (std::size_t i = early_ends::count(); i-- > 0;)
        run(early_ends::at(i).function, early_ends::at(i).object);
}

void exit_process(int code) {
    end_of_thread();
    end_of_program();
    end_process(code, 0);
}

void end_with_program(std::uintptr_t site) {
    hook::self().returned = &over;
    request r;
    r.act = action::end;
    r.site = site;
    hook::engine().visible(r);
    std::terminate(); // an ended thread is never resumed
}

bool ended_program(const thread_state& t) {
    return t.status == thread_status::finished && t.returned == &over;
}

} // namespace ringproof::verify

namespace rv = ringproof::verify;
using namespace rv::hook;

namespace {
[[noreturn]] void ended_before_main(const char* function) {
    std::fprintf(stderr, "error: the program calls %s() before main(), so there is nothing to explore\n",
                 function);
    RINGPROOF_NEXT(_exit)(2);
    __builtin_unreachable();
}
} // namespace

// Called for the destructor of a static object, and by atexit(), which is part of each executable. Libraries' static
// objects are not put back between executions, so that their ends are the process's.
RINGPROOF_HOOK int __cxa_atexit(void (*function)(void*), void* object, void* library) noexcept {
    if (!running() && rv::early_heap::open() && rv::early_ends::add(function, object, library)) return 0;
    if (!running() || !engine().memory().in_code(RINGPROOF_SITE))
        return reinterpret_cast<int (*)(void (*)(void*), void*, void*)>(dlsym(RTLD_NEXT, "__cxa_atexit"))(
            function, object, library);
    rv::register_end(function, object);
    return 0;
}

// The C runtime's own function for the end of an executable, one of those that each execution calls at its end,
// would have libc do what is left to the process.
RINGPROOF_HOOK void __cxa_finalize(void* library) {
    if (running() && rv::early_ends::in_program(address_of(library))) return;
    reinterpret_cast<void (*)(void*)>(dlsym(RTLD_NEXT, "__cxa_finalize"))(library);
}

#define RINGPROOF_EXIT(name, in_order)                                                                       \
    RINGPROOF_HOOK void name(int code) {                                                                     \
        rv::leave(code, in_order, RINGPROOF_SITE);                                                           \
        if (rv::early_heap::open() && rv::early_ends::in_program(RINGPROOF_SITE)) ended_before_main(#name);  \
        RINGPROOF_NEXT(name)(code);                                                                          \
        __builtin_unreachable();                                                                             \
    }
RINGPROOF_EXIT(exit, true)
RINGPROOF_EXIT(_exit, false)
RINGPROOF_EXIT(_Exit, false)
RINGPROOF_EXIT(quick_exit, false)
