// SPDX-License-Identifier: Apache-2.0
#include "weaken.hpp"

#include "results.hpp"
#include "search.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/progress.hpp>

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>

namespace ringproof::silicon::a64 {
namespace {

using command::exit_code, command::json;

/// The copies of one instruction of the source.
struct site {
    ordering shown; ///< the first of them
    std::vector<std::uint64_t> copies;
};

struct trial {
    std::string form;
    findings found;
};

enum class finding { needed, over_strong, inconclusive };

struct answer {
    finding what = finding::inconclusive;
    std::string enough; ///< of a needed one: a form between that holds, too
    std::vector<trial> trials;
};

const char* text_of(finding f) {
    switch (f) {
    case finding::needed:
        return "needed";
    case finding::over_strong:
        return "over-strong";
    default:
        return "inconclusive";
    }
}

std::vector<site> sites_of(const program& p) {
    std::vector<site> all;
    for (ordering& o : p.orderings()) {
        const auto same = std::find_if(all.begin(), all.end(), [&](const site& s) {
            return s.shown.place == o.place && s.shown.name == o.name;
        });
        if (same == all.end())
            all.push_back({o, {o.code}});
        else
            same->copies.push_back(o.code);
    }
    return all;
}

class weakening {
  public:
    weakening(program& p, const weaken_order& order) : program_(p), order_(order), progress_(order.quiet) {}

    int all(json& results) {
        const findings base = run(order_.seconds, "as it is");
        if (std::string_view(verdict_of(base)) != "verified") {
            fmt::print(order_.out, "{:<13} {}: --weaken needs a program that holds\n", verdict_of(base),
                       order_.name);
            if (!base.failure.empty()) print(base, order_.out);
            results.push_back(to_json(base, {order_.name, "verified", order_.hangs_fail}));
            return to_int(base.failure.empty() ? exit_code::inconclusive : exit_code::refuted);
        }
        constexpr double least = 10, times = 30;
        seconds_ = order_.seconds > 0 ? order_.seconds : std::max(least, times * base.seconds);
        std::map<finding, std::size_t> count;
        const std::vector<site> sites = sites_of(program_);
        for (const site& s : sites) {
            const answer a = ask(s);
            ++count[a.what];
            show(s, a);
            write(s, a, results);
        }
        std::string text;
        for (const auto& [what, n] : count)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, text_of(what));
        fmt::print(order_.out, "\n{} ordering instructions of {}: {}\n", sites.size(), order_.name,
                   text.empty() ? "there are none" : text);
        return to_int(count.count(finding::inconclusive) != 0        ? exit_code::inconclusive
                      : count.size() == count.count(finding::needed) ? exit_code::holds
                                                                     : exit_code::refuted);
    }

  private:
    findings run(double seconds, const std::string& what) {
        const auto begin = std::chrono::steady_clock::now();
        search_order how;
        how.hangs_fail = order_.hangs_fail;
        how.jobs = order_.jobs;
        findings f = search(program_, how, [&](const search_state& s) {
            progress_.update(-1, fmt::format("{}: {} executions", what, s.executions));
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
            return !interrupted && (seconds <= 0 || spent.count() < seconds);
        });
        progress_.clear();
        return f;
    }

    findings run_weaker(const site& s, std::size_t form) {
        for (const std::uint64_t code : s.copies) program_.weaken(code, form);
        findings f = run(seconds_, fmt::format("{} {}", s.shown.place, s.shown.weaker[form]));
        for (const std::uint64_t code : s.copies) program_.weaken(code, {});
        return f;
    }

    /// The weakest form first; where it fails, those between.
    answer ask(const site& s) {
        answer a;
        for (std::size_t form = 0; form < s.shown.weaker.size(); ++form) {
            a.trials.push_back({s.shown.weaker[form], run_weaker(s, form)});
            const std::string_view verdict = verdict_of(a.trials.back().found);
            if (verdict == "verified") {
                a.what = form == 0 ? finding::over_strong : finding::needed;
                if (form > 0) a.enough = s.shown.weaker[form];
                return a;
            }
            if (verdict == "inconclusive") return a; // a time-out makes no order needed
        }
        a.what = finding::needed;
        return a;
    }

    void show(const site& s, const answer& a) const {
        if (order_.quiet && a.what == finding::needed) return;
        fmt::print(order_.out, "{:<13} {}: {}{}{}\n", text_of(a.what), s.shown.place, s.shown.text,
                   s.copies.size() > 1 ? fmt::format("  ({} copies)", s.copies.size()) : "",
                   a.enough.empty() ? "" : fmt::format("  ({} is enough)", a.enough));
        for (const trial& t : a.trials) {
            const std::string why = !t.found.failure.empty() ? t.found.failure
                                    : std::string_view(verdict_of(t.found)) == "verified"
                                        ? "verified"
                                        : why_inconclusive(t.found);
            fmt::print(order_.out, "    {}: {}\n", t.form, why);
            for (const shown_access& old : early_reads(t.found))
                fmt::print(order_.out, "        {}  {}  {}\n", old.place, old.instruction, old.what);
        }
    }
    /// The accesses that the failure is about, as far as one can tell: the last read of each thread.
    static std::vector<shown_access> early_reads(const findings& f) {
        std::map<std::size_t, shown_access> last;
        for (const shown_access& a : f.shown)
            if (a.what.starts_with("reads ") && a.instruction.starts_with("ld")) last[a.thread] = a;
        std::vector<shown_access> all;
        for (const auto& [thread, a] : last) all.push_back(a);
        return all;
    }

    void write(const site& s, const answer& a, json& results) const {
        for (const trial& t : a.trials) {
            json one = to_json(t.found, {fmt::format("{} {} → {}", s.shown.place, s.shown.text, t.form),
                                         "refuted", order_.hangs_fail});
            one["weakened"] = {{"function", s.shown.place},  {"access", s.shown.text},
                               {"from", s.shown.name},       {"to", t.form},
                               {"finding", text_of(a.what)}, {"scenario", order_.name},
                               {"calls", s.copies.size()},   {"data", nullptr}};
            results.push_back(std::move(one));
        }
    }

    program& program_;
    const weaken_order& order_;
    command::progress progress_;
    double seconds_ = 0;
};

} // namespace

int weaken(program& p, const weaken_order& order, command::json& results) {
    return weakening(p, order).all(results);
}

} // namespace ringproof::silicon::a64
