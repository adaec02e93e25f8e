// SPDX-License-Identifier: Apache-2.0
#pragma once
// One perf event of the kernel with its ring: a dummy software event that writes a COMM record whenever this thread
// changes its name, at once.
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <linux/perf_event.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ringproof/full/keep_oldest.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/record.hpp"

using namespace ringproof;

inline constexpr std::uint32_t comm_type = 3;

/// Ends the test as skipped, with the reason of the call that failed.
[[noreturn]] inline void skip(const char* call) {
    std::printf("skipped: %s: %s\n", call, std::strerror(errno));
    std::exit(77);
}

/// One perf event of the kernel with its ring.
class kernel_ring {
  public:
    kernel_ring(std::size_t capacity, std::uint32_t watermark, bool overwrite = false)
        : length_(mapped_memory::page_size() + capacity) {
        perf_event_attr attr{};
        attr.size = sizeof attr;
        attr.type = PERF_TYPE_SOFTWARE;
        attr.config = PERF_COUNT_SW_DUMMY;
        attr.comm = 1;
        attr.exclude_kernel = 1;
        attr.write_backward = overwrite;
        if (watermark != 0) {
            attr.watermark = 1;
            attr.wakeup_watermark = watermark;
        }
        descriptor_ =
            static_cast<int>(::syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
        if (descriptor_ < 0) skip("perf_event_open");
        page_ = ::mmap(nullptr, length_, overwrite ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED,
                       descriptor_, 0);
        if (page_ == MAP_FAILED) skip("mmap of a perf ring");
        ::ioctl(descriptor_, PERF_EVENT_IOC_ID, &id_);
    }
    kernel_ring(const kernel_ring&) = delete;
    kernel_ring& operator=(const kernel_ring&) = delete;
    ~kernel_ring() {
        ::munmap(page_, length_);
        ::close(descriptor_);
    }

    /// One COMM record. @return its size, which the kernel chooses by the name's length
    static std::size_t write(unsigned letters) {
        std::array<char, 16> name{};
        std::memset(name.data(), 'n', letters);
        ::prctl(PR_SET_NAME, name.data());
        return 16 + (letters + 1 + 7) / 8 * 8;
    }

    void pause(bool on) const { ::ioctl(descriptor_, PERF_EVENT_IOC_PAUSE_OUTPUT, on ? 1 : 0); }

    /// As poll says it, which takes it away.
    [[nodiscard]] bool take_readiness() const {
        pollfd one{descriptor_, POLLIN, 0};
        return ::poll(&one, 1, 0) == 1 && (one.revents & POLLIN) != 0;
    }

    [[nodiscard]] ring_memory memory() const { return mapped_memory::foreign(page_, length_); }
    [[nodiscard]] std::uint64_t id() const { return id_; }

  private:
    std::size_t length_;
    int descriptor_ = -1;
    void* page_ = nullptr;
    std::uint64_t id_ = 0;
};

inline std::uint64_t head_of(const ring_memory& memory) {
    std::uint64_t head;
    std::memcpy(&head, memory.control() + perf_abi::head_at, sizeof head);
    return head;
}

/// A record as both rings must deliver it.
struct seen {
    std::uint32_t type;
    std::size_t size;
    std::uint64_t lost_id, lost;
    bool operator==(const seen&) const = default;
};

[[nodiscard]] inline seen as_seen(const record& one) {
    const auto lost = one.type() == record_type::lost ? one.as<lost_record>() : std::nullopt;
    return {one.type(), one.size(), lost ? lost->id : 0, lost ? lost->count : 0};
}
