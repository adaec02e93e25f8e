// SPDX-License-Identifier: Apache-2.0
// `--weaken=optimize`: from all seq_cst down to orders of which none can be weaker. Whatever fails, fails with weaker
// orders too, and whatever holds, holds with stronger ones, so that an order which can't be weakened alone can't be
// weakened together with others: where no single step is left, the set is a minimum. There may be several minima; the
// sites are gone through once from each end to find another.

#include "weaken.hpp"

#include "../outcome/results.hpp"
#include "../program/facts.hpp"
#include "baseline.hpp"
#include "processes.hpp"

#include <ringproof/command/exit_code.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <list>
#include <numeric>

namespace ringproof::verify {
namespace {

using command::exit_code;
using assignment = std::vector<order>; ///< one for each site

class optimizer {
  public:
    optimizer(baseline base, attempts& how, const command_options& options, command::progress& progress)
        : base_(std::move(base)), how_(how), options_(options), progress_(progress) {}

    /// What is known already: all holds with the strongest orders.
    void begin() {
        for (const order_site& site : base_.sites) strongest_.push_back(orders_of(site.what).front());
        holding_.push_back(strongest_);
    }
    /// Whether it holds as it stands.
    verdict as_asked() {
        assignment asked;
        for (const order_site& site : base_.sites) asked.push_back(site.asked);
        return tried(asked);
    }

    /// Goes down from the strongest, site by site.
    assignment descend(const std::vector<std::size_t>& sites) {
        assignment now = strongest_;
        for (const std::size_t s : sites) {
            std::vector<order> ladder = orders_of(base_.sites[s].what);
            std::reverse(ladder.begin(), ladder.end());
            for (const order o : ladder) {
                if (o == now[s] || search_facts::interrupted) break;
                assignment next = now;
                next[s] = o;
                if (tried(next) == verdict::verified) {
                    now = next;
                    break;
                }
            }
            progress_.update(
                -1, fmt::format("{} tries, {} of which were not necessary", tries_ + spared_, spared_));
        }
        return now;
    }

    const baseline& base() const { return base_; }
    std::size_t tries() const { return tries_; }
    std::size_t spared() const { return spared_; }
    std::uint64_t executions() const { return executions_; }
    bool unknown() const { return unknown_; }
    const std::string& message() const { return message_; }
    const std::string& open() const { return open_; }

  private:
    static bool no_stronger(const assignment& a, const assignment& b) {
        return std::equal(a.begin(), a.end(), b.begin(), verify::no_stronger);
    }

    verdict tried(const assignment& orders) {
        const auto known = [&](const std::vector<assignment>& all, bool weaker) {
            return std::any_of(all.begin(), all.end(), [&](const assignment& a) {
                return weaker ? no_stronger(orders, a) : no_stronger(a, orders);
            });
        };
        if (known(failing_, true)) return ++spared_, verdict::refuted;
        if (known(holding_, false)) return ++spared_, verdict::verified;
        ++tries_;
        std::vector<order_change> changes;
        for (std::size_t s = 0; s < orders.size(); ++s)
            if (orders[s] != strongest_[s]) changes.push_back({&base_.sites[s], orders[s]});
        process_options processes;
        processes.jobs = options_.jobs;
        processes.enough = [](const std::string& result) {
            return unpack(result).verdict != verdict::verified;
        };
        const std::vector<std::string> results = in_processes(
            base_.searches.size(),
            [&](std::size_t i) {
                attempt a = how_.run(base_.searches[i], changes, how_.time_for(base_.searches[i]));
                a.executed.clear();
                return pack(a);
            },
            processes);
        verdict all = verdict::verified;
        std::size_t refuted_by = 0;
        for (std::size_t i = 0; i < results.size(); ++i) {
            const attempt a = unpack(results[i]);
            executions_ += a.executions;
            if (a.verdict == verdict::refuted) {
                all = verdict::refuted;
                refuted_by = i;
                message_ = base_.searches[i].name() + ": " + a.message;
                break;
            }
            if (a.verdict != verdict::verified) {
                all = verdict::inconclusive;
                if (!results[i].empty()) open_ = base_.searches[i].name() + ": " + a.message;
            }
        }
        if (all == verdict::refuted) {
            failing_.push_back(orders);
            // Who has just refuted one will most likely refute the next.
            std::rotate(base_.searches.begin(),
                        base_.searches.begin() + static_cast<std::ptrdiff_t>(refuted_by),
                        base_.searches.begin() + static_cast<std::ptrdiff_t>(refuted_by) + 1);
        } else if (all == verdict::verified) {
            holding_.push_back(orders);
        } else {
            unknown_ = true;
        }
        return all;
    }

    baseline base_;
    attempts& how_;
    const command_options& options_;
    command::progress& progress_;
    assignment strongest_;
    std::vector<assignment> failing_, holding_;
    std::size_t tries_ = 0, spared_ = 0;
    std::uint64_t executions_ = 0;
    bool unknown_ = false;
    std::string message_, open_; ///< of what was refuted last, and of what was inconclusive
};

std::string_view compared(const order_site& site, order found) {
    if (found == site.asked) return "";
    if (no_stronger(found, site.asked)) return "weaker";
    return no_stronger(site.asked, found) ? "STRONGER" : "another";
}

void print(const optimizer& done, const std::vector<assignment>& minima, std::FILE* out) {
    std::size_t width = 0;
    for (const order_site& site : done.base().sites)
        width = std::max(width, site.place().size() + name_of(site.what).size() + 2);
    for (std::size_t m = 0; m < minima.size(); ++m) {
        fmt::print(out, "{}{:<{}}  {:<8}  enough\n", m == 0 ? "" : "\n",
                   minima.size() > 1 ? fmt::format("minimum {}", m + 1) : "", width + 3, "asked");
        for (std::size_t s = 0; s < minima[m].size(); ++s) {
            const order_site& site = done.base().sites[s];
            fmt::print(out, "{:<2} {:<{}}  {:<8}  {:<8}  {}\n",
                       site.letter ? std::string(1, site.letter) : "",
                       fmt::format("{}: {}", site.place(), name_of(site.what)), width,
                       name_of(site.asked, site.what), name_of(minima[m][s], site.what),
                       compared(site, minima[m][s]));
        }
    }
}

/// One result for each site and minimum: verified, with what is enough in the place of what was asked.
void write_results(const optimizer& done, const std::vector<assignment>& minima,
                   const command_options& options, const std::vector<std::string>& invocation) {
    std::list<subject> sites;
    std::vector<outcome> outcomes;
    for (std::size_t m = 0; m < minima.size(); ++m)
        for (std::size_t s = 0; s < minima[m].size(); ++s) {
            const order_site& site = done.base().sites[s];
            subject of;
            of.name = fmt::format("minimum {}: {}", m + 1, site.text());
            of.file = site.at.file;
            of.line = site.at.line;
            sites.push_back(std::move(of));
            outcome o;
            o.what = &sites.back();
            o.model = done.base().searches.front().model;
            o.verdict = verdict::verified;
            o.expected = verdict::verified;
            o.result.executions = done.executions();
            o.weakened = weakened_order{site.at.function,
                                        std::string(name_of(site.what)),
                                        std::string(name_of(site.asked, site.what)),
                                        std::string(name_of(minima[m][s], site.what)),
                                        "enough",
                                        "",
                                        site.keys.size()};
            outcomes.push_back(std::move(o));
        }
    write_json(outcomes, options, invocation, {search_facts::interrupted});
}

} // namespace

int optimize(const std::vector<const subject*>& chosen, const command_options& options,
             const std::vector<std::string>& invocation) {
    std::FILE* out = options.json == "-" ? stderr : stdout;
    const symbols names;
    attempts how(options, names, true);
    command::progress progress(options.quiet);
    baseline base = stand_as_they_are(chosen, options, how, names, progress);
    progress.clear();
    for (const std::string& text : base.failing)
        fmt::print(stderr, "fails with all orders seq_cst: {}\n", text);
    if (!base.failing.empty()) return to_int(exit_code::refuted);
    print_left_out(base, options, out);
    if (base.searches.empty() || base.sites.empty()) {
        fmt::print(stderr, "there is nothing to weaken: {}\n",
                   base.searches.empty() ? "no scenario that holds was chosen" : "no access has an order");
        return to_int(search_facts::interrupted  ? exit_code::interrupted
                      : !base.unfinished.empty() ? exit_code::inconclusive
                                                 : exit_code::no_match);
    }
    optimizer search(std::move(base), how, options, progress);
    search.begin();
    const verdict as_asked = search.as_asked();
    const std::string why = search.message();
    std::vector<std::size_t> sites(search.base().sites.size());
    std::iota(sites.begin(), sites.end(), std::size_t{0});
    std::vector<assignment> minima{search.descend(sites)};
    std::reverse(sites.begin(), sites.end());
    if (assignment other = search.descend(sites); other != minima.front()) minima.push_back(std::move(other));
    progress.clear();
    if (search_facts::interrupted) {
        fmt::print(stderr, "interrupted: there is no result yet\n");
        return to_int(exit_code::interrupted);
    }
    fmt::print(out, "with the orders it asks for: {}{}\n\n", verdict_name(as_asked),
               as_asked == verdict::refuted ? ", " + why : "");
    print(search, minima, out);
    fmt::print(out, "\n{} of orders tried in {} searches, {} more followed from those; {} executions\n",
               fmt::format("{} sets", search.tries()), search.base().searches.size(), search.spared(),
               search.executions());
    if (search.unknown())
        fmt::print(out, "some sets were inconclusive ({}): orders may be weaker yet\n", search.open());
    if (!options.json.empty()) write_results(search, minima, options, invocation);
    return to_int(search.unknown() ? exit_code::inconclusive : exit_code::holds);
}

} // namespace ringproof::verify
