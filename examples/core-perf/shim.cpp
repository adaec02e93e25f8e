// SPDX-License-Identifier: Apache-2.0
// Stands in for the kernel in a tool that reads perf events. perf_event_open gives a descriptor of a ring's memory, which
// the tool maps as it maps a kernel's ring. Two descriptors are inherited, their numbers are in the environment:
//   CORE_PERF_RING   the ring's memory
//   CORE_PERF_END    the reading end of a pipe whose writing end the producer closes behind its last record
// CORE_PERF_NO_SAMPLES says that the ring has no samples, so that any fields of them may be asked for.
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

int inherited(const char* name) {
    const char* const number = std::getenv(name);
    return number ? std::atoi(number) : -1;
}

/// Whether `descriptor` is one of the ring's memory.
bool is_event(int descriptor) {
    struct stat ring {
    }, other{};
    return fstat(inherited("CORE_PERF_RING"), &ring) == 0 && fstat(descriptor, &other) == 0 &&
           ring.st_dev == other.st_dev && ring.st_ino == other.st_ino;
}

/// A tool asks for less when it is refused. This lets it ask for the fields that the producer's samples have, and for none
/// behind records of other types (sample_id_all): ringproof's LOST records have none. A ring that is overwritten has no
/// LOST records.
long open_event(const perf_event_attr& event) {
    constexpr auto fields = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
    const bool any_fields = event.sample_type == 0 || std::getenv("CORE_PERF_NO_SAMPLES");
    if ((event.sample_id_all && !event.write_backward) || (!any_fields && event.sample_type != fields)) {
        errno = EINVAL;
        return -1;
    }
    return dup(inherited("CORE_PERF_RING"));
}

template <class Function>
Function next(Function, const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

long syscall(long number, ...) noexcept {
    va_list rest;
    va_start(rest, number);
    long a[6];
    for (long& argument : a) argument = va_arg(rest, long);
    va_end(rest);
    if (number == SYS_perf_event_open) return open_event(*reinterpret_cast<const perf_event_attr*>(a[0]));
    static const auto real = next(&syscall, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int ioctl(int descriptor, unsigned long request, ...) noexcept {
    va_list rest;
    va_start(rest, request);
    void* const argument = va_arg(rest, void*);
    va_end(rest);
    if (_IOC_TYPE(request) != '$' || !is_event(descriptor)) {
        static const auto real = next(&ioctl, "ioctl");
        return real(descriptor, request, argument);
    }
    if (request == PERF_EVENT_IOC_ID) *static_cast<std::uint64_t*>(argument) = 1;
    return 0;
}

/// An event's descriptor becomes readable in the kernel when records have come. Memory always is: the tool looks every
/// 5 ms instead, and learns from the pipe when nothing more will come.
int poll(pollfd* all, nfds_t count, int timeout) {
    static const auto real = next(&poll, "poll");
    pollfd end{inherited("CORE_PERF_END"), POLLIN, 0};
    int ready = real(&end, 1, timeout < 0 || timeout > 5 ? 5 : timeout) > 0 ? 1 : 0;
    const bool ended = ready == 1;
    ready = 0;
    for (nfds_t i = 0; i < count; ++i) {
        all[i].revents = 0;
        if (is_event(all[i].fd))
            all[i].revents = static_cast<short>(ended ? POLLHUP : 0);
        else
            real(&all[i], 1, 0);
        ready += all[i].revents != 0;
    }
    return ready;
}

int __poll_chk(pollfd* all, nfds_t count, int timeout, std::size_t) { return poll(all, count, timeout); }
}
