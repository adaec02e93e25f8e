// SPDX-License-Identifier: Apache-2.0
#include <ringproof/verify/sampling.hpp>

#include "../division/sampler.hpp"
#include "../hooks/signals.hpp"
#include "priority_scheduler.hpp"
#include "random_scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace ringproof::verify {
namespace {

/// Mean and spread of what came so far.
struct moments {
    double n = 0, mean = 0, squares = 0, most = 0;
    void add(double x) {
        n += 1;
        const double off = x - mean;
        mean += off / n;
        squares += off * (x - mean);
        most = std::max(most, x);
    }
    double variance_of_mean() const { return n < 2 ? 0 : squares / (n - 1) / n; }
    /// How many equal values would have this spread (Kish's effective sample size).
    double weight() const { return mean > 0 ? n * n * mean * mean / (squares + n * mean * mean) : 0; }
};

/// Later walks know more and spread less: means of stretches of walks, each twice as long as the one
/// before. Weighing them by what they seem to spread would favour those that missed the large values,
/// so that they count by their length, and the first ones, which learn, not at all.
class stretches {
  public:
    void add(double x) {
        now_.add(x);
        if (now_.n < length_) return;
        done_.push_back(now_);
        now_ = {};
        length_ *= 2;
    }
    moments late() const {
        moments m = now_;
        for (std::size_t i = done_.size(); i-- > 0 && (m.n == 0 || done_[i].n * 8 > done_.back().n);) {
            const moments& d = done_[i];
            const double n = m.n + d.n, off = d.mean - m.mean;
            m.squares += d.squares + off * off * m.n * d.n / n;
            m.mean += off * d.n / n;
            m.n = n;
            m.most = std::max(m.most, d.most);
        }
        return m;
    }

  private:
    moments now_;
    double length_ = 16;
    std::vector<moments> done_;
};

/// The walks that ended without a complete execution, by the place where a thread was left.
class blocked_ends {
  public:
    void add(explorer& e) {
        ++count_;
        for (thread_id t = 0; t < e.threads().thread_count(); ++t) {
            const thread_state& th = e.threads().thread(t);
            const bool waits = th.status != thread_status::finished && th.status != thread_status::unborn &&
                               th.status != thread_status::ready;
            if (waits) return void(++at_[th.what.site]);
        }
    }
    std::uint64_t count() const { return count_; }
    std::uintptr_t most_often() const {
        std::uintptr_t site = 0;
        std::uint64_t most = 0;
        for (const auto& [where, times] : at_)
            if (times > most) most = times, site = where;
        return site;
    }

  private:
    std::uint64_t count_ = 0;
    std::map<std::uintptr_t, std::uint64_t> at_;
};

} // namespace

estimate estimate_executions(const std::function<void()>& body, const estimation_options& options) {
    estimate found;
    double rate = 0;
    if (options.steps == 0) {
        exploration_options first = options.exploration;
        first.limits.seconds = options.seconds / 4;
        first.limits.executions = 0;
        first.resume = nullptr;
        const exploration_result r = explore(body, first);
        if (!r.stopped || r.error.kind != failure_kind::nothing || search_facts::interrupted) {
            found.executions = found.low = found.high = static_cast<double>(r.executions);
            found.seconds = r.seconds;
            found.exact = !r.stopped && r.error.kind == failure_kind::nothing;
            found.result = r;
            return found;
        }
        rate = static_cast<double>(r.executions) / r.seconds;
        found.low = static_cast<double>(r.executions); // there are these at least
    }
    const fault_handlers guard;
    const auto m = make_model(options.exploration.model);
    exploration_limits limits = options.exploration.limits;
    limits.seconds = 0;
    explorer e(*m, limits);
    sampler chooser(options.seed, !options.evenly);
    stretches estimates;
    blocked_ends blocked;
    std::uint64_t walks = 0; // through the tree that there is by now
    const auto ended = [&](std::uint64_t met, const exploration_result& r) {
        if (met == explorer::walk_given_up) {
            chooser = sampler(options.seed, !options.evenly);
            estimates = {};
            blocked = {};
            walks = 0;
            return true;
        }
        ++walks;
        if (met == 0) blocked.add(e);
        estimates.add(chooser.end(static_cast<double>(met)));
        return options.steps > 0 ? r.events < options.steps : r.seconds < options.seconds * 3 / 4;
    };
    e.on({.progress = options.exploration.on_progress});
    found.result = e.walk(
        body, [&](const crossing& c) { return chooser.pick(c); }, ended);
    found.walks = walks;
    const moments late = estimates.late();
    found.blocked = blocked.count();
    found.blocked_at = blocked.most_often();
    found.weight = late.weight();
    const double relative = late.mean > 0 ? 1.96 * std::sqrt(late.variance_of_mean()) / late.mean : 0;
    const double least = std::max(found.low, 1.0);
    found.executions = std::max(late.mean, least);
    // The mean of few large values among many small ones spreads by factors rather than by sums.
    const double share = late.mean > 0 ? late.most / (late.mean * late.n) : 1;
    // A sample of a skewed tree says too little rather than too much, and looks steadier than it is; how much is
    // told best by the largest value's part. Measured with ringproof_verify_estimate_errors.
    constexpr double enough_weight = 30, too_much_in_one = 0.1, beyond_largest = 32;
    found.known = found.weight >= enough_weight && share <= too_much_in_one && late.mean >= found.low;
    found.low = found.known ? std::max(found.executions / std::exp(relative), least) : least;
    found.high = found.known ? found.executions * std::exp(relative) * (1 + beyond_largest * share)
                             : std::numeric_limits<double>::infinity();
    if (rate > 0 && found.known) found.seconds = found.executions / rate;
    return found;
}

exploration_result explore_randomly(const std::function<void()>& body, std::uint64_t executions,
                                    std::uint64_t seed, const exploration_options& options) {
    const fault_handlers guard;
    const auto m = make_model(options.model);
    explorer e(*m, options.limits);
    random_scheduler order(e, seed);
    e.on({.progress = options.on_progress, .complete = options.on_complete});
    return order.schedule(body, [&](std::uint64_t met, const exploration_result& so_far) {
        order.end(met != explorer::walk_given_up);
        const bool late = options.limits.seconds > 0 && so_far.seconds > options.limits.seconds;
        return so_far.walks < executions && !late;
    });
}

exploration_result explore_by_priorities(const std::function<void()>& body, std::uint64_t executions,
                                         unsigned depth, std::uint64_t seed,
                                         const exploration_options& options) {
    const fault_handlers guard;
    const auto m = make_model(options.model);
    explorer e(*m, options.limits);
    priorities order(seed, depth);
    e.on({.progress = options.on_progress, .complete = options.on_complete});
    return priority_scheduler(e, order).schedule(
        body, [&](std::uint64_t, const exploration_result& so_far) { return so_far.walks < executions; });
}

} // namespace ringproof::verify
