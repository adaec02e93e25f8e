// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace ringproof::bench {
namespace {

double nanoseconds(const measurement& m) { return m.result.nanoseconds(); }

const observation* find(const std::vector<observation>& seen, std::size_t subject, int repetition) {
    const auto found = std::find_if(seen.begin(), seen.end(), [&](const observation& o) {
        return o.subject == subject && o.repetition == repetition;
    });
    return found == seen.end() ? nullptr : &*found;
}

const char* limit_name(limit_kind kind) {
    switch (kind) {
    case limit_kind::stream:
        return "limit/stream/";
    case limit_kind::two_line_round_trip:
        return "limit/ping-pong/two-lines";
    case limit_kind::copy:
        return "limit/memcpy/records:64";
    case limit_kind::wake_futex:
        return "limit/wake-up/futex";
    case limit_kind::wake_eventfd:
        return "limit/wake-up/eventfd";
    case limit_kind::none:
        break;
    }
    return nullptr;
}

std::optional<double> fraction_of_limit(const std::vector<subject>& subjects, const std::vector<row>& rows,
                                        const row& r) {
    const subject& s = subjects[r.subject];
    const char* name = limit_name(s.what->limit);
    if (!name || !(r.ns.median > 0)) return std::nullopt;
    std::optional<double> best; // there may be several: the fastest is the limit
    for (const row& limit : rows) {
        const subject& l = subjects[limit.subject];
        if (!l.what->workload.starts_with(name) || l.where.kind != s.where.kind || limit.state != r.state)
            continue;
        if (l.what->bytes == 0) return limit.ns.median / r.ns.median;

        const double limit_per_byte = limit.ns.median / static_cast<double>(l.what->bytes);
        const double share = limit_per_byte * static_cast<double>(s.what->bytes) / r.ns.median;
        best = std::min(best.value_or(share), share);
    }
    return best;
}

} // namespace

fitness fitness_of(const std::vector<observation>& seen) {
    fitness all;
    for (const observation& o : seen) {
        if (o.m.result.decided()) continue;
        ++all.taken;
        if (o.m.result.starved())
            ++all.not_measured;
        else
            all.unsteady += !o.m.steady;
    }
    return all;
}

std::string fitness::text() const {
    std::string text =
        fmt::format("{} of {} measurements were disturbed, although repeated", unsteady, taken);
    if (not_measured > 0) text += fmt::format(", and in {} no thread got to run", not_measured);
    return text + ": the machine was not left alone";
}

std::vector<std::pair<std::string, double>> percentiles(const histogram& latency) {
    std::vector<std::pair<std::string, double>> result;
    constexpr std::pair<const char*, double> wanted[] = {
        {"p50_ns", 0.5}, {"p90_ns", 0.9}, {"p99_ns", 0.99}, {"p999_ns", 0.999}};
    for (const auto& [name, q] : wanted)
        if (latency.enough(q)) result.emplace_back(name, latency.quantile(q));
    if (latency.count() > 0) {
        result.emplace_back("worst_ns", static_cast<double>(latency.max()));
        result.emplace_back("samples", static_cast<double>(latency.count()));
    }
    return result;
}

std::vector<std::pair<double, double>> tail_curve(const histogram& latency) {
    std::vector<std::pair<double, double>> curve;
    if (!latency.enough(0.5)) return curve;
    double share = 0.5;
    for (int step = 0; latency.enough(1 - share); share = 0.5 * std::pow(10.0, -++step / 10.0))
        curve.emplace_back(share, latency.quantile(1 - share));
    curve.emplace_back(1 / static_cast<double>(latency.count()), static_cast<double>(latency.max()));
    return curve;
}

std::vector<row> tabulate(const std::vector<subject>& subjects, const std::vector<observation>& seen) {
    std::vector<row> rows;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        const auto reference = std::find_if(subjects.begin(), subjects.end(), [&](const subject& s) {
            return s.what->peer == ours && s.group() == subjects[i].group();
        });
        // A further queue of ours is no peer; but where policies are compared, comparing them is the point.
        const std::string& peer = subjects[i].what->peer;
        const bool comparable =
            !peer.empty() && peer != ours && reference != subjects.end() &&
            (!peer.starts_with(ours) || subjects[i].what->workload.starts_with("policy/"));
        for (const regime state : {regime::near, regime::far, regime::none}) {
            row r;
            r.subject = i;
            r.state = state;
            std::vector<double> calm, all, ratios;
            histogram calm_latency, all_latency;
            const auto keep = [](histogram& in, const observation& o) {
                if (o.m.result.latency) in.merge(*o.m.result.latency);
            };
            for (const observation& o : seen) {
                if (o.subject != i || !o.m.usable() || o.m.probes.classify() != state) continue;
                all.push_back(nanoseconds(o.m));
                keep(all_latency, o);
                if (!o.m.steady) continue;
                calm.push_back(all.back());
                keep(calm_latency, o);
                if (!comparable || !(all.back() > 0)) continue;
                const auto index = static_cast<std::size_t>(reference - subjects.begin());
                const observation* mine = find(seen, index, o.repetition);
                if (mine && mine->m.steady && mine->m.usable() && mine->m.probes.classify() == state &&
                    nanoseconds(mine->m) > 0)
                    ratios.push_back(all.back() / nanoseconds(mine->m));
            }
            if (all.empty()) continue;
            r.ns = summarise(calm.empty() ? all : calm);
            r.latency = calm.empty() ? all_latency : calm_latency;
            r.unsteady = all.size() - calm.size();
            if (!ratios.empty()) r.ratio = summarise(ratios);
            rows.push_back(r);
        }
    }
    for (row& r : rows) r.of_limit = fraction_of_limit(subjects, rows, r);
    return rows;
}

} // namespace ringproof::bench
