// SPDX-License-Identifier: Apache-2.0
#include "recommend.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>

namespace ringproof::bench {
namespace {

struct variant {
    std::string_view peer, line, provided;
};
struct purpose {
    std::string_view workload, text;
    std::vector<variant> variants; ///< the default first
};

std::vector<purpose> purposes() {
    const std::vector<variant> items{
        {"ringproof", "ringproof::spsc_queue<T> queue{1024};", ""},
        {"ringproof_in_band",
         "ringproof::spsc_queue<T, ringproof::acquire_release, ringproof::in_band> queue{1024};", ""},
        {"ringproof_both_in_batches",
         "ringproof::spsc_queue<T, ringproof::acquire_release, ringproof::batched_items> queue{1024};",
         "items may wait until flush(), and are popped several at a time"}};
    const std::vector<variant> records{
        {"ringproof", "ringproof::record_ring<ringproof::single> ring{1 << 16};", ""},
        {"ringproof_in_band", "ringproof::record_ring<ringproof::single_in_band> ring{1 << 16};", ""},
        {"ringproof_lines_left",
         "ringproof::record_ring<> ring{ringproof::ring_memory::heap(1 << 16), {.take_over = false}};", ""},
        {"ringproof_queue", "ringproof::spsc_queue<T> queue{1024};", "all records are of one type"},
        {"ringproof_both_in_batches", "ringproof::record_ring<ringproof::single_batched<>> ring{1 << 16};",
         "records may wait until flush(), and are read several at a time"}};
    const std::vector<variant> producers{
        {"ringproof", "ringproof::mpsc_queue<T> queue{1024};", ""},
        {"ringproof_per_cpu", "ringproof::per_cpu_rings<> rings{1 << 16};",
         "what comes from different CPUs may come in another order, and lies in records"}};
    const auto one_by_one = [](std::vector<variant> all) {
        all.pop_back();
        return all;
    };
    return {
        {"spsc/items:8/throughput", "items, one producer, as many as possible", items},
        {"spsc/items:8/ping-pong", "items, one producer, as soon as possible", one_by_one(items)},
        {"spsc/records:64/throughput", "records of 64 bytes, one producer, as many as possible", records},
        {"spsc/records:64/ping-pong", "records of 64 bytes, one producer, as soon as possible",
         one_by_one(records)},
        {"spsc/records:256/throughput", "records of 256 bytes, one producer, as many as possible", records},
        {"spsc/records:1024/throughput", "records of 1 KiB, one producer, as many as possible", records},
        {"mpsc/items:8/producers:2/throughput", "items, two producers", producers}};
}

/// Where something was measured: the group, and the regime of the machine at that time.
using place = std::pair<std::string, regime>;
/// Times of each variant at each place; where none was left alone, of all.
using times = std::map<place, std::map<std::string_view, std::vector<double>>>;

times times_of(std::string_view workload, const std::vector<subject>& subjects,
               const std::vector<observation>& seen) {
    times steady, all;
    for (const observation& o : seen) {
        const subject& s = subjects[o.subject];
        if (s.what->workload != workload || !o.m.usable()) continue;
        const place at{s.group(), o.m.probes.classify()};
        all[at][s.what->peer].push_back(o.m.result.nanoseconds());
        if (o.m.steady) steady[at][s.what->peer].push_back(o.m.result.nanoseconds());
    }
    return steady.empty() ? all : steady;
}

std::string describe(const place& at, std::string_view workload) {
    std::string text = at.first.size() > workload.size() ? at.first.substr(workload.size() + 1) : "";
    if (at.second == regime::none) return text;
    return text + (text.empty() ? "" : ", ") + std::string(to_string(at.second));
}

/// Of a variant against another one, at each place that has enough of both.
std::vector<figure> compared(const times& all, std::string_view workload, std::string_view variant,
                             std::string_view to) {
    constexpr std::size_t enough = 3;
    std::vector<figure> figures;
    for (const auto& [at, by_peer] : all) {
        const auto its = by_peer.find(variant), others = by_peer.find(to);
        if (its == by_peer.end() || others == by_peer.end() || its->second.size() < enough ||
            others->second.size() < enough)
            continue;
        figures.push_back({describe(at, workload), median(its->second), median(others->second),
                           ratio_interval(its->second, others->second)});
    }
    return figures;
}

/// How many times as fast it is everywhere together, or nothing where it is not faster, or slower somewhere.
std::optional<double> gain(const std::vector<figure>& figures) {
    bool faster = false;
    double logarithms = 0;
    for (const figure& f : figures) {
        if (f.faster.high < 1) return std::nullopt;
        faster = faster || f.faster.low > 1;
        logarithms += std::log(f.default_ns / f.ns);
    }
    if (!faster || logarithms <= 0) return std::nullopt;
    return std::exp(logarithms / static_cast<double>(figures.size()));
}

} // namespace

std::string candidates() {
    return "^(spsc/(items:8|records:64)/(throughput|ping-pong)|spsc/records:(256|1024)/throughput|"
           "mpsc/items:8/producers:2/throughput)(/[a-z0-9-]+)?/"
           "ringproof(_in_band|_lines_left|_queue|_both_in_batches|_per_cpu)?$";
}

std::vector<advice> recommend(const std::vector<subject>& subjects, const std::vector<observation>& seen) {
    std::vector<advice> all;
    for (const purpose& p : purposes()) {
        const times measured = times_of(p.workload, subjects, seen);
        const variant& standard = p.variants.front();
        const bool any = std::any_of(measured.begin(), measured.end(),
                                     [&](const auto& at) { return at.second.count(standard.peer) > 0; });
        if (!any) continue;
        const auto say = [&](const variant& v, std::vector<figure> figures) {
            const bool enough =
                std::any_of(p.variants.begin() + 1, p.variants.end(), [&](const variant& other) {
                    return !compared(measured, p.workload, other.peer, standard.peer).empty();
                });
            all.push_back({std::string(p.text), std::string(v.peer), std::string(v.line), std::move(figures),
                           enough, std::string(v.provided)});
        };
        const variant* best = &standard;
        std::vector<figure> why;
        double most = 1;
        for (const variant& v : p.variants) {
            if (&v == &standard || !v.provided.empty()) continue;
            std::vector<figure> figures = compared(measured, p.workload, v.peer, standard.peer);
            if (const auto times = gain(figures); times && *times > most)
                best = &v, most = *times, why = std::move(figures);
        }
        if (best == &standard) why = compared(measured, p.workload, standard.peer, standard.peer);
        say(*best, std::move(why));
        for (const variant& v : p.variants)
            if (!v.provided.empty() && gain(compared(measured, p.workload, v.peer, best->peer)))
                say(v, compared(measured, p.workload, v.peer, standard.peer));
    }
    return all;
}

void print_advice(const std::vector<advice>& all) {
    std::string_view purpose;
    for (const advice& a : all) {
        if (a.purpose != purpose) fmt::print("\n{}\n", a.purpose);
        purpose = a.purpose;
        if (!a.provided.empty()) fmt::print("  or, where {}:\n", a.provided);
        fmt::print("    {}\n", a.line);
        const bool standard = a.peer == ours;
        if (standard)
            fmt::print("  the default: {}\n",
                       a.compared ? "nothing else is faster here beyond chance, and slower nowhere"
                                  : "too few measurements to compare it with others");
        for (const figure& f : a.figures) {
            fmt::print("  {}{}{:.3g} ns", f.where, f.where.empty() ? "" : ": ", f.ns);
            if (!standard)
                fmt::print(", the default {:.3g}: {:.2f}x ({:.2f}-{:.2f})", f.default_ns, f.default_ns / f.ns,
                           f.faster.low, f.faster.high);
            fmt::print("\n");
        }
    }
    fmt::print("\nThe default is the first of its kind: spsc_queue<T>, record_ring<single>, mpsc_queue<T>. "
               "docs/bench.md, "
               "\"Which of ours\", says what each promises.\n");
}

} // namespace ringproof::bench
