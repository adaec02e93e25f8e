// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bursts: nothing for a while, then a thousand payloads at once. What counts is the time from the first push to
// when the consumer has had the last one, per payload; the rest between bursts does not count.

#include "../run/ticks.hpp"
#include "throughput.hpp"

namespace ringproof::bench {

inline constexpr int burst_payloads = 1024;

namespace detail {

struct burst_book {
    double ticks = 0; ///< within bursts, while it was measured
    std::uint64_t payloads = 0;
    alignas(128) std::atomic<std::uint64_t> received{0}; ///< by the consumer, when it finds nothing more
};

template <class Adapter>
void produce_bursts(worker& w, Adapter& queue, tally& all, burst_book& book) {
    const tick_clock& clock = tick_clock::get();
    const auto rest = static_cast<std::uint64_t>(2000 / clock.ns_per_tick);
    auto&& handle = queue.producer();
    std::uint64_t n = 0;
    const auto fill = [&](auto& payload) { stamp(payload, make_tag(0, n)); };
    const auto one_burst = [&] {
        for (int k = 0; k < burst_payloads; ++k, ++n) {
            while (!handle.try_push(fill))
                if (!w.wait() || w.now() >= phase::stop) return false;
            w.progressed();
        }
        if constexpr (requires { handle.flush(); }) handle.flush();
        while (book.received.load(std::memory_order_acquire) < n)
            if (!w.wait() || w.now() >= phase::stop) return false;
        w.progressed();
        return true;
    };
    while (w.keep_going(n)) {
        const bool measured = w.now() == phase::measure;
        const std::uint64_t begin = clock.now();
        if (!one_burst()) break;
        const std::uint64_t end = clock.now();
        if (measured) {
            book.ticks += static_cast<double>(end - begin);
            book.payloads += burst_payloads;
        }
        while (clock.now() - end < rest) {
        }
    }
    w.keep_going(n);
    if constexpr (requires { handle.flush(); }) handle.flush();
    all.pushed[0] = n;
    all.done.fetch_add(1, std::memory_order_release);
}

template <class Adapter>
void consume_bursts(worker& w, Adapter& queue, tally& all, burst_book& book) {
    auto&& handle = queue.consumer();
    arrival_check<true> check(1);
    std::uint64_t sum = 0;
    const auto use = [&](const auto& payload) {
        check(tag_of(payload));
        sum += checksum(payload);
    };
    for (std::uint64_t told = 0; w.keep_going(check.count());) {
        for (int k = 0; k < stride; ++k) {
            if (handle.try_pop(use)) {
                w.progressed();
                continue;
            }
            if (told != check.count()) book.received.store(told = check.count(), std::memory_order_release);
            if (!w.wait()) return;
        }
        if (!check.in_order()) return w.fail(check.complaint());
    }
    drain<typename Adapter::payload>(w, handle, use, all, check, sum);
}

} // namespace detail

template <class Adapter>
run_result run_burst(const placement& where, const run_settings& settings) {
    std::unique_ptr<Adapter> queue;
    detail::tally all;
    all.pushed.assign(1, 0);
    detail::burst_book book;
    tick_clock::get();
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({
        {where.consumer,
         [&] { queue = std::make_unique<Adapter>(capacity_for<typename Adapter::payload>(), 1); },
         [&](worker& w) {
             if (queue) detail::consume_bursts(w, *queue, all, book);
         }},
        {where.producers[0],
         {},
         [&](worker& w) {
             if (queue) detail::produce_bursts(w, *queue, all, book);
         }},
    });
    run_result result = detail::collect(c, windows, 0);
    result.operations = book.payloads;
    result.seconds = tick_clock::get().ns(static_cast<std::uint64_t>(book.ticks)) * 1e-9;
    return result;
}

} // namespace ringproof::bench
