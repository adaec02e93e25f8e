// SPDX-License-Identifier: Apache-2.0
// `--weaken`: each order in turn, one step weaker. Refuted somewhere: the order is needed. Verified everywhere: it is
// over-strong, or a scenario is missing. Anything else: nobody knows.

#include "weaken.hpp"

#include "../outcome/results.hpp"
#include "../program/facts.hpp"
#include "baseline.hpp"
#include "processes.hpp"

#include <ringproof/command/exit_code.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <list>
#include <map>
#include <set>

namespace ringproof::verify {
namespace {

using command::exit_code;

/// One site one step weaker, under one model, in all scenarios that execute it.
struct trial {
    const order_site* site;
    order to;
    memory_model model;
    bool atomic_data; ///< of a letter, scenarios with plain data and those with atomic data are tried apart
    std::vector<const search_of*> searches;

    std::string under() const {
        return std::string(model_name(model)) + (atomic_data ? ", atomic data" : "");
    }
    // What came of it.
    attempt
        found; ///< the first that is refuted, or one that is inconclusive, or the sum of those that verify
    const search_of* by = nullptr; ///< refuted, inconclusive: the search
};

struct site_finding {
    const order_site* site;
    std::vector<trial> trials;
    std::string_view finding() const;
};

/// What all trials of one step come to: refuted under one model is refuted.
verdict of_step(const site_finding& f, order to) {
    verdict all = verdict::verified;
    for (const trial& t : f.trials) {
        if (t.to != to) continue;
        if (t.found.verdict == verdict::refuted) return verdict::refuted;
        if (t.found.verdict != verdict::verified) all = verdict::inconclusive;
    }
    return all;
}

std::string_view site_finding::finding() const {
    bool unknown = false;
    for (const order to : one_step_weaker(site->what, site->asked)) {
        const verdict step = of_step(*this, to);
        if (step == verdict::verified) return site->excused ? "over-strong, with a reason" : "over-strong";
        unknown = unknown || step != verdict::refuted;
    }
    return unknown ? "inconclusive" : "needed";
}

/// Each step of a site, under each model, with plain data and with atomic data.
std::vector<trial> trials_of(const order_site& site, const baseline& base) {
    std::vector<trial> all;
    const auto add = [&](order to, memory_model model, bool atomic) {
        trial t{&site, to, model, atomic, {}, {}, nullptr};
        for (const search_of& s : base.searches)
            if (s.model == model && (site.letter ? s.atomic_data : false) == atomic &&
                baseline::executes(s, site))
                t.searches.push_back(&s);
        if (!t.searches.empty()) all.push_back(std::move(t));
    };
    for (const order to : one_step_weaker(site.what, site.asked))
        for (const named_model& m : named_models)
            for (const bool atomic : {false, true}) add(to, m.which, atomic);
    return all;
}

std::vector<site_finding> plan(const baseline& base, const std::optional<command::shard>& shard) {
    std::vector<site_finding> all;
    for (std::size_t i = 0; i < base.sites.size(); ++i)
        if (!shard || shard->has(i)) all.push_back({&base.sites[i], trials_of(base.sites[i], base)});
    return all;
}

/// The first refutation counts: scenarios with short executions come first.
std::string run_trial(const trial& t, attempts& how) {
    attempt sum;
    sum.verdict = verdict::verified;
    std::size_t at = 0;
    for (std::size_t i = 0; i < t.searches.size(); ++i) {
        const search_of& s = *t.searches[i];
        attempt a = how.run(s, {{t.site, t.to}}, how.time_for(s));
        a.executed.clear();
        a.executions += sum.executions;
        a.seconds += sum.seconds;
        if (a.verdict == verdict::refuted) return fmt::format("{} {}", i, pack(a));
        if (search_facts::interrupted) a.verdict = verdict::inconclusive;
        if (a.verdict != verdict::verified && sum.verdict == verdict::verified) {
            sum.verdict = verdict::inconclusive;
            sum.message = a.message;
            at = i;
        }
        sum.executions = a.executions;
        sum.seconds = a.seconds;
    }
    return fmt::format("{} {}", at, pack(sum));
}

void take(trial& t, const std::string& result) {
    const auto space = result.find(' ');
    const auto at = space == std::string::npos ? 0 : std::stoul(result);
    t.found = unpack(space == std::string::npos ? "" : result.substr(space + 1));
    if (t.found.verdict != verdict::verified && at < t.searches.size()) t.by = t.searches[at];
}

class report {
  public:
    report(const command_options& options, std::FILE* out) : options_(options), out_(out) {}

    void print(const site_finding& f) const {
        const std::string_view finding = f.finding();
        const bool fine = finding == "needed" || f.site->excused;
        if (options_.quiet && fine) return;
        const int color = fine ? 32 : finding == "inconclusive" ? 33 : 31;
        fmt::print(out_, "{}  {}\n", painted(fmt::format("{:<12}", finding), color), f.site->text());
        for (const trial& t : f.trials) {
            if (t.found.verdict == verdict::refuted)
                fmt::print(out_, "    {}, {}: {}\n        in '{}' ({})\n", name_of(t.to, t.site->what),
                           t.under(), t.found.message, t.by->what->name, t.found.among);
            else
                fmt::print(out_, "    {}, {}: {} in {} scenario{}, {} executions{}\n",
                           name_of(t.to, t.site->what), t.under(), verdict_name(t.found.verdict),
                           t.searches.size(), t.searches.size() == 1 ? "" : "s", t.found.executions,
                           t.by ? fmt::format(": {}, in '{}'", t.found.message, t.by->what->name) : "");
        }
    }

    /// Letters by models.
    void print_table(const std::vector<site_finding>& all) const {
        std::map<char, std::map<std::string, std::string>> cells;
        std::set<std::string> models;
        for (const site_finding& f : all) {
            if (!f.site->letter) continue;
            for (const trial& t : f.trials) {
                models.insert(t.under());
                std::string& cell = cells[f.site->letter][t.under()];
                if (t.found.verdict == verdict::refuted)
                    cell = "needed";
                else if (cell.empty() || (cell == "not needed" && t.found.verdict != verdict::verified))
                    cell = t.found.verdict == verdict::verified ? "not needed" : "inconclusive";
            }
        }
        if (cells.empty()) return;
        fmt::print(out_, "\nletter");
        for (const std::string& m : models) fmt::print(out_, "  {:<17}", m);
        for (auto& [letter, row] : cells) {
            fmt::print(out_, "\n{}     ", letter);
            for (const std::string& m : models) fmt::print(out_, "  {:<17}", row[m].empty() ? "-" : row[m]);
        }
        fmt::print(out_, "\n");
    }

    void print_summary(const baseline& base, const std::vector<site_finding>& all) const {
        std::map<std::string_view, std::size_t> count;
        std::size_t tries = 0, calls = 0;
        for (const site_finding& f : all) {
            ++count[f.finding()];
            calls += f.site->keys.size();
            for (const trial& t : f.trials) tries += t.searches.size();
        }
        std::string text;
        for (const auto& [finding, n] : count)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, finding);
        fmt::print(out_,
                   "\n{} sites ({} calls): {}; each step tried in up to {} searches, {} tries at the most\n",
                   all.size(), calls, text.empty() ? "none has an order" : text, base.searches.size(), tries);
    }

  private:
    std::string painted(std::string_view text, int color) const {
        return options_.colored ? fmt::format("\x1b[{}m{}\x1b[0m", color, text) : std::string(text);
    }

    const command_options& options_;
    std::FILE* out_;
};

/// Each trial as the result of a mutant that lacks the order.
void write_results(const std::vector<site_finding>& all, attempts& how, const command_options& options,
                   const std::vector<std::string>& invocation, const command::json& shard) {
    std::list<subject> mutants;
    std::vector<outcome> outcomes;
    for (const site_finding& f : all)
        for (const trial& t : f.trials) {
            subject mutant;
            const std::string_view to = name_of(t.to, f.site->what);
            mutant.name = fmt::format("{} → {}{}", f.site->text(), to, t.atomic_data ? ", atomic data" : "");
            mutant.file = f.site->at.file;
            mutant.line = f.site->at.line;
            mutant.options.mutant = f.site->letter;
            mutant.options.expect = verdict::refuted;
            mutants.push_back(std::move(mutant));
            outcome o;
            o.what = &mutants.back();
            o.model = t.model;
            o.verdict = t.found.verdict;
            // Not needed under this model, but under another, is no hole.
            o.expected = verdict::refuted;
            if (f.site->excused || of_step(f, t.to) == verdict::refuted) o.expected = t.found.verdict;
            if (o.expected == verdict::inconclusive) o.expected = verdict::refuted;
            o.message = t.found.message;
            o.result.executions = t.found.executions;
            o.result.events = t.found.events;
            o.result.seconds = t.found.seconds;
            o.result.failing = t.found.failing;
            o.weakened = weakened_order{f.site->at.function,
                                        std::string(name_of(f.site->what)),
                                        std::string(name_of(f.site->asked, f.site->what)),
                                        std::string(to),
                                        std::string(f.finding()),
                                        t.by ? t.by->what->name : "",
                                        f.site->keys.size(),
                                        f.site->letter == 0 ? ""
                                        : t.atomic_data     ? "atomic"
                                                            : "plain"};
            if (t.found.verdict == verdict::refuted)
                o.example = how.show(*t.by, {{f.site, t.to}}, t.found.token);
            outcomes.push_back(std::move(o));
        }
    write_json(outcomes, options, invocation, {search_facts::interrupted, nullptr, shard});
}

/// What the document says of the shard that the sites are divided into.
command::json shard_of(const baseline& base, const command_options& options) {
    if (!options.shard) return nullptr;
    std::vector<std::string> names;
    for (const order_site& site : base.sites) names.push_back(site.text());
    return to_json(*options.shard, names);
}

int code_of(const baseline& base, const std::vector<site_finding>& all) {
    if (search_facts::interrupted) return to_int(exit_code::interrupted);
    bool strong = false, unknown = !base.unfinished.empty();
    for (const site_finding& f : all) {
        strong = strong || f.finding() == "over-strong";
        unknown = unknown || f.finding() == "inconclusive";
    }
    return to_int(strong ? exit_code::refuted : unknown ? exit_code::inconclusive : exit_code::holds);
}

} // namespace

int weaken(const std::vector<const subject*>& chosen, const command_options& options,
           const std::vector<std::string>& invocation) {
    std::FILE* out = options.json == "-" ? stderr : stdout;
    const symbols names;
    attempts how(options, names, false);
    command::progress progress(options.quiet);
    const baseline base = stand_as_they_are(chosen, options, how, names, progress);
    progress.clear();
    for (const std::string& text : base.failing) fmt::print(stderr, "fails as it stands: {}\n", text);
    if (!base.failing.empty()) return to_int(exit_code::refuted);
    print_left_out(base, options, out);
    if (base.searches.empty()) {
        fmt::print(stderr, "there is nothing to weaken: no scenario that holds was chosen\n");
        return to_int(search_facts::interrupted ? exit_code::interrupted : exit_code::no_match);
    }
    std::vector<site_finding> all = plan(base, options.shard);
    std::vector<trial*> trials;
    for (site_finding& f : all)
        for (trial& t : f.trials) trials.push_back(&t);
    process_options processes;
    processes.jobs = options.jobs;
    processes.on_progress = [&](std::size_t done) {
        progress.update(static_cast<double>(done) / static_cast<double>(trials.size()),
                        fmt::format("weaker: {} of {}", done, trials.size()));
    };
    const std::vector<std::string> results = in_processes(
        trials.size(), [&](std::size_t i) { return run_trial(*trials[i], how); }, processes);
    for (std::size_t i = 0; i < trials.size(); ++i) take(*trials[i], results[i]);
    progress.clear();
    const report text(options, out);
    for (const site_finding& f : all) text.print(f);
    text.print_table(all);
    text.print_summary(base, all);
    if (!options.json.empty()) write_results(all, how, options, invocation, shard_of(base, options));
    if (options.shard && all.empty()) {
        fmt::print(stderr, "there are fewer sites than shards: this shard has none\n");
        return to_int(exit_code::no_match);
    }
    return code_of(base, all);
}

} // namespace ringproof::verify
