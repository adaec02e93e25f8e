// SPDX-License-Identifier: Apache-2.0
#include "compare.hpp"

#include <algorithm>
#include <cmath>

namespace ringproof::bench {

std::size_t needed_repetitions(std::size_t tests) {
    std::size_t n = 2;
    while (2 * least_p(n, n) * static_cast<double>(tests) > significance) ++n;
    return n;
}

bool comparison::undecided() const {
    return std::all_of(changes.begin(), changes.end(), [](const change& c) {
        return c.says == verdict::too_few || c.says == verdict::disturbed;
    });
}

namespace {

/// That the difference is beyond a share `by` either way, and how likely chance makes it so.
double beyond(const sample_pair& s, double by) {
    const auto scaled = [&](double factor) {
        std::vector<double> values = s.before;
        for (double& v : values) v *= factor;
        return values;
    };
    const double above = mann_whitney(scaled(1 + by), s.after).p_above;
    const double below = mann_whitney(s.after, scaled(1 / (1 + by))).p_above;
    return std::min(1.0, 2 * std::min(above, below));
}

/// The most that a limit has changed: the same code both times, so the machine did that.
double moved_by(const std::vector<sample_pair>& pairs) {
    double most = least_told;
    for (const sample_pair& s : pairs)
        if (s.limit && !s.disturbed)
            most = std::max(most, std::exp(std::abs(std::log(median(s.after) / median(s.before)))) - 1);
    return most;
}

} // namespace

comparison compare(const std::vector<sample_pair>& pairs, std::optional<double> fail_on) {
    comparison result;
    result.tolerance = moved_by(pairs);
    std::vector<double> differ, worse, drifts;
    std::size_t tested = 0;
    for (const sample_pair& s : pairs) {
        change c;
        c.what = s;
        c.ratio = median(s.after) / median(s.before);
        c.ci = ratio_interval(s.before, s.after);
        if (s.disturbed)
            c.says = verdict::disturbed;
        else
            ++tested;
        differ.push_back(s.disturbed ? 1 : beyond(s, result.tolerance));
        std::vector<double> allowed = s.before;
        for (double& v : allowed) v *= 1 + std::max(fail_on.value_or(0), result.tolerance);
        // A limit is not ours to make slower.
        worse.push_back(s.limit || s.disturbed ? 1 : mann_whitney(allowed, s.after).p_above);
        if (s.limit && !s.disturbed) drifts.push_back(c.ratio);
        result.changes.push_back(std::move(c));
    }
    // Those that are not tested have p = 1 and come last: they take no power from the others.
    differ = holm(differ, tested);
    worse = holm(worse, tested);
    if (fail_on && !drifts.empty() && std::abs(std::log(median(drifts))) > std::log(1 + *fail_on))
        result.drift = median(drifts);
    for (std::size_t i = 0; i < result.changes.size(); ++i) {
        change& c = result.changes[i];
        c.p = differ[i];
        if (c.says == verdict::disturbed) continue;
        if (fail_on && worse[i] < significance) {
            c.says = verdict::failed;
            result.failed = true;
        } else if (c.p < significance) {
            c.says = c.ratio > 1 ? verdict::slower : verdict::faster;
        } else if (2 * least_p(c.what.before.size(), c.what.after.size()) * static_cast<double>(tested) >
                   significance) {
            c.says = verdict::too_few;
        }
    }
    return result;
}

} // namespace ringproof::bench
