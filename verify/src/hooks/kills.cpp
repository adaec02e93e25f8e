// SPDX-License-Identifier: Apache-2.0
// Signals that kill a process which fork() made: see ../runtime/kills.cpp.

#include "kills.hpp"

#include "hook.hpp"
#include "processes.hpp"

#include <ringproof/verify/process.h>

#include <cerrno>
#include <csignal>

namespace ringproof::verify {
namespace {

void arrive(void* at, value_t signal) {
    request r;
    r.act = action::store;
    r.mo = order::relaxed; // a signal orders nothing
    r.size = sizeof(value_t);
    r.object = true;
    r.address = hook::address_of(at);
    r.operand = signal;
    r.word = "SIGKILL";
    hook::engine().visible_at_home(r);
}
// What the signal's thread does.
void* arrive_for_certain(void* at) { return arrive(at, SIGKILL), nullptr; }
void* arrive_perhaps(void* at) { return arrive(at, SIGKILL | process::may_never_come), nullptr; }

void send(const thread_state& child, void* (*arrives)(void*), std::uintptr_t site) {
    runtime& engine = hook::engine();
    if (engine.facts().limits.races_go_on || engine.facts().limits.races_ignored)
        hook::unsupported("killing a process with --races=continue or --races=ignore", site);
    engine.let_processes_die();
    const thread_id signal = engine.spawn(arrives, &process::at(child.process).killed, site);
    engine.thread(signal).detached = true;
    engine.thread(signal).dirty = true;
}

} // namespace

bool is_signal(const thread_state& t) { return t.start == arrive_for_certain || t.start == arrive_perhaps; }

std::optional<int> kill_forked(pid_t pid, int signal, std::uintptr_t site) {
    if (const thread_state& self = hook::self(); self.process != 0 && pid == pid_of_self()) {
        if (signal != SIGKILL)
            hook::unsupported("a signal other than SIGKILL to a process that fork() made", site);
        hook::engine().let_processes_die();
        hook::engine().end_process(signal, site);
    }
    const thread_state* const child = forked(pid);
    if (!child) {
        refuse_if_forked(pid, "kill() of another process by one that fork() made", site);
        return {};
    }
    if (child->joined_by != thread_state::nobody) return errno = ESRCH, -1;
    if (signal == 0) return 0; // a child that has ended is there until it is waited for
    if (signal != SIGKILL)
        hook::unsupported("a signal other than SIGKILL to a process that fork() made", site);
    send(*child, arrive_for_certain, site);
    return 0;
}

} // namespace ringproof::verify

namespace rv = ringproof::verify;
using namespace rv::hook;

RINGPROOF_HOOK void ringproof_may_be_killed(pid_t child) {
    if (!running()) return;
    const rv::thread_state* const t = rv::forked(child);
    if (!t) misuse("ringproof_may_be_killed() of what is no child of this process", RINGPROOF_SITE, nullptr);
    rv::send(*t, rv::arrive_perhaps, RINGPROOF_SITE);
}
