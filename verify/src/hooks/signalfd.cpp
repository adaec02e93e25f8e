// SPDX-License-Identifier: Apache-2.0
// signalfd(2). Its word is that of the process's signals, which all signalfds share; each has a side of it, by which it
// is closed and watched. As in the kernel, whoever watches one is told of each signal, and looks whether it is of the
// set.

#include "signals_sent.hpp"

#include "../program/callers.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/signalfd.h>
#include <unistd.h>

namespace ringproof::verify::descriptors {
namespace {

const char* const never_sent =
    "lost wake-up: a thread waits for ever in read() of a signalfd for a signal that no thread will send";

/// The set, and above it the side.
value_t operand_of(const end& e) { return e.set | value_t{e.instance} << 32; }

bool is_closed(value_t seen, value_t set) { return (seen & closed(set >> 32 & 1 ? 1 : 0)) != 0; }
going take_if_open(value_t seen, value_t set, value_t& next) {
    next = seen;
    return is_closed(seen, set) ? going::change : take_one(seen, set, next);
}
going take_or_wait(value_t seen, value_t set, value_t& next) {
    next = seen;
    return is_closed(seen, set) ? going::change : take_one_or_wait(seen, set, next);
}

int signal_of(const end& e, value_t seen) {
    return lowest(static_cast<std::uint32_t>(seen) & all_signals & e.set);
}

void give(int signal, void* to, std::uintptr_t site) {
    signalfd_siginfo info{};
    info.ssi_signo = static_cast<std::uint32_t>(signal);
    info.ssi_code = SI_USER;
    info.ssi_pid = static_cast<std::uint32_t>(getpid());
    info.ssi_uid = getuid();
    hook::engine().accesses().plain(hook::address_of(to), sizeof info, true, site);
    std::memcpy(to, &info, sizeof info);
}

} // namespace

/// Each signal is taken on its own, as the kernel does: another thread's read may come in between.
ssize_t read_signals(const end& e, void* to, std::size_t size, std::uintptr_t site) {
    constexpr std::size_t each = sizeof(signalfd_siginfo);
    if (size < each) return fails(EINVAL);
    if (is_interrupted(e, false, site)) return fails(EINTR);
    value_t seen = ask(e, {take_or_wait, take_if_open, "read signalfd", never_sent}, operand_of(e), site);
    std::size_t given = 0;
    for (;;) {
        must_be_open(e, seen, site);
        const int signal = signal_of(e, seen);
        if (signal == 0) break;
        give(signal, static_cast<char*>(to) + given, site);
        given += each;
        const bool more =
            (static_cast<std::uint32_t>(seen) & all_signals & e.set & ~(1u << (signal - 1))) != 0;
        if (!more || size - given < each) break;
        seen = hook::change(on(e, order::acq_rel, site, "read signalfd"), take_if_open, operand_of(e));
    }
    return given == 0 ? fails(EAGAIN) : static_cast<ssize_t>(given);
}

namespace {
int make_signals(int file, const sigset_t* set, int flags, std::uintptr_t site) {
    if (file != -1) hook::unsupported("changing the signals of a signalfd", site);
    if (flags & ~(SFD_NONBLOCK | SFD_CLOEXEC)) return fails(EINVAL);
    const end* const process = of_process(site);
    if (!process || hook::self().id != 0)
        hook::unsupported(
            "a signalfd that another thread than main() makes, or in a program whose main() blocks no "
            "signal before its first thread,",
            site);
    constexpr unsigned most = 2;
    const unsigned nth = count(kind::signals);
    if (nth == most)
        hook::engine().fail_here(failure_kind::limit, "a program makes more than 2 signalfds", site, 0);
    hook::engine().accesses().plain(hook::address_of(set), sizeof *set, false, site);
    const made m = make(kind::signals, process->word, site);
    m.at->non_blocking = (flags & SFD_NONBLOCK) != 0;
    m.at->instance = static_cast<std::uint8_t>(nth);
    m.at->set = from(*set);
    return m.number;
}
} // namespace

} // namespace ringproof::verify::descriptors

namespace rv = ringproof::verify;
using namespace rv::hook;

RINGPROOF_HOOK int signalfd(int file, const sigset_t* set, int flags) noexcept {
    if (!rv::callers::for_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(signalfd)(file, set, flags);
    return rv::descriptors::make_signals(file, set, flags, RINGPROOF_SITE);
}
