// SPDX-License-Identifier: Apache-2.0
// std::lock(a, b), and std::scoped_lock by it, waits for one mutex, tries the others, and where a try fails gives back what it
// has and begins with another one. Here a thread takes them in the order of their addresses, and waits for each. Two threads
// that do so never wait for each other.
//
// Let an execution have failed tries. Without what such an attempt did, a lock of some mutexes, a try that failed and
// the unlocks, it is an execution too: who took a mutex behind the attempt takes it behind the one before, and reads the same
// value. It orders less, so what is an error remains one; the thread itself takes each of the mutexes later, and is ordered
// behind all that it was ordered behind by the attempt. In which order it takes them at last no one can tell either: it
// does nothing in between, and others see only that a mutex is taken.
//
// Another thread can tell of an attempt by a try that fails for it, or by destroying the mutex. (One that waits for a lock is
// not told.) So a mutex that is tried, in whatever way but by such a call, or destroyed gives this up: the search begins anew, and calls try as the library does.
// The first try of such a mutex is in an execution in which nothing has told of attempts before, so it is met here as well.
//
// A thread that waits has taken some of them already, which it would have given back. If one who takes mutexes one by one
// waits for one of those, he is not stuck: he would go on, and the execution in which he takes it first is another. It is no
// hang then, but a branch without an end: waiting_threads::check_stuck(). Otherwise it is a hang of the program. Let the
// last of the mutexes, in their order, for which some thread waits that is on its way to several, be taken by one that is
// on such a way: that one waits for a later one, and none is. So it is taken by someone who does not give it back. And
// no hang is passed over: let threads hang in the program, which have stepped back. Let each of them that is on its way take
// what is free, in the order of addresses. He who takes one by one waits for none of these, or he would not hang.
//
// Not where threads are stopped for ever: one that has taken some would never give them back. Nor beside handlers, which may
// wait while their thread has some, nor where processes are killed.

#include "multi_locks.hpp"

#include "../program/program.hpp"
#include "runtime.hpp"

#include <algorithm>

namespace ringproof::verify {

/// Whether the running thread has to try, as an attempt of its may be told by something else.
bool multi_locks::must_step_back() const {
    return facts_.interrupts || facts_.processes_may_die || program_.self().stops != stopping::off;
}

/// From the beginning of the search on every thread tries, so that each does the same whenever it is run again.
void multi_locks::give_up() {
    given_up_ = true;
    runtime_.begin_anew_from_here();
}

bool multi_locks::any_of(const std::vector<std::uintptr_t>& known,
                         std::span<const std::uintptr_t> mutexes) const {
    return std::any_of(mutexes.begin(), mutexes.end(), [&](std::uintptr_t m) {
        return std::find(known.begin(), known.end(), m) != known.end();
    });
}

/// Adds to what is known to be taken by std::lock(), or tried. What is both gives it up.
void multi_locks::note(std::vector<std::uintptr_t>& known, std::span<const std::uintptr_t> mutexes) {
    {
        const program::engine_runs engine; // the notes are its memory
        for (const std::uintptr_t m : mutexes)
            if (std::find(known.begin(), known.end(), m) == known.end()) {
                known.push_back(m);
                facts_.knows_more = true;
            }
    }
    if (any_of(&known == &taken_ ? tried_ : taken_, mutexes)) give_up();
}

bool multi_locks::may_take(std::span<const std::uintptr_t> mutexes) {
    if (!is_used()) return false;
    if (facts_.trying || facts_.tracing) return true;
    if (must_step_back()) give_up();
    note(taken_, mutexes);
    return true;
}

void multi_locks::note_try(std::uintptr_t mutex) {
    if (is_used() && !facts_.trying && !facts_.tracing) note(tried_, {&mutex, 1});
}

void multi_locks::say() {
    if (facts_.tracing) given_up_ = facts_.expected_choice == own_choice::step_back;
    if (!given_up_) return;
    request what;
    what.act = action::choose;
    what.operand = 1;
    what.word = locks_step_back;
    runtime_.visible(what);
}

} // namespace ringproof::verify
