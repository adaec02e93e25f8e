// SPDX-License-Identifier: Apache-2.0
#include "plan.hpp"

#include <algorithm>

namespace ringproof::bench {

std::string subject::group() const {
    return what->workload + (what->probed ? "/" + std::string(to_string(where.kind)) : "");
}

std::string subject::name() const { return what->peer.empty() ? group() : group() + "/" + what->peer; }

std::vector<subject> subjects(const catalogue& all, const machine& m, const options& o) {
    std::vector<subject> result;
    const tier most = o.quick ? tier::quick : o.full ? tier::full : tier::usual;
    for (const entry& e : all) {
        if (o.filters.empty() && e.from > most) continue;
        std::vector<placement> places = place(m, o.where, e.producers);
        if (!e.probed && !places.empty()) places.resize(1);
        if (o.quick && o.where.automatic && places.size() > 1) {
            const bool smt = places.front().kind == distance::smt_sibling;
            places = {places[smt ? 1 : 0]};
        }
        for (const placement& p : places) {
            const subject s{&e, p};
            if (matches(o, s.name())) result.push_back(s);
        }
    }
    // Groups in the order of their first member, members in the catalogue's order.
    std::vector<std::string> groups;
    for (const subject& s : result)
        if (std::find(groups.begin(), groups.end(), s.group()) == groups.end()) groups.push_back(s.group());
    const auto rank = [&](const subject& s) { return std::find(groups.begin(), groups.end(), s.group()); };
    std::stable_sort(result.begin(), result.end(),
                     [&](const subject& a, const subject& b) { return rank(a) < rank(b); });
    return result;
}

std::vector<step> interleave(std::size_t subjects, int repetitions) {
    std::vector<step> steps;
    for (int r = 0; r < repetitions; ++r)
        for (std::size_t s = 0; s < subjects; ++s) steps.push_back({s, r});
    return steps;
}

double seconds_per_step(double measure_seconds) { return measure_seconds * 1.05 + 0.010; }

int affordable_repetitions(std::size_t subjects, double measure_seconds, double budget) {
    const double round = static_cast<double>(subjects) * seconds_per_step(measure_seconds);
    const int fit = round > 0 ? static_cast<int>(std::min(budget / round, 15.0)) : 15;
    const int odd = fit % 2 == 0 ? fit - 1 : fit;
    return std::clamp(odd, 3, 15);
}

} // namespace ringproof::bench
