// SPDX-License-Identifier: Apache-2.0
// The end of the program: exit() and its kin, and what is to be done then. Functions that a thread registers while
// the program runs belong to the execution, as the objects do whose destructors they mostly are.

#include "exit.hpp"
#include "hook.hpp"

#include <cstdlib>
#include <unistd.h>
#include <utility>

namespace ringproof::verify {
namespace {

/// In the program's heap, like all that is to be the same again when a state is restored.
struct at_end {
    void (*function)(void*);
    void* object;
    vector_clock before; ///< what happened before it was registered
    unsigned index;      ///< of the event of its thread that comes next: who includes that, knows of it
    at_end* next;
};

/// One registration for each thread: the latest that has not been run and is ordered before the end. Of what two
/// threads register without any order between them, either may be run first; here it is the younger thread's.
class unrun {
  public:
    unrun() {
        for (thread_id t = 0; t < hook::engine().thread_count(); ++t) {
            next_[t] = static_cast<at_end*>(hook::engine().thread(t).at_program_exit);
            while (t != hook::self().id && next_[t] && !hook::self().clocks.hb.includes(t, next_[t]->index))
                next_[t] = next_[t]->next;
        }
    }
    at_end* take() {
        for (thread_id t = max_threads; t-- > 0;)
            if (next_[t] && !before_another(t)) return std::exchange(next_[t], next_[t]->next);
        return nullptr;
    }

  private:
    bool before_another(thread_id t) const {
        for (thread_id u = 0; u < max_threads; ++u)
            if (u != t && next_[u] && next_[u]->before.includes(t, next_[t]->index)) return true;
        return false;
    }
    at_end* next_[max_threads] = {};
};

void register_end(void (*function)(void*), void* object) {
    thread_state& t = hook::self();
    auto* made = static_cast<at_end*>(hook::note_room(sizeof(at_end)));
    *made = {function, object, t.clocks.hb, t.next_index, static_cast<at_end*>(t.at_program_exit)};
    t.at_program_exit = made;
}

/// The end of the program is the end of the calling thread; others may still run. An exit code that
/// says that something is wrong is a finding.
void leave(int code, bool in_order, std::uintptr_t site) {
    if (!hook::running()) return;
    hook::engine().check_exit_code(code, "the program exits with code ", site);
    if (in_order && hook::self().id == 0) {
        end_of_thread();
        end_of_program();
    }
    request r;
    r.act = action::end;
    r.site = site;
    hook::engine().visible(r);
}

} // namespace

void end_of_program() {
    const auto nothing = [](thread_id t) { return !hook::engine().thread(t).at_program_exit; };
    thread_id first = 0;
    while (first < hook::engine().thread_count() && nothing(first)) ++first;
    if (first == hook::engine().thread_count()) return; // as most programs
    thread_state& t = hook::self();
    void* const known = t.at_program_exit;
    unrun rest;
    while (at_end* one = rest.take()) {
        one->function(one->object);
        while (t.at_program_exit != known) { // what it registered comes next
            auto* const newer = static_cast<at_end*>(t.at_program_exit);
            t.at_program_exit = newer->next;
            newer->function(newer->object);
        }
    }
}

} // namespace ringproof::verify

namespace rv = ringproof::verify;
using namespace rv::hook;

// Called for the destructor of a static object, and by atexit(), which is part of each executable. Libraries' static
// objects are not put back between executions, so that their ends are the process's.
RINGPROOF_HOOK int __cxa_atexit(void (*function)(void*), void* object, void* library) noexcept {
    if (!running() || !engine().memory().in_code(RINGPROOF_SITE))
        return reinterpret_cast<int (*)(void (*)(void*), void*, void*)>(dlsym(RTLD_NEXT, "__cxa_atexit"))(
            function, object, library);
    rv::register_end(function, object);
    return 0;
}

#define RINGPROOF_EXIT(name, in_order)                                                                       \
    RINGPROOF_HOOK void name(int code) {                                                                     \
        rv::leave(code, in_order, RINGPROOF_SITE);                                                           \
        RINGPROOF_NEXT(name)(code);                                                                          \
        __builtin_unreachable();                                                                             \
    }
RINGPROOF_EXIT(exit, true)
RINGPROOF_EXIT(_exit, false)
RINGPROOF_EXIT(_Exit, false)
RINGPROOF_EXIT(quick_exit, false)
