// SPDX-License-Identifier: Apache-2.0
#include "ratios.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace ringproof::report {

std::string date_of(const document& bench) {
    const json context = bench.content.value("context", json::object());
    const json environment = context.value("ringproof", json::object()).value("environment", json::object());
    return environment.value("date", context.value("date", ""));
}

std::vector<const document*> runs_of(const std::vector<document>& documents) {
    std::vector<const document*> runs;
    for (const document& source : documents)
        if (source.kind == document_kind::bench) runs.push_back(&source);
    std::stable_sort(runs.begin(), runs.end(),
                     [](const document* a, const document* b) { return date_of(*a) < date_of(*b); });
    return runs;
}

std::vector<ratio_row> ratio_rows(const std::vector<document>& documents) {
    std::vector<ratio_row> rows;
    for (const document* source : runs_of(documents)) {
        for (const json& b : source->content.at("benchmarks")) {
            if (b.value("run_type", "iteration") != "aggregate") continue;
            double median = b.value("speed_ratio_median", 0.0);
            double low = b.value("speed_ratio_ci_low", median), high = b.value("speed_ratio_ci_high", median);
            // Older results have a ratio of times, whose largest is the smallest of speeds.
            if (const double times = b.value("ratio_ours_to_peer_median", 0.0); median == 0 && times > 0) {
                const auto bound = [&](const char* ci, const char* end) {
                    const double given = b.value(ci, b.value(end, times));
                    return 1 / (given > 0 ? given : times);
                };
                median = 1 / times;
                low = bound("ratio_ours_to_peer_ci_high", "ratio_ours_to_peer_max");
                high = bound("ratio_ours_to_peer_ci_low", "ratio_ours_to_peer_min");
            }
            if (!(median > 0)) continue;
            ratio_row row{b.value("workload", b.value("name", "")),
                          b.value("placement", ""),
                          b.value("peer", ""),
                          b.value("regime", ""),
                          median,
                          low,
                          high,
                          median > collapsed_ratio};
            const auto key = [](const ratio_row& r) {
                return std::tie(r.workload, r.placement, r.peer, r.regime);
            };
            const auto known = std::find_if(rows.begin(), rows.end(),
                                            [&](const ratio_row& r) { return key(r) == key(row); });
            if (known == rows.end())
                rows.push_back(std::move(row));
            else
                *known = std::move(row);
        }
    }
    return rows;
}

std::vector<collapse> collapses(const std::vector<document>& documents,
                                const std::vector<ratio_row>& ratios) {
    std::vector<collapse> found;
    const auto add = [&found](collapse one) {
        const auto same = [&one](const collapse& c) {
            return std::tie(c.workload, c.placement, c.peer) ==
                   std::tie(one.workload, one.placement, one.peer);
        };
        if (std::none_of(found.begin(), found.end(), same)) found.push_back(std::move(one));
    };
    for (const document* source : runs_of(documents))
        for (const json& b : source->content.at("benchmarks"))
            if (b.value("verdict", "") == "collapsed")
                add({b.value("workload", b.value("name", "")), b.value("placement", ""), b.value("peer", ""),
                     b.value("error_message", "it came to a standstill")});
    for (const ratio_row& r : ratios)
        if (r.collapsed)
            add({r.workload, r.placement, r.peer,
                 fmt::format("more than {} times slower than ringproof", collapsed_ratio)});
    return found;
}

} // namespace ringproof::report
