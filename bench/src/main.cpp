// SPDX-License-Identifier: Apache-2.0
// ringproof bench: the ring, its peers and the physical limits, measured on this machine in one run.

#include "../peers/peers.hpp"
#include "compare/compare.hpp"
#include "harness/options.hpp"
#include "harness/report.hpp"
#include "harness/trust.hpp"
#include "recommend/recommend.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/progress.hpp>
#include <ringproof/command/verb.hpp>

#include <set>
#include <stdexcept>
#include <string_view>

namespace {

using namespace ringproof::bench; // the program's own namespace, in its main file only
using ringproof::command::exit_code;
using ringproof::command::format_duration;

catalogue everything(const options& o) {
    catalogue all;
    if (o.limits) add_limits(all);
    if (o.broken.empty())
        add_peers(all);
    else
        add_broken_peer(all, o.broken);
    return all;
}

/// The limits that `some` are fractions of: measured with them even when no filter names them.
void add_needed_limits(std::vector<subject>& some, const catalogue& all, const machine& m, options o) {
    bool needed = false;
    std::set<std::string> have;
    for (const subject& s : some) {
        needed = needed || s.what->limit != limit_kind::none;
        have.insert(s.name());
    }
    if (!needed || o.filters.empty()) return;
    o.filters = {std::regex("^limit/(ping-pong|stream|memcpy/records|wake-up)")};
    std::vector<subject> front;
    for (const subject& s : subjects(all, m, o))
        if (!have.count(s.name())) front.push_back(s);
    some.insert(some.begin(), front.begin(), front.end());
}

/// How long measurements take, how often they are made, and what may be spent altogether. Says so.
void set_times(session& s, const options& o) {
    s.measure_seconds = o.min_time > 0 ? o.min_time : o.quick || o.recommend ? 0.04 : 0.1;
    const double budget = o.quick ? 20 : o.recommend ? 40 : 300;
    s.repetitions = o.repetitions > 0 ? o.repetitions
                    : o.full          ? 15
                                      : affordable_repetitions(s.subjects.size(), s.measure_seconds, budget);
    s.retry_seconds = budget / 2;
    const double foreseen =
        static_cast<double>(s.subjects.size()) * s.repetitions * seconds_per_step(s.measure_seconds);
    if (o.full)
        s.retry_seconds = foreseen / 2;
    else if (o.repetitions == 0) // the promise of `--quick` and of the default, whatever the machine does
        s.deadline_seconds = o.quick ? 45 : o.recommend ? 90 : 540;
    if (!o.quiet)
        fmt::print(stderr, "{} benchmarks, {} repetitions of {:.0f} ms: about {}{}\n", s.subjects.size(),
                   s.repetitions, s.measure_seconds * 1000, format_duration(foreseen),
                   s.retry_seconds > 0 ? fmt::format(", up to {} more if the machine is not left alone",
                                                     format_duration(s.retry_seconds))
                                       : "");
}

int run(options o) {
    if (o.recommend) {
        o.filters = {std::regex(candidates())};
        o.limits = false;
    }
    const machine here = machine::detect();
    const catalogue all = everything(o);
    session s;
    try {
        s.subjects = subjects(all, here, o);
    } catch (const std::invalid_argument& e) {
        fmt::print(stderr, "ringproof bench: --placement: {}\n", e.what());
        return to_int(exit_code::usage);
    }
    if (s.subjects.empty()) {
        fmt::print(stderr,
                   "ringproof bench: nothing matches {} (`ringproof bench --list` shows what there is)\n",
                   o.filter_text.empty() ? "this placement on this machine"
                                         : "'" + fmt::format("{}", fmt::join(o.filter_text, "' or '")) + "'");
        return to_int(exit_code::no_match);
    }
    if (o.peers) {
        print_semantics(all, o.markdown);
        return to_int(exit_code::holds);
    }
    if (o.list) {
        for (const subject& x : s.subjects) fmt::print("{}\n", x.name());
        return to_int(exit_code::holds);
    }
    add_needed_limits(s.subjects, all, here, o);

    set_times(s, o);

    std::vector<int> cpus;
    for (const subject& x : s.subjects) {
        cpus.insert(cpus.end(), x.where.producers.begin(), x.where.producers.end());
        cpus.push_back(x.where.consumer);
    }
    std::vector<std::string> warnings = warnings_before(cpus);
    const cpu_ticks start = read_cpu_ticks();
    stop_on_signals();
    s.priority = set_urgency(o.priority, true);
    if (s.priority != o.priority)
        warnings.push_back("the priority asked for is not permitted: other programs' threads come between");
    {
        ringproof::command::progress line(o.quiet);
        s.run([&](double fraction, const std::string& name) { line.update(fraction, name); });
    }
    for (std::string& w : warnings_after(start)) warnings.push_back(std::move(w));

    const std::vector<row> rows = tabulate(s.subjects, s.seen);
    const fitness how = fitness_of(s.seen);
    if (how.unsteady + how.not_measured > 0) warnings.push_back(how.text());
    for (const std::string& c : s.collapsed()) warnings.push_back("collapsed: " + c);
    if (s.out_of_time)
        warnings.push_back(fmt::format("the time was up after {} of {} measurements", s.seen.size(),
                                       s.subjects.size() * static_cast<std::size_t>(s.repetitions)));
    if (o.recommend && o.json != "-")
        print_advice(recommend(s.subjects, s.seen));
    else if (o.json != "-")
        print_table(s, rows);
    std::fflush(stdout); // where both go to one file, warnings come below the table and not into it
    for (const std::string& w : warnings) fmt::print(stderr, "warning: {}\n", w);
    for (const std::string& p : o.recommend ? std::vector<std::string>{} : missing_peers())
        fmt::print(stderr, "not compared, not installed: {}\n", p);
    for (const std::string& n : s.unmeasured())
        fmt::print(stderr, "not measured: {}: its threads never got to run\n", n);
    for (const std::string& e : s.skipped()) fmt::print(stderr, "not measured here: {}\n", e);
    for (const std::string& e : s.errors()) fmt::print(stderr, "error: {}\n", e);
    if (!how.fit())
        fmt::print(o.json == "-" ? stderr : stdout,
                   "\ninconclusive: {}. Do not rely on these figures (`ringproof doctor` says what helps)\n",
                   how.text());
    if (!o.json.empty())
        ringproof::command::write_document(make_json(s, rows, all, here, o.invocation, warnings), o.json);
    if (!s.errors().empty()) return to_int(exit_code::refuted);
    if (s.interrupted) return to_int(exit_code::interrupted);
    return to_int(s.unmeasured().empty() && how.fit() ? exit_code::holds : exit_code::inconclusive);
}

} // namespace

int main(int argc, char** argv) {
    return ringproof::command::run_verb("ringproof bench", [&] {
        if (argc > 1 && argv[1] == std::string_view("compare")) return compare_main(argc - 1, argv + 1);
        options o;
        if (const int code = parse(argc, argv, o); code >= 0) return code;
        return run(o);
    });
}
