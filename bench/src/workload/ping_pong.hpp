// SPDX-License-Identifier: Apache-2.0
#pragma once
// One payload at a time goes there through one queue and comes back through another: the round trip.

#include "throughput.hpp"

namespace ringproof::bench {
namespace detail {

template <class Adapter>
void ping(worker& w, Adapter& there, Adapter& back, std::atomic<bool>& done) {
    auto&& out = there.producer();
    auto&& in = back.consumer();
    std::uint64_t n = 0, received = 0, sum = 0;
    const auto fill = [&](auto& payload) { stamp(payload, n); };
    const auto use = [&](const auto& payload) {
        received = tag_of(payload);
        sum += checksum(payload);
    };
    while (w.keep_going(n)) {
        while (!out.try_push(fill))
            if (!w.wait()) return;
        if constexpr (requires { out.flush(); }) out.flush();
        while (!in.try_pop(use))
            if (!w.wait()) return;
        w.progressed();
        if (received != n)
            return w.fail("sent number " + std::to_string(n) + " and number " + std::to_string(received) +
                          " came back");
        ++n;
    }
    if (sum != expected_checksum<typename Adapter::payload>(0, n))
        w.fail("damaged: the checksum of what came back is not that of what was sent");
    done.store(true, std::memory_order_release);
}

template <class Adapter>
void pong(worker& w, Adapter& there, Adapter& back, const std::atomic<bool>& done) {
    auto&& in = there.consumer();
    auto&& out = back.producer();
    std::uint64_t n = 0, received = 0;
    typename Adapter::payload copy{};
    const auto use = [&](const auto& payload) {
        copy = payload;
        received = tag_of(payload);
    };
    const auto fill = [&](auto& payload) { payload = copy; };
    for (;;) {
        w.keep_going(n);
        while (!in.try_pop(use)) {
            if (w.now() >= phase::stop && done.load(std::memory_order_acquire)) return;
            if (!w.wait()) return;
        }
        while (!out.try_push(fill))
            if (!w.wait()) return;
        if constexpr (requires { out.flush(); }) out.flush();
        w.progressed();
        if (received != n++)
            return w.fail("number " + std::to_string(received) + " arrived where " + std::to_string(n - 1) +
                          " was sent");
    }
}

} // namespace detail

template <class Adapter>
run_result run_ping_pong(const placement& where, const run_settings& settings) {
    std::unique_ptr<Adapter> there, back;
    std::atomic<bool> done{false};
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({
        {where.consumer,
         [&] { there = std::make_unique<Adapter>(capacity_for<typename Adapter::payload>(), 1); },
         [&](worker& w) { detail::pong(w, *there, *back, done); }},
        {where.producers[0],
         [&] { back = std::make_unique<Adapter>(capacity_for<typename Adapter::payload>(), 1); },
         [&](worker& w) { detail::ping(w, *there, *back, done); }},
    });
    return detail::collect(c, windows, 1);
}

} // namespace ringproof::bench
