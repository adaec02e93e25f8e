// SPDX-License-Identifier: Apache-2.0
#include "kernel_event.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <ringproof/mapped_memory.hpp>

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4U)
#endif

namespace ringproof::record_command {
namespace {

std::string paranoia() {
    std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
    std::string level = "?";
    std::getline(file, level);
    return level;
}

int open_event(const perf_event_attr& attr, pid_t thread, int cpu) {
    return static_cast<int>(::syscall(SYS_perf_event_open, &attr, thread, cpu, -1,
                                      static_cast<unsigned long>(PERF_FLAG_FD_CLOEXEC)));
}

[[noreturn]] void refused(const std::string& name, const perf_event_attr& attr, pid_t thread, int cpu,
                          int why) {
    const std::string what = fmt::format("perf_event_open of {}: {}", name, std::strerror(why));
    switch (why) {
    case EACCES:
    case EPERM:
        throw not_permitted(fmt::format("{}\nkernel.perf_event_paranoid is {}; {} needs {} (`sysctl "
                                        "kernel.perf_event_paranoid={}` as root), "
                                        "or the capability CAP_PERFMON",
                                        what, paranoia(),
                                        thread == -1 ? "recording a whole CPU" : "this event",
                                        thread == -1                        ? "0 or less"
                                        : attr.type == PERF_TYPE_TRACEPOINT ? "-1"
                                                                            : "1 or less",
                                        thread == -1                        ? 0
                                        : attr.type == PERF_TYPE_TRACEPOINT ? -1
                                                                            : 1));
    case ENOSYS:
        throw not_permitted(what + "\nthis kernel, or a seccomp filter around us, has no perf events");
    case EMFILE:
        throw not_available(what +
                            "\none descriptor per event and CPU is needed; `ulimit -n` shows the limit");
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        throw not_available(what + "\nthis machine does not count it");
    case ESRCH:
        throw not_available(fmt::format("{}\nthere is no thread {}", what, thread));
    case EINVAL:
        if (attr.freq != 0)
            throw not_available(what + "\nperhaps the frequency is above kernel.perf_event_max_sample_rate");
        [[fallthrough]];
    default:
        throw not_available(fmt::format("{} (CPU {}, thread {})", what, cpu, thread));
    }
}

} // namespace

kernel_event::kernel_event(const std::string& name, perf_event_attr& attr, pid_t thread, int cpu) {
    attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
    descriptor_ = open_event(attr, thread, cpu);
    if (descriptor_ < 0 && errno == EINVAL) {
        attr.read_format = PERF_FORMAT_ID; // before Linux 6.0
        descriptor_ = open_event(attr, thread, cpu);
    }
    if (descriptor_ < 0) refused(name, attr, thread, cpu, errno);
    counts_lost_ = (attr.read_format & PERF_FORMAT_LOST) != 0;
    ::ioctl(descriptor_, PERF_EVENT_IOC_ID, &id_);
}

kernel_event::kernel_event(kernel_event&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), id_(other.id_), counts_lost_(other.counts_lost_) {}

kernel_event::~kernel_event() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void kernel_event::enable() const { ::ioctl(descriptor_, PERF_EVENT_IOC_ENABLE, 0); }
void kernel_event::disable() const { ::ioctl(descriptor_, PERF_EVENT_IOC_DISABLE, 0); }
void kernel_event::pause(bool on) const { ::ioctl(descriptor_, PERF_EVENT_IOC_PAUSE_OUTPUT, on ? 1 : 0); }

void kernel_event::set_output(const kernel_event& other) const {
    if (::ioctl(descriptor_, PERF_EVENT_IOC_SET_OUTPUT, other.descriptor_) != 0)
        throw std::system_error(errno, std::generic_category(), "PERF_EVENT_IOC_SET_OUTPUT");
}

event_count kernel_event::count() const {
    std::array<std::uint64_t, 3> raw{}; // value, id, lost
    const auto size = ::read(descriptor_, raw.data(), sizeof raw);
    if (size < static_cast<ssize_t>(2 * sizeof raw[0])) return {};
    return {raw[0], counts_lost_ ? raw[2] : 0};
}

ring_mapping::ring_mapping(const kernel_event& event, std::size_t pages, bool overwritable)
    : length_((pages + 1) * mapped_memory::page_size()) {
    base_ = ::mmap(nullptr, length_, overwritable ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED,
                   event.descriptor(), 0);
    if (base_ != MAP_FAILED) return;
    const int why = errno;
    if (why == EPERM)
        throw not_permitted(fmt::format("mapping a ring of {} pages: {}\nkernel.perf_event_mlock_kb limits "
                                        "what a user may map: take fewer "
                                        "(--mmap-pages), or raise it, or have CAP_IPC_LOCK",
                                        pages, std::strerror(why)));
    throw std::system_error(why, std::generic_category(), "mmap of a perf ring");
}

ring_mapping::~ring_mapping() { ::munmap(base_, length_); }

ring_memory ring_mapping::mapped_memory_of(void* base, std::size_t length) {
    return mapped_memory::foreign(base, length);
}

snapshot overwritable_ring::take() {
    event_->pause(true);
    snapshot result = reader_.take(head_);
    for (int looks = 0; looks != 100; ++looks) {
        ::sched_yield();
        snapshot again = reader_.take(head_);
        const bool same = again.head() == result.head();
        result = std::move(again);
        if (same) break;
    }
    head_ = result.head();
    event_->pause(false);
    return result;
}

} // namespace ringproof::record_command
