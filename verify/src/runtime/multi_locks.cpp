// SPDX-License-Identifier: Apache-2.0
// std::lock(a, b), and std::scoped_lock by it, waits for one mutex and tries the others. Where a try fails it gives back what
// it has, and begins with another one. Here a thread takes them in the order of their addresses, and waits for each. Two
// threads that do so never wait for each other.
//
// Take an execution with failed attempts: locks of some mutexes, a try that failed, the unlocks. Without the events of such an
// attempt it is an execution too: the thread that took a mutex next takes it behind the release before the attempt, and reads
// the same value. It orders less, so what is an error remains one; and the thread of the attempt takes each of the mutexes
// later, and so comes behind all that the attempt had put it behind. In which order it takes them at last makes no
// difference either: it does nothing in between, and other threads see only that a mutex is taken.
//
// Another thread can tell that there was an attempt if its own try failed for it, or if it destroys the mutex. (A thread that
// waits for a lock learns nothing.) So where a mutex is also tried in another way, or destroyed, the search begins anew, and
// std::lock() tries as the library does. The first such try is in an execution in which nothing has told of attempts before,
// so the search meets it.
//
// A thread that waits has some of the mutexes already, which the library would have given back. Let a thread that takes
// mutexes one by one wait for one of those. It is not stuck: it would go on, and the execution in which it takes the mutex
// first is another one. So this is no hang, but a branch without an end: waiting_threads::check_stuck(). If no such thread
// waits for one, there is a hang of the program. For of the mutexes that threads in std::lock() wait for take the last one in
// the order of addresses: were its holder in std::lock(), it would wait for a later one. So its holder never gives it back.
// And no hang is passed over: where threads of the program hang, those in std::lock() have stepped back. Let each of them
// take what is free, in the order of addresses. A thread that takes mutexes one by one waits for none of these, as it
// would not hang.
//
// None of this holds where threads are stopped for ever, with mutexes that they would have given back; beside handlers, which
// may wait while their thread has some; and where processes are killed.

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
