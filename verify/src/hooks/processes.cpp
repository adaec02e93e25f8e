// SPDX-License-Identifier: Apache-2.0
// fork() and what goes with it. A process is a thread with memory of its own beside what is mapped (program/process.hpp).
// To wait for it is to join that thread.

#include "processes.hpp"

#include "hook.hpp"

#include <cerrno>
#include <csignal>
#include <exception>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::verify {
namespace {

constexpr pid_t first_pid = 10'000'000; ///< above those of the system

bool runs(const thread_state& t) {
    return t.status != thread_status::unborn && t.status != thread_status::finished;
}
bool is_child(const thread_state& t) {
    return t.process != 0 && process::at(t.process).first == t.id && t.status != thread_status::unborn;
}
pid_t pid_of(thread_id t) { return first_pid + t; }

pid_t make_process(std::uintptr_t site) {
    const thread_state& t = hook::self();
    if (t.process != 0) hook::unsupported("fork() in a process that fork() made", site);
    if (t.id != 0) hook::unsupported("fork() by another thread than main's", site);
    if (t.handlers || t.stops != stopping::off)
        hook::unsupported("fork() in a thread that may be interrupted or stopped", site);
    for (thread_id u = 1; u < hook::engine().thread_count(); ++u)
        if (runs(hook::engine().thread(u)) && hook::engine().thread(u).process == 0)
            hook::unsupported("fork() while the process has other threads", site);
    if (mapped::any_private())
        hook::unsupported("fork() with private mappings (MAP_PRIVATE), which would have to be copied,", site);
    if (process::size_for(hook::engine().memory()) == 0)
        hook::unsupported("fork() with more than 127 libraries and heaps", site);
    return hook::engine().fork_process(site) == 0 ? pid_of(hook::self().what.other) : 0;
}

/// The child that waitpid() is to wait for, or null.
thread_state* child_of(pid_t pid, std::uintptr_t site) {
    thread_state* found = nullptr;
    for (thread_id t = 0; t < hook::engine().thread_count(); ++t) {
        thread_state& child = hook::engine().thread(t);
        if (!is_child(child) || child.parent != hook::self().id || child.joined_by != thread_state::nobody ||
            (pid != -1 && pid != pid_of(t)))
            continue;
        if (found) hook::unsupported("waiting for any of several processes", site);
        found = &child;
    }
    return found;
}

pid_t wait_for(pid_t pid, int* status, int options, std::uintptr_t site) {
    if (options != 0) hook::unsupported("waitpid() with options", site);
    if (pid < -1 || pid == 0) hook::unsupported("waiting for a process group", site);
    const thread_state* const child = child_of(pid, site);
    if (!child) return errno = ECHILD, -1;
    const thread_id t = child->id;
    request r;
    r.act = action::join;
    r.other = t;
    r.site = site;
    hook::engine().visible(r);
    const auto code = static_cast<int>(reinterpret_cast<std::uintptr_t>(hook::engine().thread(t).returned));
    if (status) hook::write_plain(status, W_EXITCODE(code, 0), site);
    return pid_of(t);
}

} // namespace

void refuse_if_forked(pid_t pid, const char* what, std::uintptr_t site) {
    if (pid >= first_pid || hook::self().process != 0) hook::unsupported(what, site);
}

void end_process(int code, std::uintptr_t site) {
    thread_state& self = hook::self();
    for (thread_id t = 0; t < hook::engine().thread_count(); ++t) {
        const thread_state& other = hook::engine().thread(t);
        if (t != self.id && other.process == self.process && runs(other))
            hook::unsupported("_exit() while the process has other threads", site);
    }
    self.returned = reinterpret_cast<void*>(static_cast<std::uintptr_t>(code & 0xff));
    request r;
    r.act = action::end;
    r.site = site;
    hook::engine().visible(r);
    std::terminate(); // an ended thread is never resumed
}

} // namespace ringproof::verify

namespace rv = ringproof::verify;
using namespace rv::hook;

RINGPROOF_HOOK pid_t fork() noexcept {
    if (!running()) return RINGPROOF_NEXT(fork)();
    return rv::make_process(RINGPROOF_SITE);
}
RINGPROOF_HOOK pid_t vfork() noexcept { // which a hook cannot pass on: it returns twice
    if (running()) unsupported("vfork()", RINGPROOF_SITE);
    return RINGPROOF_NEXT(fork)();
}
RINGPROOF_HOOK pid_t waitpid(pid_t pid, int* status, int options) {
    if (!running()) return RINGPROOF_NEXT(waitpid)(pid, status, options);
    return rv::wait_for(pid, status, options, RINGPROOF_SITE);
}
RINGPROOF_HOOK pid_t wait(int* status) {
    if (!running()) return RINGPROOF_NEXT(wait)(status);
    return rv::wait_for(-1, status, 0, RINGPROOF_SITE);
}
RINGPROOF_HOOK pid_t getpid() noexcept {
    if (!running() || self().process == 0) return RINGPROOF_NEXT(getpid)();
    return rv::first_pid + rv::process::at(self().process).first;
}
RINGPROOF_HOOK pid_t getppid() noexcept {
    if (!running() || self().process == 0) return RINGPROOF_NEXT(getppid)();
    return RINGPROOF_NEXT(getpid)();
}
