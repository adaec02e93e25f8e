// SPDX-License-Identifier: Apache-2.0
// Ways to the kernel that would pass by the models of descriptors: refused, since a thread that slept there would stop
// the checker itself.

#include "../program/callers.hpp"
#include "descriptors.hpp"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <iterator>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringproof::verify::descriptors {

void must_not_be_raw(long call, long first, std::uintptr_t site) {
    static constexpr long makes[] = {SYS_eventfd2, SYS_pipe2, SYS_epoll_create1, SYS_timerfd_create,
                                     SYS_signalfd4};
    static constexpr long uses[] = {SYS_read,  SYS_write,     SYS_readv,      SYS_writev,
                                    SYS_close, SYS_epoll_ctl, SYS_epoll_pwait};
    const auto is_in = [call](const long* begin, const long* end) {
        return std::find(begin, end, call) != end;
    };
    if (is_in(std::begin(makes), std::end(makes)) ||
        (is_in(std::begin(uses), std::end(uses)) && find(static_cast<int>(first))))
        hook::unsupported("a system call by its number on what threads sleep on (call the function of libc)",
                          site);
}

} // namespace ringproof::verify::descriptors

namespace rv = ringproof::verify;
using namespace rv::hook;

// Timers that send signals, at a time of their own.
RINGPROOF_HOOK unsigned alarm(unsigned seconds) noexcept {
    if (rv::callers::for_program(RINGPROOF_SITE))
        unsupported("alarm() (a timerfd is modelled)", RINGPROOF_SITE);
    return RINGPROOF_NEXT(alarm)(seconds);
}
RINGPROOF_HOOK int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
    if (rv::callers::for_program(RINGPROOF_SITE))
        unsupported("timer_create() (a timerfd is modelled)", RINGPROOF_SITE);
    return RINGPROOF_NEXT(timer_create)(clock, event, timer);
}

// A thread that waits for a signal's handler would stop the checker for ever: no handler is run.
RINGPROOF_HOOK int pause() {
    if (rv::callers::for_program(RINGPROOF_SITE))
        unsupported("pause() (sigwait() and signalfd are modelled)", RINGPROOF_SITE);
    return RINGPROOF_NEXT(pause)();
}
RINGPROOF_HOOK int sigsuspend(const sigset_t* mask) {
    if (rv::callers::for_program(RINGPROOF_SITE))
        unsupported("sigsuspend() (sigwait() and signalfd are modelled)", RINGPROOF_SITE);
    return RINGPROOF_NEXT(sigsuspend)(mask);
}
