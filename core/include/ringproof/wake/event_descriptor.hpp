// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "ringproof/wake/watermark.hpp"

namespace ringproof {

/// The consumer sleeps in poll or epoll on an eventfd, beside whatever else it waits for: `ring.descriptor()` is
/// readable as long as the ring is `ready()`. Level-triggered; the consumer just drains, it never reads the
/// descriptor itself.
///
/// Each raise adds one to the eventfd and each lowering takes one away. A producer may be late with its write; then
/// the consumer owes a read, which it makes up for when the write has come. Raising is one system call, and
/// async-signal-safe (errno is kept).
class event_descriptor {
  public:
    static constexpr bool has_descriptor = true;

    /// @throws std::system_error when the system has no eventfd left
    event_descriptor() : descriptor_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC | EFD_SEMAPHORE)) {
        if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    }
    event_descriptor(const event_descriptor&) = delete;
    event_descriptor& operator=(const event_descriptor&) = delete;
    ~event_descriptor() { ::close(descriptor_); }

    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

    void raised(const std::atomic<std::uint32_t>&) noexcept {
        const int before = errno;
        const std::uint64_t one = 1;
        // It can't fail: the counter never gets near its limit.
        [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof one);
        errno = before;
    }

    void lowered() noexcept {
        ++owed_;
        collect();
    }

    void collect() noexcept {
        const int before = errno;
        std::uint64_t one = 0;
        while (owed_ != 0 && ::read(descriptor_, &one, sizeof one) == sizeof one) --owed_;
        errno = before;
    }

    template <class Barriers>
    void sleep(const std::atomic<std::uint32_t>&, std::uint32_t) noexcept {
        collect();
        pollfd one{descriptor_, POLLIN, 0};
        ::poll(&one, 1, -1);
    }

  private:
    int descriptor_;
    std::uint64_t owed_ = 0; ///< consumer: lowered, but the write of the raise was not there yet
};

using descriptor_wakeup = watermark<event_descriptor>;

} // namespace ringproof
