// SPDX-License-Identifier: Apache-2.0
// Wake-ups that were lost in the field, each as a model of a few lines (not the project's source) with the published fix as its
// twin. What is sent is a message or a flag; who sleeps does so in the system call that the original sleeps in.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace {

using std::memory_order_acquire, std::memory_order_relaxed, std::memory_order_release,
    std::memory_order_seq_cst;

void wait_until_readable(int file) {
    pollfd one{file, POLLIN, 0};
    VERIFY_THAT(::poll(&one, 1, -1) == 1);
}

/// A pipe that is written to wake its reader up.
struct self_pipe {
    int ends[2];
    self_pipe() { VERIFY_THAT(::pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0); }
    void wake() const { VERIFY_THAT(::write(ends[1], "x", 1) == 1); }
    void drain() const {
        char bytes[8];
        while (::read(ends[0], bytes, sizeof bytes) > 0) continue;
    }
};

/// QEMU, aio_notify(). Symptom: qemu-img hangs in ppoll on AArch64, in about half of its runs. Cause: the sleeper stores
/// notify_me and then looks for work; the sender makes work and then looks at notify_me. Nothing kept either look behind its
/// store. Fix: full barriers. Source: commit 5710a3e09f9b85801e5ce70797a4a511e5fc9e2c (2020), Launchpad bug 1805256.
template <bool Barriers>
void qemu_notify_me() {
    const int notifier = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    std::atomic<int> notify_me{0}, scheduled{0};
    std::thread worker([&] {
        scheduled.store(1, memory_order_release);
        if (Barriers) std::atomic_thread_fence(memory_order_seq_cst);
        if (notify_me.load(memory_order_relaxed)) VERIFY_THAT(::eventfd_write(notifier, 1) == 0);
    });
    notify_me.store(1, memory_order_relaxed);
    if (Barriers) std::atomic_thread_fence(memory_order_seq_cst);
    if (!scheduled.load(memory_order_acquire)) wait_until_readable(notifier);
    worker.join();
}

/// libuv, uv__async_event(). Symptom: a callback is never called. Cause: `pending` is looked at and then set to 0; a sender
/// that finds it 1 in between sends nothing, and its message is taken for handled. Fix: an exchange.
/// Source: libuv pull requests 50 and 197 (2014).
template <bool Exchange>
void libuv_pending() {
    const self_pipe pipe;
    std::atomic<int> pending{0}, messages{0};
    std::thread sender([&] {
        for (int i = 0; i < 2; ++i) {
            messages.fetch_add(1, memory_order_relaxed);
            if (pending.exchange(1, memory_order_seq_cst) == 0) pipe.wake();
        }
    });
    for (int handled = 0; handled < 2;) {
        wait_until_readable(pipe.ends[0]);
        pipe.drain();
        if (Exchange) {
            if (pending.exchange(0, memory_order_seq_cst) == 1) handled = messages.load(memory_order_relaxed);
        } else if (pending.load(memory_order_seq_cst) == 1) {
            handled = messages.load(memory_order_relaxed); // the callback runs
            pending.store(0, memory_order_seq_cst);
        }
    }
    sender.join();
}

/// dbmail's imapd, cb_queue_drain(). Symptom: an idle session hangs. Cause: the queue is emptied before the pipe, so that the
/// byte of a job that came in between is read, and the job stays. Fix: the pipe is read first.
/// Source: dbmail pull request 559.
template <bool PipeFirst>
void dbmail_drain() {
    const self_pipe pipe;
    std::atomic<int> queued{0};
    std::thread worker([&] {
        for (int i = 0; i < 2; ++i) queued.fetch_add(1, memory_order_release), pipe.wake();
    });
    for (int handled = 0; handled < 2;) {
        wait_until_readable(pipe.ends[0]);
        if (PipeFirst) pipe.drain();
        handled += queued.exchange(0, memory_order_acquire);
        if (!PipeFirst) pipe.drain();
    }
    worker.join();
}

/// pixtuoid, exit_watch. Symptom: a test that times out now and then. Cause: the thread looks at `closed` and then empties the
/// pipe, with the byte that said that it is closed. Fix: the pipe is emptied before the look. Source: pull request 354.
template <bool PipeFirst>
void pixtuoid_closed() {
    const self_pipe pipe;
    std::atomic<bool> closed{false};
    pipe.wake(); // an earlier change of what is watched
    std::thread dropper([&] { closed.store(true), pipe.wake(); });
    for (;;) {
        wait_until_readable(pipe.ends[0]);
        if (PipeFirst) pipe.drain();
        if (closed.load()) break;
        if (!PipeFirst) pipe.drain();
    }
    dropper.join();
}

/// tinyalsa's plugin events. Symptom: an event is handled late, or never. Cause: one read of an eventfd takes all that was
/// added, but one event is handled for it. Fix: EFD_SEMAPHORE. Source: pull request 254.
template <bool Semaphore>
void tinyalsa_events() {
    const int ready = ::eventfd(0, EFD_CLOEXEC | (Semaphore ? EFD_SEMAPHORE : 0));
    std::thread plugin([&] {
        for (int i = 0; i < 2; ++i) VERIFY_THAT(::eventfd_write(ready, 1) == 0);
    });
    for (int handled = 0; handled < 2; ++handled) {
        eventfd_t taken = 0;
        VERIFY_THAT(::eventfd_read(ready, &taken) == 0);
    }
    plugin.join();
}

/// io_uring, the thread that polls the submission queue. Symptom: an entry that nobody takes. Cause: the thread sets
/// NEED_WAKEUP and looks at the tail; nothing keeps the look behind the store. Fix: a full barrier on both sides.
/// Source: Linux 0d7bae69c574c5f25802f8a71252e7d66933a3ab (2019). Here the thread sleeps on an eventfd.
template <bool Barrier>
void io_uring_thread() {
    const int sleeps_on = ::eventfd(0, EFD_CLOEXEC);
    std::atomic<unsigned> tail{0}, flags{0};
    std::thread program([&] {
        tail.store(1, memory_order_release);
        std::atomic_thread_fence(memory_order_seq_cst);
        if (flags.load(memory_order_relaxed))
            VERIFY_THAT(::eventfd_write(sleeps_on, 1) == 0); // io_uring_enter()
    });
    flags.store(1, memory_order_relaxed);
    if (Barrier) std::atomic_thread_fence(memory_order_seq_cst);
    if (tail.load(memory_order_acquire) == 0) {
        eventfd_t taken = 0;
        VERIFY_THAT(::eventfd_read(sleeps_on, &taken) == 0);
    }
    program.join();
}

/// libbpf, ringbuf_process_ring(), under edge-triggered epoll. The kernel's side wakes the reader when the record that it
/// commits is the one that the reader stands at; the reader stores where it stands, and looks for more. Without a full barrier
/// between the two, each side may miss the other. libbpf itself asks for level-triggered events, which forgives it.
/// Source: derived from libbpf's ringbuf.c and kernel/bpf/ringbuf.c. The map's file is an eventfd here.
template <bool Barrier>
void libbpf_edge() {
    const int map = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), loop = ::epoll_create1(EPOLL_CLOEXEC);
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;
    VERIFY_THAT(::epoll_ctl(loop, EPOLL_CTL_ADD, map, &event) == 0);
    std::atomic<int> committed{0}, consumed{0};
    std::thread kernel([&] {
        for (int record = 0; record < 2; ++record) {
            committed.exchange(record + 1, memory_order_seq_cst); // the header: xchg()
            if (Barrier) std::atomic_thread_fence(memory_order_seq_cst);
            if (consumed.load(memory_order_acquire) == record) VERIFY_THAT(::eventfd_write(map, 1) == 0);
        }
    });
    for (int at = 0; at < 2;) {
        if (::epoll_wait(loop, &event, 1, -1) != 1) continue; // EINTR
        while (at < committed.load(memory_order_acquire)) {
            consumed.store(++at, memory_order_release);
            if (Barrier) std::atomic_thread_fence(memory_order_seq_cst);
        }
    }
    kernel.join();
}

} // namespace

VERIFY("QEMU, aio_notify without barriers", .models = {rc11, tso}, .expect = refuted) {
    qemu_notify_me<false>();
}
VERIFY("QEMU, aio_notify, fixed", .models = {rc11, tso, sc}) { qemu_notify_me<true>(); }
VERIFY("libuv, pending is looked at and then cleared", .models = {sc}, .expect = refuted) {
    libuv_pending<false>();
}
VERIFY("libuv, pending, fixed", .models = {rc11, tso, sc}) { libuv_pending<true>(); }
VERIFY("dbmail, the queue is emptied before the pipe", .models = {sc}, .expect = refuted) {
    dbmail_drain<false>();
}
VERIFY("dbmail, the pipe first, fixed", .models = {rc11, tso, sc}) { dbmail_drain<true>(); }
VERIFY("pixtuoid, closed is looked at before the pipe is emptied", .models = {sc}, .expect = refuted) {
    pixtuoid_closed<false>();
}
VERIFY("pixtuoid, closed, fixed", .models = {rc11, tso, sc}) { pixtuoid_closed<true>(); }
VERIFY("tinyalsa, one read takes two events", .models = {sc}, .expect = refuted) { tinyalsa_events<false>(); }
VERIFY("tinyalsa, a semaphore, fixed", .models = {rc11, tso, sc}) { tinyalsa_events<true>(); }
VERIFY("io_uring, the polling thread sleeps on an entry", .models = {rc11, tso}, .expect = refuted) {
    io_uring_thread<false>();
}
VERIFY("io_uring, the polling thread, fixed", .models = {rc11, tso, sc}) { io_uring_thread<true>(); }
VERIFY("libbpf under edge-triggered epoll", .models = {rc11, tso}, .expect = refuted) {
    libbpf_edge<false>();
}
VERIFY("libbpf under edge-triggered epoll, with full barriers", .models = {rc11, tso, sc}) {
    libbpf_edge<true>();
}
