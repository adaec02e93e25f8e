// SPDX-License-Identifier: Apache-2.0
// Processes that are killed, at any access. A signal is sent by kill(), and comes some time later: it is a thread of its own
// that writes to a word of the process, ordered behind kill() and before nothing (../hooks/kills.cpp). The process reads that word
// and ends where it finds the signal. Both are events like others, so whatever is sound for programs is sound here.
//
// Where it looks: before its first access, and before the next access, or the next plain write, behind each one that
// others can tell of. To be killed at a place between two such looks is the same as to be killed at the look before: what it
// did since is reads, or concerns memory of its own, which goes with it. Nothing of it is read by others, and an execution
// without it is consistent if the whole one is, since models are closed under prefixes of threads. The data races of these reads
// are found in the executions in which the process goes on: whatever knows of its death is ordered behind them.
//
// A process that was sent the signal and waits for ever behind its last look is killed, of course. That execution is the one
// in which it finds the signal at that look, so it counts as blocked and says nothing: see waiting_threads.cpp.
//
// The word for its end is what waitpid() with WNOHANG reads. Without kill() and its like processes do neither: the search begins
// anew when it comes to the first such call.

#include "runtime.hpp"

#include <exception>

namespace ringproof::verify {
namespace {

/// Whether other processes may be able to tell that a thread has done `what`, whose result is `seen`. A write of the
/// value that was there orders what others do, too.
bool others_can_tell(const thread_state& t, const request& what, value_t seen) {
    value_t next = seen;
    switch (what.act) {
    case action::store:
    case action::modify:
    case action::update:
    case action::plain_write:
    case action::create:
    case action::lock:
    case action::unlock:
    case action::wake:
        return true;
    case action::compare:
        return !t.failed_spuriously && seen == what.expected;
    case action::try_lock:
        return what.rule ? what.rule(seen, what.operand, next) != going::wait : seen == 0;
    default:
        return false;
    }
}

request on_word(action act, const value_t& word, order mo, std::uintptr_t site, const char* name) {
    request r;
    r.act = act;
    r.mo = mo;
    r.size = sizeof word;
    r.object = true;
    r.address = reinterpret_cast<std::uintptr_t>(&word);
    r.site = site;
    r.word = name;
    return r;
}

} // namespace

void runtime::let_processes_die() {
    if (facts_.processes_may_die) return;
    facts_.processes_may_die = true;
    begin_anew_from_here();
}

value_t runtime::visible_in_mortal(const request& what) {
    look_for_kill(what.site);
    const value_t seen = do_at_home(what);
    thread_state& t = program_.self();
    if (others_can_tell(t, what, seen) && !process::at(t.process).owns(what.address)) t.changed_shared = true;
    return seen;
}

void runtime::before_plain_write(std::uintptr_t home, std::uintptr_t site) {
    if (process::at(program_.self().process).owns(home)) return;
    look_for_kill(site);
    program_.self().changed_shared = true;
}

/// Ends the process of the running thread if it finds that it was killed.
void runtime::look_for_kill(std::uintptr_t site) {
    thread_state& t = program_.self();
    if (!t.changed_shared) return;
    t.changed_shared = false;
    const process& own = process::at(t.process);
    const value_t found = ask(on_word(action::load, own.killed, order::relaxed, site, looks_for_kill));
    if (found == 0) return;
    facts_.take_for_granted(assumption::kill_order, site);
    end_process(static_cast<int>(found & process::any_signal), site);
}

void runtime::end_process(int status, std::uintptr_t site) {
    thread_state& t = program_.self();
    const bool exits = (status & process::any_signal) == 0;
    if (exits && facts_.processes_may_die) look_for_kill(site);
    for (const thread_state& other : program_)
        if (other.id != t.id && other.process == t.process && other.status != thread_status::unborn &&
            other.status != thread_status::finished)
            fail_here(
                failure_kind::unsupported,
                "the end of a process that has other threads, by _exit() or by a signal, is not supported",
                site, 0);
    t.returned = reinterpret_cast<void*>(static_cast<std::uintptr_t>(status));
    if (facts_.processes_may_die) {
        request ended =
            on_word(action::store, process::at(t.process).ended, order::release, site, says_ended);
        ended.operand = 1;
        ask(ended);
    }
    request end;
    end.act = action::end;
    end.site = site;
    if (!exits) end.word = dies_by_kill;
    ask(end);
    std::terminate(); // an ended thread is never resumed
}

} // namespace ringproof::verify
