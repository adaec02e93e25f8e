// SPDX-License-Identifier: Apache-2.0
#include "estimate.hpp"

#include <ringproof/command/progress.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace ringproof::silicon::a64 {
namespace {

using command::json;

/// Adds up what each walk stands for.
class measured_walks final : public random_way {
  public:
    measured_walks(std::uint64_t seed, const findings& found) : random_way(seed), found_(found) {}

    std::uint64_t walks = 0;
    double sum = 0, squares = 0; ///< of the executions that walks stand for
    double choices = 0;          ///< of the whole tree, added up

  private:
    std::pair<double, bool> walked(double stands_for) override {
        const double met = found_.executions > before_ ? 1 : 0;
        before_ = found_.executions;
        ++walks;
        sum += met * stands_for;
        squares += met * stands_for * stands_for;
        choices += choices_of_tree();
        return {met, true};
    }

    const findings& found_;
    std::uint64_t before_ = 0;
};

void conclude(estimate& e, const measured_walks& w, double seconds_of_choice) {
    constexpr double normal = 1.96, fewest = 10;
    const auto n = static_cast<double>(w.walks);
    e.walks = w.walks;
    if (w.walks == 0) return;
    e.executions = w.sum / n;
    const double error = std::sqrt(std::max(0.0, w.squares / n - e.executions * e.executions) / n);
    e.low = std::max(e.low, e.executions - normal * error);
    e.high = e.executions + normal * error;
    e.seconds = w.choices / n * seconds_of_choice;
    // So many equal walks would say as much.
    const double equal = w.squares > 0 ? w.sum * w.sum / w.squares : 0;
    e.known = equal >= fewest;
}

} // namespace

estimate estimate_executions(program& p, const search_order& order, double seconds, std::uint64_t seed,
                             const std::function<bool()>& more) {
    const auto begin = std::chrono::steady_clock::now();
    const auto spent = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    estimate e;
    e.seen = search(p, order, [&](const search_state&) { return more() && spent() < seconds / 2; });
    e.exact = !e.seen.stopped && !e.seen.limited && e.seen.failure.empty();
    e.executions = e.low = e.high = static_cast<double>(e.seen.executions);
    e.seconds = e.seen.seconds;
    if (e.exact || !e.seen.failure.empty()) return e;
    const double of_choice = e.seen.seconds / static_cast<double>(std::max<std::uint64_t>(e.seen.choices, 1));
    for (bool again = true; again;) {
        findings found;
        measured_walks walks(seed, found);
        try {
            search_along(
                p, order, walks, [&](const search_state&) { return more() && spent() < seconds; }, found);
            again = false;
        } catch (const learnt&) { // the walks so far do not count: there are more executions
            continue;
        }
        conclude(e, walks, of_choice);
        if (!found.failure.empty()) e.seen = std::move(found);
    }
    return e;
}

std::string in_words(const estimate& e) {
    using command::format_about;
    if (!e.seen.failure.empty())
        return fmt::format("an execution on the way fails ({}): run it without --estimate", e.seen.failure);
    if (e.exact)
        return fmt::format("exactly {} executions, {}: the search was finished", e.seen.executions,
                           command::format_duration(e.seconds));
    if (e.walks == 0) return "interrupted before anything could be said";
    if (!e.known)
        return fmt::format("unknown, {} executions or more: few of the random walks stand for most of the "
                           "executions",
                           static_cast<std::uint64_t>(e.low));
    return fmt::format("about {} executions (95 %: {} to {}), about {}", format_about(e.executions),
                       format_about(e.low), format_about(e.high), command::format_duration(e.seconds));
}

json to_json(const estimate& e, const std::string& name) {
    json one{{"name", name}, {"model", "armv8"}, {"low", e.low}, {"walks", e.walks}};
    if (!e.seen.failure.empty()) one["error"] = e.seen.failure;
    if (!e.seen.failure.empty() || (!e.exact && (!e.known || e.walks == 0))) return one;
    one["executions"] = e.executions;
    one["high"] = e.high;
    one["seconds"] = e.seconds;
    one["exact"] = e.exact;
    return one;
}

} // namespace ringproof::silicon::a64
