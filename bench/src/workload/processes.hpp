// SPDX-License-Identifier: Apache-2.0
#pragma once
// One process sends to another through memory (or a pipe) that both have. The child consumes and checks; the parent's
// pushes are counted, of which at most a ring full is not received yet.
//
//   struct my_channel {                              // made before the fork
//       using payload = …;
//       template <class Fill> bool try_push(Fill&&); // in the parent
//       auto consumer();                             // in the child: something with try_pop
//       void flush();                                // in the parent; only where pushes are gathered
//   };

#include "throughput.hpp"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::bench {
namespace detail {

/// What the two processes tell each other beside the queue.
struct process_book {
    alignas(128) std::atomic<std::uint64_t> total{~std::uint64_t{0}}; ///< sent in all, once it is known
    std::atomic<int> ready{0};
    std::atomic<int> verdict{0}; ///< 1: good, 2: out of order, 3: damaged
};

template <class Channel>
[[noreturn]] void consume_in_child(Channel& channel, process_book& book, int cpu, urgency priority) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    pin_this_thread(cpu);
    set_urgency(priority);
    {
        auto consumer = channel.consumer();
        arrival_check<true> check(1);
        std::uint64_t sum = 0;
        const auto use = [&](const auto& payload) {
            check(tag_of(payload));
            sum += checksum(payload);
        };
        book.ready.store(1, std::memory_order_release);
        for (unsigned idle = 0;;) {
            if (consumer.try_pop(use)) {
                idle = 0;
                continue;
            }
            if (check.count() >= book.total.load(std::memory_order_acquire)) break;
            if (++idle % 8192 == 0) sched_yield();
        }
        const std::uint64_t total = book.total.load();
        book.verdict.store(!check.in_order() || check.count() != total                     ? 2
                           : sum != expected_checksum<typename Channel::payload>(0, total) ? 3
                                                                                           : 1);
    }
    std::_Exit(0);
}

/// Waits for the child; one that does not end in time is killed. @return whether it ended by itself
inline bool ended_within(pid_t child, seconds limit) {
    for (const auto end = steady::now() + limit; steady::now() < end;) {
        if (::waitpid(child, nullptr, WNOHANG) != 0) return true;
        const timespec moment{0, 200'000};
        ::nanosleep(&moment, nullptr);
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    return false;
}

} // namespace detail

template <class Channel>
run_result run_processes(const placement& where, const run_settings& settings) {
    using detail::process_book;
    run_result result;
    void* const page =
        ::mmap(nullptr, sizeof(process_book), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        result.skipped = "mmap refuses shared memory";
        return result;
    }
    auto* const book = new (page) process_book;
    Channel channel;
    const pid_t child = ::fork();
    if (child == 0) detail::consume_in_child(channel, *book, where.consumer, settings.priority);
    if (child < 0) {
        ::munmap(page, sizeof(process_book));
        result.skipped = "fork is refused";
        return result;
    }
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({{where.producers[0], {}, [&](worker& w) {
                                     while (book->ready.load(std::memory_order_acquire) == 0)
                                         if (!w.wait()) return;
                                     std::uint64_t n = 0;
                                     const auto fill = [&](auto& payload) { stamp(payload, n); };
                                     const auto push = [&] {
                                         while (!channel.try_push(fill))
                                             if (!w.wait() || w.now() >= phase::stop) return false;
                                         w.progressed();
                                         ++n;
                                         return true;
                                     };
                                     while (w.keep_going(n))
                                         for (int k = 0; k < w.stride() && push(); ++k) {
                                         }
                                     if constexpr (requires { channel.flush(); }) channel.flush();
                                     book->total.store(n, std::memory_order_release);
                                 }}});
    const bool ended = detail::ended_within(child, settings.times.drain);
    const int verdict = book->verdict.load();
    ::munmap(page, sizeof(process_book));
    result = detail::collect(c, windows, 0);
    if (!ended && result.stuck.empty()) result.stuck = "the other process still waited after the stop";
    if (ended && verdict != 1 && result.error.empty())
        result.error = verdict == 2   ? "lost or out of order: the other process did not get what was sent"
                       : verdict == 3 ? "damaged: the checksum of what arrived is not that of what was sent"
                                      : "the other process died";
    return result;
}

template <class Channel>
void add_processes(catalogue& out, const char* peer, tier from = tier::usual) {
    entry e;
    e.from = from;
    e.workload = "processes/records:" + std::to_string(sizeof(typename Channel::payload)) + "/throughput";
    e.peer = peer;
    e.bytes = sizeof(typename Channel::payload);
    e.limit = limit_kind::stream;
    e.run = run_processes<Channel>;
    out.push_back(std::move(e));
}

} // namespace ringproof::bench
