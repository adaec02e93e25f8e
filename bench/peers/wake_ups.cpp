// SPDX-License-Identifier: Apache-2.0
// Waking a consumer: our rings, what the standard library and a pipe offer, and the bare system calls as the limit.
#include "../src/workload/wake_up.hpp"

#include <cerrno>
#include <climits>
#include <condition_variable>
#include <deque>
#include <linux/futex.h>
#include <mutex>
#include <ringproof/record_ring.hpp>
#include <ringproof/wake/event_descriptor.hpp>
#include <ringproof/wake/futex.hpp>
#include <span>
#include <stdexcept>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringproof::bench {
namespace {

/// Woken for every record: a watermark of one byte.
template <class Wake>
struct our_ring {
    void send(std::uint64_t value) {
        while (!ring.try_write(std::as_bytes(std::span(&value, 1)))) sched_yield();
    }
    std::uint64_t receive() {
        for (;;) {
            std::uint64_t value = 0;
            if (ring.consume([&](const auto& r) { r.copy_to(std::as_writable_bytes(std::span(&value, 1))); },
                             1))
                return value;
            ring.wait();
        }
    }
    ringproof::record_ring<ringproof::single, ringproof::acquire_release, ringproof::refuse,
                           ringproof::padded, Wake>
        ring{ring_memory::heap(4096), {0, 0, 1}};
};

struct mutex_condvar {
    void send(std::uint64_t value) {
        {
            const std::lock_guard lock(mutex);
            queue.push_back(value);
        }
        there.notify_one();
    }
    std::uint64_t receive() {
        std::unique_lock lock(mutex);
        there.wait(lock, [&] { return !queue.empty(); });
        const std::uint64_t value = queue.front();
        queue.pop_front();
        return value;
    }
    std::mutex mutex;
    std::condition_variable there;
    std::deque<std::uint64_t> queue;
};

struct bare_futex {
    void send(std::uint64_t value) {
        what.store(value, std::memory_order_relaxed);
        word.fetch_add(1, std::memory_order_release);
        ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    }
    std::uint64_t receive() {
        while (word.load(std::memory_order_acquire) == seen)
            ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
        ++seen;
        return what.load(std::memory_order_relaxed);
    }
    std::atomic<std::uint32_t> word{0};
    std::atomic<std::uint64_t> what{0};
    std::uint32_t seen = 0;
};

/// A blocking descriptor; a signal that comes between is no value.
void read_all(int fd, std::uint64_t& value) {
    while (::read(fd, &value, sizeof value) != static_cast<ssize_t>(sizeof value))
        if (errno != EINTR) throw std::runtime_error("read fails");
}
void write_all(int fd, std::uint64_t value) {
    while (::write(fd, &value, sizeof value) != static_cast<ssize_t>(sizeof value))
        if (errno != EINTR) throw std::runtime_error("write fails");
}

struct bare_eventfd {
    bare_eventfd() {
        if (fd < 0) throw std::runtime_error("eventfd is refused");
    }
    bare_eventfd(const bare_eventfd&) = delete;
    bare_eventfd& operator=(const bare_eventfd&) = delete;
    ~bare_eventfd() { ::close(fd); }
    void send(std::uint64_t value) {
        what.store(value, std::memory_order_relaxed);
        write_all(fd, 1);
    }
    std::uint64_t receive() {
        std::uint64_t count = 0;
        read_all(fd, count);
        return what.load(std::memory_order_relaxed);
    }
    std::atomic<std::uint64_t> what{0};
    int fd = ::eventfd(0, EFD_CLOEXEC);
};

struct pipe_channel {
    pipe_channel() {
        if (::pipe(ends) != 0) throw std::runtime_error("pipe is refused");
    }
    pipe_channel(const pipe_channel&) = delete;
    pipe_channel& operator=(const pipe_channel&) = delete;
    ~pipe_channel() {
        ::close(ends[0]);
        ::close(ends[1]);
    }
    void send(std::uint64_t value) { write_all(ends[1], value); }
    std::uint64_t receive() {
        std::uint64_t value = 0;
        read_all(ends[0], value);
        return value;
    }
    int ends[2] = {-1, -1};
};

} // namespace

void add_wake_ups(catalogue& out) {
    out.peers.push_back(
        {"mutex_condvar", "one type", "total", "grows", "never", "no", "no", "in the lock: all stop"});
    add_wake_up<bare_futex>(out, "futex", "", limit_kind::none, tier::quick);
    add_wake_up<bare_eventfd>(out, "eventfd", "", limit_kind::none);
    add_wake_up<our_ring<ringproof::futex_wakeup>>(out, "futex", "ringproof", limit_kind::wake_futex,
                                                   tier::quick);
    add_wake_up<mutex_condvar>(out, "futex", "mutex_condvar", limit_kind::wake_futex, tier::quick);
    add_wake_up<our_ring<ringproof::descriptor_wakeup>>(out, "eventfd", "ringproof",
                                                        limit_kind::wake_eventfd);
    add_wake_up<pipe_channel>(out, "eventfd", "pipe", limit_kind::wake_eventfd);
}

} // namespace ringproof::bench
