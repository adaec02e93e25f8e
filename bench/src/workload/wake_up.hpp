// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long it takes until a consumer that sleeps has what was sent: from before the send to after the receive. Sent
// one at a time, with a rest that lets the consumer fall asleep.
//
//   struct my_channel {
//       void send(std::uint64_t value);
//       std::uint64_t receive();          // sleeps until there is one
//   };

#include "../run/ticks.hpp"
#include "throughput.hpp"

namespace ringproof::bench {

inline constexpr double rest_before_wake_ns = 40'000;

template <class Channel>
run_result run_wake_up(const placement& where, const run_settings& settings) {
    constexpr std::uint64_t last = 0;
    std::unique_ptr<Channel> channel;
    auto latency = std::make_shared<histogram>();
    alignas(128) std::atomic<std::uint64_t> received{0};
    const tick_clock& clock = tick_clock::get();
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({
        {where.consumer, [&] { channel = std::make_unique<Channel>(); },
         [&](worker& w) {
             for (std::uint64_t n = 0;; ++n) {
                 w.keep_going(n);
                 const std::uint64_t sent = channel->receive(), now = clock.now();
                 if (sent == last) return;
                 if (w.now() == phase::measure && now > sent)
                     latency->add(static_cast<std::uint64_t>(clock.ns(now - sent)));
                 received.store(n + 1, std::memory_order_release);
             }
         }},
        {where.producers[0],
         {},
         [&](worker& w) {
             const auto rest = static_cast<std::uint64_t>(rest_before_wake_ns / clock.ns_per_tick);
             std::uint64_t n = 0;
             const auto taken = [&] {
                 while (received.load(std::memory_order_acquire) != n)
                     if (!w.wait()) return false;
                 return true;
             };
             while (w.keep_going(n) && taken()) {
                 for (const std::uint64_t since = clock.now(); clock.now() - since < rest;)
                     if (where.oversubscribed()) sched_yield();
                 w.progressed();
                 channel->send(clock.now());
                 ++n;
             }
             if (w.now() != phase::abort && !taken()) return;
             channel->send(last);
         }},
    });
    run_result result = detail::collect(c, windows, 1);
    result.operations = latency->count();
    result.latency = latency;
    return result;
}

template <class Channel>
void add_wake_up(catalogue& out, const char* how, const char* peer, limit_kind limit,
                 tier from = tier::usual) {
    entry e;
    e.from = from;
    e.workload = std::string(*peer == '\0' ? "limit/wake-up/" : "wake-up/") + how;
    e.peer = peer;
    e.limit = limit;
    e.run = run_wake_up<Channel>;
    out.push_back(std::move(e));
}

} // namespace ringproof::bench
