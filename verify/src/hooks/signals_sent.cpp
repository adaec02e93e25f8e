// SPDX-License-Identifier: Apache-2.0
// Signal masks, sending, and sigwait. pthread_sigmask(3) says how a program is to use them with threads: main() blocks
// the signals first, and each thread inherits that.

#include "signals_sent.hpp"

#include "../program/callers.hpp"
#include "clock.hpp"
#include "kills.hpp"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace ringproof::verify::descriptors {
namespace {

const char* const never_sent =
    "lost wake-up: a thread waits for ever in sigwait() for a signal that no thread will send";
constexpr std::uint32_t never_blocked = 1u << (SIGKILL - 1) | 1u << (SIGSTOP - 1);

std::uint32_t pending(value_t word) { return static_cast<std::uint32_t>(word) & all_signals; }
std::uint32_t open(value_t word) { return static_cast<std::uint32_t>(word >> first_open) & all_signals; }

going begin(value_t, value_t state, value_t& next) {
    next = state;
    return going::change;
}
/// The only thread says which signals it blocks.
going set_open(value_t seen, value_t signals, value_t& next) {
    next = (seen & ~(value_t{all_signals} << first_open)) | signals << first_open;
    return going::change;
}
going add_open(value_t seen, value_t signals, value_t& next) {
    next = seen | signals << first_open;
    return going::change;
}
/// A standard signal that is pending is not sent once more.
going send(value_t seen, value_t signals, value_t& next) {
    next = open(seen) & signals ? seen : seen | signals;
    return going::change;
}

bool is_alone() { return hook::self().id == 0 && hook::self().children == 0; }

} // namespace

std::uint32_t from(const sigset_t& set) {
    std::uint32_t signals = 0;
    for (int n = 1; n <= 31; ++n)
        if (sigismember(&set, n) == 1) signals |= 1u << (n - 1);
    return signals;
}
sigset_t to_set(std::uint32_t signals) {
    sigset_t set;
    sigemptyset(&set);
    for (int n = 1; n <= 31; ++n)
        if (signals & 1u << (n - 1)) sigaddset(&set, n);
    return set;
}
int lowest(std::uint32_t signals) { return signals == 0 ? 0 : __builtin_ctz(signals) + 1; }

going take_one(value_t seen, value_t set, value_t& next) {
    const std::uint32_t there = pending(seen) & static_cast<std::uint32_t>(set);
    next = seen & ~value_t{there & -there};
    return going::change;
}
going take_one_or_wait(value_t seen, value_t set, value_t& next) {
    if ((pending(seen) & static_cast<std::uint32_t>(set)) == 0) return going::wait;
    return take_one(seen, set, next);
}

const end* of_process(std::uintptr_t site) {
    if (const end* const made = kept(0, kind::process_signals)) return made;
    if (!is_alone()) return nullptr;
    end& made = keep(kind::process_signals);
    made.word = new_word();
    hook::change(on(made, order::relaxed, site, "make signals"), begin, value_t{all_signals} << first_open);
    return &made;
}

std::uint32_t blocked() {
    const end* const own = kept(hook::self().id, kind::mask);
    return own ? own->set : 0;
}

void block(std::uint32_t signals, std::uintptr_t site) {
    signals &= ~never_blocked;
    const std::uint32_t before = blocked();
    const end* const process = of_process(site);
    end* own = kept(hook::self().id, kind::mask);
    if (!own) own = &keep(kind::mask);
    any_mask = true;
    own->set = signals;
    const std::uint32_t opened = is_alone() ? all_signals & ~signals : before & ~signals;
    if (!process || (!is_alone() && opened == 0)) return;
    const value_t seen = hook::change(on(*process, order::acq_rel, site, "block signals"),
                                      is_alone() ? set_open : add_open, opened);
    if (pending(seen) & opened)
        hook::unsupported("unblocking a signal that is pending, whose handler would run,", site);
}

namespace {
struct inherited {
    start first;
    std::uint32_t set;
};
void* begin_with_mask(void* note) {
    const auto* const from = static_cast<const inherited*>(note);
    keep(kind::mask).set = from->set;
    return from->first.routine(from->first.argument);
}

/// @param limit whether the wait ends at a limit
int wait_for(const sigset_t* set, bool limit, std::int64_t time, std::uintptr_t site) {
    hook::engine().accesses().plain(hook::address_of(set), sizeof *set, false, site);
    const std::uint32_t signals = from(*set);
    const end* const process = of_process(site);
    if (!process)
        hook::unsupported("sigwait() in a program whose main() blocks no signal before its first thread",
                          site);
    const hook::operation there = on(*process, order::acq_rel, site, "wait for a signal");
    const bool looks = limit && (time == 0 || hook::engine().times_out(process->word, site));
    if (looks) hook::pass_time(time);
    const value_t seen = looks ? hook::change(there, take_one, signals)
                               : hook::take(there, take_one_or_wait, signals, limit ? "" : never_sent);
    const int n = lowest(pending(seen) & signals);
    return n == 0 ? fails(EAGAIN) : n;
}

int send_to_process(int signal, std::uintptr_t site) {
    if (signal > 31) hook::unsupported("kill() with a real-time signal", site);
    const std::uint32_t which = 1u << (signal - 1);
    const end* const process = of_process(site);
    value_t seen = value_t{all_signals} << first_open;
    if (process) seen = hook::change(on(*process, order::acq_rel, site, "send signal"), send, which);
    if (open(seen) & which)
        hook::unsupported(
            "kill() with a signal that some thread does not block, whose handler would run (block it "
            "in main(), before the first thread)",
            site);
    for (const unsigned side : {0u, 1u}) tell(seen, side, POLLIN, site);
    return 0;
}

int change_mask(int how, const sigset_t* set, sigset_t* before, std::uintptr_t site) {
    const std::uint32_t now = blocked();
    if (before) {
        hook::engine().accesses().plain(hook::address_of(before), sizeof *before, true, site);
        *before = to_set(now);
    }
    if (!set) return 0;
    hook::engine().accesses().plain(hook::address_of(set), sizeof *set, false, site);
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    const std::uint32_t named = from(*set);
    block(how == SIG_BLOCK ? now | named : how == SIG_UNBLOCK ? now & ~named : named, site);
    return 0;
}
} // namespace

start inherit(start first) {
    if (!kept(hook::self().id, kind::mask)) return first;
    auto* const note = static_cast<inherited*>(hook::note_room(sizeof(inherited)));
    *note = {first, blocked()};
    return {begin_with_mask, note};
}

} // namespace ringproof::verify::descriptors

namespace rv = ringproof::verify;
namespace descriptors = ringproof::verify::descriptors;
using namespace rv::hook;

RINGPROOF_HOOK int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
    if (!rv::callers::by_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(pthread_sigmask)(how, set, before);
    return descriptors::change_mask(how, set, before, RINGPROOF_SITE);
}
RINGPROOF_HOOK int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
    if (!rv::callers::by_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(sigprocmask)(how, set, before);
    const int error = descriptors::change_mask(how, set, before, RINGPROOF_SITE);
    return error == 0 ? 0 : descriptors::fails(error);
}
RINGPROOF_HOOK int kill(pid_t process, int signal) noexcept {
    if (running())
        if (const std::optional<int> done = rv::kill_forked(process, signal, RINGPROOF_SITE)) return *done;
    if (!rv::callers::by_program(RINGPROOF_SITE) || process != getpid() || signal <= 0)
        return RINGPROOF_NEXT(kill)(process, signal);
    return descriptors::send_to_process(signal, RINGPROOF_SITE);
}
RINGPROOF_HOOK int raise(int signal) noexcept {
    if (running() && self().process != 0) return *rv::kill_forked(getpid(), signal, RINGPROOF_SITE);
    if (rv::callers::by_program(RINGPROOF_SITE) && signal > 0 && signal <= 31 &&
        (descriptors::blocked() & 1u << (signal - 1)))
        unsupported("raise() of a signal that the thread blocks (kill() sends it to the process)",
                    RINGPROOF_SITE);
    return RINGPROOF_NEXT(raise)(signal);
}
RINGPROOF_HOOK int sigqueue(pid_t process, int signal, sigval value) noexcept {
    if (rv::callers::by_program(RINGPROOF_SITE) && process == getpid())
        unsupported("sigqueue() (a signal with a value; kill() has none)", RINGPROOF_SITE);
    return RINGPROOF_NEXT(sigqueue)(process, signal, value);
}
RINGPROOF_HOOK int sigpending(sigset_t* set) noexcept {
    if (rv::callers::by_program(RINGPROOF_SITE)) unsupported("sigpending()", RINGPROOF_SITE);
    return RINGPROOF_NEXT(sigpending)(set);
}
RINGPROOF_HOOK int sigwait(const sigset_t* set, int* signal) {
    if (!rv::callers::by_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(sigwait)(set, signal);
    RINGPROOF_STANDING(set, signal);
    write_plain(signal, descriptors::wait_for(set, false, 0, RINGPROOF_SITE), RINGPROOF_SITE);
    return 0;
}
namespace {
int say(siginfo_t* info, int signal, std::uintptr_t site) {
    if (!info || signal < 0) return signal;
    engine().accesses().plain(address_of(info), sizeof *info, true, site);
    *info = {};
    info->si_signo = signal;
    info->si_code = SI_USER;
    info->si_pid = getpid();
    info->si_uid = getuid();
    return signal;
}
} // namespace
RINGPROOF_HOOK int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
    if (!rv::callers::by_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(sigwaitinfo)(set, info);
    RINGPROOF_STANDING(set, info);
    return say(info, descriptors::wait_for(set, false, 0, RINGPROOF_SITE), RINGPROOF_SITE);
}
RINGPROOF_HOOK int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* limit) {
    if (!rv::callers::by_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(sigtimedwait)(set, info, limit);
    RINGPROOF_STANDING(set, info, limit);
    const std::int64_t time = limit ? rv::hook::to_nanoseconds(*limit) : 0;
    return say(info, descriptors::wait_for(set, limit != nullptr, time, RINGPROOF_SITE), RINGPROOF_SITE);
}
