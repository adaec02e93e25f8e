// SPDX-License-Identifier: Apache-2.0
#include "written_pages.hpp"

#include <cstddef>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringproof::verify {
namespace {

// Newer than the headers that Debian 12 has.
constexpr std::uint64_t protects_unpopulated = 1u << 13, protects_asynchronously = 1u << 15;
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

struct scan_request {
    std::uint64_t size = sizeof(scan_request), flags = 0;
    std::uint64_t begin = 0, end = 0, walked_to = 0;
    std::uint64_t found = 0, room = 0, most_pages = 0;
    std::uint64_t inverted = 0, all_of = 0, any_of = 0, returned = 0;
};
constexpr std::uint64_t protect_what_matches = 1u << 0, only_if_protected = 1u << 1; // flags
constexpr std::uint64_t is_written = 1u << 1;                                        // a category
const unsigned long scan = _IOWR('f', 16, scan_request);

/// The process's number, which is asked for at each step. The kernel empties the page where it is kept in a forked process.
pid_t this_process() {
    static pid_t* const kept = [] {
        const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        void* const page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED) return static_cast<pid_t*>(nullptr);
        if (madvise(page, size, MADV_WIPEONFORK) == 0) return static_cast<pid_t*>(page);
        munmap(page, size);
        return static_cast<pid_t*>(nullptr);
    }();
    if (!kept) return getpid();
    if (*kept == 0) *kept = getpid();
    return *kept;
}

} // namespace

bool written_pages::open() {
    if (faults_ >= 0) return true;
    faults_ = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY));
    pages_ = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    uffdio_api api{};
    api.api = UFFD_API;
    api.features = protects_unpopulated | protects_asynchronously;
    owner_ = this_process();
    if (faults_ >= 0 && pages_ >= 0 && ioctl(faults_, UFFDIO_API, &api) == 0) return true;
    close();
    return false;
}

void written_pages::close() {
    if (faults_ >= 0) ::close(faults_);
    if (pages_ >= 0) ::close(pages_);
    faults_ = pages_ = -1;
}

bool written_pages::of_this_process() const { return owner_ == this_process(); }

bool written_pages::watch(memory_range range) {
    if (!open()) return false;
    uffdio_register what{};
    what.range.start = range.begin;
    what.range.len = range.size();
    what.mode = UFFDIO_REGISTER_MODE_WP;
    if (ioctl(faults_, UFFDIO_REGISTER, &what) != 0) return false;
    scan_request probe;
    probe.begin = range.begin;
    probe.end = range.end;
    probe.flags = only_if_protected;
    probe.all_of = probe.returned = is_written;
    stretch one;
    probe.found = reinterpret_cast<std::uintptr_t>(&one);
    probe.room = 1;
    return ioctl(pages_, scan, &probe) >= 0;
}

const std::vector<written_pages::stretch>& written_pages::take(memory_range watched) {
    constexpr std::size_t at_once = 512;
    room_.resize(at_once);
    found_.clear();
    scan_request r;
    r.flags = protect_what_matches | only_if_protected;
    r.all_of = r.returned = is_written;
    r.found = reinterpret_cast<std::uintptr_t>(room_.data());
    r.room = at_once;
    r.end = watched.end;
    for (r.begin = watched.begin; r.begin < watched.end; r.begin = r.walked_to) {
        r.walked_to = 0;
        const int count = ioctl(pages_, scan, &r);
        if (count < 0 || r.walked_to <= r.begin) { // it did not say: all of it, then
            found_.push_back({r.begin, watched.end, is_written});
            break;
        }
        found_.insert(found_.end(), room_.begin(), room_.begin() + count);
    }
    return found_;
}

memory_range written_pages::pages_around(memory_range range) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    return {range.begin & ~(page - 1), (range.end + page - 1) & ~(page - 1)};
}

memory_range written_pages::pages_within(memory_range range) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    return {(range.begin + page - 1) & ~(page - 1), range.end & ~(page - 1)};
}

} // namespace ringproof::verify
