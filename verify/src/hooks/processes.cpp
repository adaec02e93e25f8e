// SPDX-License-Identifier: Apache-2.0
// fork() and what goes with it. A process is a thread with memory of its own beside what is mapped (program/process.hpp).
// To wait for it is to join that thread.

#include "processes.hpp"

#include "exit.hpp"
#include "hook.hpp"
#include "kills.hpp"
#include "noted_files.hpp"

#include <ringproof/verify/check.hpp>

#include <cerrno>
#include <cstdio>
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
    return t.process != 0 && process::at(t.process).first == t.id && t.status != thread_status::unborn &&
           !t.detached; // a second program is no child
}
pid_t pid_of(thread_id t) { return first_pid + t; }

pid_t make_process(std::uintptr_t site) {
    const thread_state& t = hook::self();
    if (t.process != 0) hook::unsupported("fork() in a process that fork() made", site);
    if (t.id != 0) hook::unsupported("fork() by another thread than main's", site);
    if (t.handlers || t.stops != stopping::off)
        hook::unsupported("fork() in a thread that may be interrupted or stopped", site);
    for (thread_id u = 1; u < hook::engine().thread_count(); ++u)
        if (runs(hook::engine().thread(u)) && hook::engine().thread(u).process == 0 &&
            !is_signal(hook::engine().thread(u)))
            hook::unsupported("fork() while the process has other threads", site);
    if (mapped::any_private())
        hook::unsupported("fork() with private mappings (MAP_PRIVATE), which would have to be copied,", site);
    if (find_file([](const noted_file& f) { return f.stands_for && !f.closed; }))
        hook::unsupported("fork() with an open pipe, eventfd or the like, which processes would share,",
                          site);
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

/// Whether the child has ended, as far as the caller can see now.
bool has_ended(const thread_state& child, std::uintptr_t site) {
    hook::engine().let_processes_die();
    request r;
    r.act = action::load;
    r.mo = order::acquire;
    r.size = sizeof(value_t);
    r.object = true;
    r.address = hook::address_of(&process::at(child.process).ended);
    r.site = site;
    r.word = "look whether the child has ended";
    r.frame = hook::self().hook_frame; // a loop may wait for that
    return hook::engine().visible_at_home(r) != 0;
}

pid_t wait_for(pid_t pid, int* status, int options, std::uintptr_t site) {
    // No child is ever stopped or continued.
    if ((options & ~(WNOHANG | WUNTRACED | WCONTINUED)) != 0)
        hook::unsupported("waitpid() with options other than WNOHANG, WUNTRACED and WCONTINUED", site);
    if (pid < -1 || pid == 0) hook::unsupported("waiting for a process group", site);
    const thread_state* const child = child_of(pid, site);
    if (!child) return errno = ECHILD, -1;
    const thread_id t = child->id;
    if ((options & WNOHANG) != 0 && !has_ended(*child, site)) return 0;
    request r;
    r.act = action::join;
    r.other = t;
    r.site = site;
    hook::engine().visible(r);
    const auto how = static_cast<int>(reinterpret_cast<std::uintptr_t>(hook::engine().thread(t).returned));
    if (status) hook::write_plain(status, how, site);
    return pid_of(t);
}

} // namespace

void refuse_if_forked(pid_t pid, const char* what, std::uintptr_t site) {
    if (pid >= first_pid || hook::self().process != 0) hook::unsupported(what, site);
}

const char* text_of_process(const char* path, std::uintptr_t site) {
    int pid = 0, length = 0;
    if (!hook::running() || std::sscanf(path, "/proc/%d/stat%n", &pid, &length) != 1 || pid < first_pid ||
        path[length] != 0)
        return nullptr;
    const int t = pid - first_pid;
    if (t >= hook::engine().thread_count() || !is_child(hook::engine().thread(static_cast<thread_id>(t))))
        return nullptr; // the system says that there is no such file
    const thread_state& asked = hook::engine().thread(static_cast<thread_id>(t));
    const bool is_self = asked.process == hook::self().process;
    if (!is_self && asked.parent == hook::self().id && asked.joined_by != thread_state::nobody)
        return nullptr;
    const bool ended = !is_self && has_ended(asked, site);
    constexpr std::size_t room = 160;
    auto* const text = static_cast<char*>(hook::note_room(room));
    // The 22nd value is when it was started: another time for each.
    std::snprintf(text, room, "%d (forked) %c %d 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 %d 0 0\n", pid,
                  ended ? 'Z' : 'R', 1, pid);
    return text;
}

const thread_state* forked(pid_t pid) {
    if (pid < first_pid || pid >= pid_of(static_cast<thread_id>(hook::engine().thread_count())))
        return nullptr;
    const thread_state& t = hook::engine().thread(static_cast<thread_id>(pid - first_pid));
    return is_child(t) && t.parent == hook::self().id ? &t : nullptr;
}

pid_t pid_of_self() { return pid_of(process::at(hook::self().process).first); }

void end_process(int code, std::uintptr_t site) {
    hook::engine().end_process(W_EXITCODE(code & 0xff, 0), site);
}

int run_together(int (*first)(int, char**), int (*second)(int, char**), int argc, char** argv) {
    if (!hook::running()) return first(argc, argv);
    const pid_t made = make_process(RINGPROOF_SITE);
    if (made == 0) exit_process(second(argc, argv));
    request r;
    r.act = action::join;
    r.other = static_cast<thread_id>(made - first_pid);
    hook::engine().thread(r.other).detached = true;
    hook::engine().thread(r.other).dirty = true;
    const int code = first(argc, argv);
    hook::engine().visible(r);
    const auto how =
        static_cast<int>(reinterpret_cast<std::uintptr_t>(hook::engine().thread(r.other).returned));
    if (how != 0) {
        const program::engine_runs engine;
        hook::engine().fail_here(failure_kind::abort,
                                 WIFSIGNALED(how) ? "the second program is killed"
                                                  : "the second program exits with code " +
                                                        std::to_string(WEXITSTATUS(how)),
                                 0, 0);
    }
    return code;
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
    RINGPROOF_STANDING(pid, status, options);
    if (!running()) return RINGPROOF_NEXT(waitpid)(pid, status, options);
    return rv::wait_for(pid, status, options, RINGPROOF_SITE);
}
RINGPROOF_HOOK pid_t wait(int* status) {
    if (!running()) return RINGPROOF_NEXT(wait)(status);
    return rv::wait_for(-1, status, 0, RINGPROOF_SITE);
}
RINGPROOF_HOOK pid_t wait4(pid_t pid, int* status, int options, rusage* used) {
    if (!running()) return RINGPROOF_NEXT(wait4)(pid, status, options, used);
    if (used) unsupported("wait4() that asks for what the child has used", RINGPROOF_SITE);
    return rv::wait_for(pid, status, options, RINGPROOF_SITE);
}
RINGPROOF_HOOK int waitid(idtype_t what, id_t id, siginfo_t* info, int options) {
    if (running()) unsupported("waitid() (waitpid() is)", RINGPROOF_SITE);
    return RINGPROOF_NEXT(waitid)(what, id, info, options);
}
RINGPROOF_HOOK pid_t getpid() noexcept {
    if (!running() || self().process == 0) return RINGPROOF_NEXT(getpid)();
    return rv::pid_of_self();
}
RINGPROOF_HOOK pid_t getppid() noexcept {
    if (!running() || self().process == 0) return RINGPROOF_NEXT(getppid)();
    return RINGPROOF_NEXT(getpid)();
}
