// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long a payload is on its way when the queue has a given share of its peak to do. Payloads are due at even
// times, and each one's latency counts from when it was due, not from when the producer got to it: a producer
// that was held up does not hide what it caused (no coordinated omission). The due time is computed from the
// sequence number, so that a payload carries nothing more.
//
// The peak is what the same two loops, clock and histogram included, keep up with a moment before: flat out at first,
// then at even times, slower and slower until nobody lags. (Flat out the queue is full and the consumer far behind,
// which is faster than any queue is at even times: a share of that would only say how long the queue is.)

#include "../run/ticks.hpp"
#include "throughput.hpp"

namespace ringproof::bench {
namespace detail {

/// What the producer tells the consumer once it knows the peak.
struct schedule {
    alignas(128) std::atomic<std::uint64_t> first{
        ~std::uint64_t{0}};                              ///< sequence number that is due at `start`
    std::uint64_t start = 0;                             ///< ticks
    double interval = 0;                                 ///< ticks
    double peak = 0;                                     ///< per second
    alignas(128) std::atomic<std::uint64_t> received{0}; ///< by the consumer when it finds nothing
};

template <class Handle, class Push>
bool calibrate(worker& w, Handle& handle, schedule& plan, const Push& push, std::uint64_t& n, int load) {
    const tick_clock& clock = tick_clock::get();
    const auto ticks_in = [&](double ns) { return static_cast<std::uint64_t>(ns / clock.ns_per_tick); };
    const std::uint64_t begin = clock.now();
    std::uint64_t from = 0, from_n = 0, now = begin;
    while (now - begin < ticks_in(6e6)) {
        for (int k = 0; k < stride; ++k)
            if (!push()) return false;
        now = clock.now();
        if (from == 0 && now - begin > ticks_in(2e6)) from = now, from_n = n;
    }
    double interval = static_cast<double>(now - from) / static_cast<double>(n - from_n);
    const auto all_taken = [&] {
        if constexpr (requires { handle.flush(); }) handle.flush();
        while (plan.received.load(std::memory_order_acquire) < n)
            if (!w.wait() || w.now() >= phase::stop) return false;
        return true;
    };
    for (int trial = 0; trial < 30; ++trial, interval *= 1.15) {
        if (!all_taken()) return false;
        const std::uint64_t start = clock.now(), first = n;
        while ((now = clock.now()) - start < ticks_in(1e6)) {
            const auto passed = static_cast<double>(now - start);
            for (int k = 0; k < stride && static_cast<double>(n - first) * interval <= passed; ++k)
                if (!push()) return false;
            if constexpr (requires { handle.flush(); }) handle.flush();
        }
        if (!all_taken()) return false;
        const double due = static_cast<double>(n - first) * interval;
        const bool producer_kept_up =
            due + static_cast<double>(ticks_in(3e3)) >= static_cast<double>(now - start);
        if (producer_kept_up && clock.now() - now < ticks_in(3e3)) break;
    }
    plan.peak = 1e9 / (interval * clock.ns_per_tick);
    plan.interval = interval * 100 / load;
    plan.start = clock.now();
    plan.first.store(n, std::memory_order_release);
    return true;
}

template <class Adapter>
void produce_on_time(worker& w, Adapter& queue, tally& all, schedule& plan, int load) {
    const tick_clock& clock = tick_clock::get();
    auto&& handle = queue.producer();
    std::uint64_t n = 0;
    const auto fill = [&](auto& payload) { stamp(payload, make_tag(0, n)); };
    const auto push = [&] {
        while (!handle.try_push(fill))
            if (!w.wait() || w.now() >= phase::stop) return false;
        w.progressed();
        ++n;
        return true;
    };
    if (calibrate(w, handle, plan, push, n, load)) {
        const std::uint64_t first = n;
        while (w.keep_going(n)) {
            const auto passed = static_cast<double>(clock.now() - plan.start);
            bool pushed = false;
            for (int k = 0; k < stride && static_cast<double>(n - first) * plan.interval <= passed; ++k) {
                if (!push()) break;
                pushed = true;
            }
            if constexpr (requires { handle.flush(); })
                if (pushed) handle.flush();
        }
    }
    if constexpr (requires { handle.flush(); }) handle.flush();
    all.pushed[0] = n;
    all.done.fetch_add(1, std::memory_order_release);
}

template <class Adapter>
void consume_timed(worker& w, Adapter& queue, tally& all, schedule& plan, histogram& latency) {
    const tick_clock& clock = tick_clock::get();
    auto&& handle = queue.consumer();
    arrival_check<true> check(1);
    std::uint64_t sum = 0, first = ~std::uint64_t{0}, base = 0;
    bool recording = false;
    histogram discarded;
    // While the peak is looked for, due times of some schedule: the peak is what can be kept up with while times are
    // computed and counted as later on.
    double start = static_cast<double>(clock.now()), interval = 1;
    const auto use = [&](const auto& payload) {
        const std::uint64_t sequence = sequence_of(tag_of(payload));
        check(tag_of(payload));
        sum += checksum(payload);
        const auto now = static_cast<double>(clock.now());
        const double late =
            (now - start - static_cast<double>(sequence - base) * interval) * clock.ns_per_tick;
        (recording && sequence >= first ? latency : discarded)
            .add(late > 0 ? static_cast<std::uint64_t>(late) : 0);
    };
    for (std::uint64_t told = 0; w.keep_going(check.count());) {
        recording = w.now() == phase::measure;
        if (first == ~std::uint64_t{0})
            if ((first = plan.first.load(std::memory_order_acquire)) != ~std::uint64_t{0}) {
                base = first; // nothing is on its way now
                start = static_cast<double>(plan.start);
                interval = plan.interval;
            }
        for (int k = 0; k < stride; ++k) {
            if (handle.try_pop(use)) {
                w.progressed();
                continue;
            }
            if (told != check.count() && first == ~std::uint64_t{0})
                plan.received.store(told = check.count(), std::memory_order_release);
            if (!w.wait()) return;
            break;
        }
        if (!check.in_order()) return w.fail(check.complaint());
    }
    recording = false;
    drain<typename Adapter::payload>(w, handle, use, all, check, sum);
}

} // namespace detail

/// @param load percent of the peak
template <class Adapter>
run_result run_loaded_latency(const placement& where, run_settings settings, int load) {
    std::unique_ptr<Adapter> queue;
    detail::tally all;
    all.pushed.assign(1, 0);
    detail::schedule plan;
    auto latency = std::make_shared<histogram>();
    tick_clock::get();
    settings.times.warm_up = std::max(settings.times.warm_up, seconds(0.030)); // the peak is found in it
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({
        {where.consumer,
         [&] { queue = std::make_unique<Adapter>(capacity_for<typename Adapter::payload>(), 1); },
         [&](worker& w) {
             if (queue) detail::consume_timed(w, *queue, all, plan, *latency);
         }},
        {where.producers[0],
         {},
         [&](worker& w) {
             if (queue) detail::produce_on_time(w, *queue, all, plan, load);
         }},
    });
    run_result result = detail::collect(c, windows, 0);
    result.operations = latency->count(); // none: the peak was still being looked for when the time was over
    result.latency = latency;
    result.more = {{"peak_per_second", plan.peak}, {"offered_per_second", plan.peak * load / 100}};
    return result;
}

} // namespace ringproof::bench
