// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include "../../peers/peers.hpp"
#include "semantics.hpp"

#include <fmt/format.h>
#include <sstream>

namespace ringproof::bench {
namespace {

using command::json;
using gbench_run = benchmark::BenchmarkReporter::Run;

std::string three_digits(double v) {
    return v >= 100  ? fmt::format("{:.0f}", v)
           : v >= 10 ? fmt::format("{:.1f}", v)
                     : fmt::format("{:.2f}", v);
}

std::string range(const summary& s) { return three_digits(s.ci.low) + "-" + three_digits(s.ci.high); }

/// Of times taken one by one: "p99 4.1 us".
std::string tail(const histogram& latency) {
    if (!latency.enough(0.99)) return fmt::format("{} samples", latency.count());
    const double ns = latency.quantile(0.99);
    return "p99 " + (ns < 1e4 ? fmt::format("{:.0f} ns", ns) : fmt::format("{:.0f} us", ns / 1000));
}

std::string rate(const entry& e, double ns) {
    if (e.bytes > 8) return three_digits(static_cast<double>(e.bytes) / ns) + " GB/s";
    return ns < 1000 ? three_digits(1000 / ns) + " M/s" : three_digits(1e6 / ns) + " k/s";
}

/// The median of a row in the form Google Benchmark gives its aggregates.
gbench_run aggregate(const session& s, const row& r) {
    const subject& what = s.subjects[r.subject];
    gbench_run run;
    run.run_name.function_name = what.name();
    run.family_index = static_cast<int64_t>(r.subject);
    run.per_family_instance_index = 0;
    run.run_type = gbench_run::RT_Aggregate;
    run.aggregate_name = "median";
    run.report_label =
        std::string(to_string(r.state)) + (r.unsteady > 0 && r.unsteady == r.ns.n ? " unsteady" : "");
    run.iterations = static_cast<benchmark::IterationCount>(r.ns.n);
    run.repetitions = s.repetitions;
    run.repetition_index = gbench_run::no_repetition_index;
    run.time_unit = benchmark::kNanosecond;
    run.real_accumulated_time = r.ns.median * 1e-9 * static_cast<double>(r.ns.n);
    std::vector<double> cpu;
    for (const observation& o : s.seen)
        if (o.subject == r.subject && o.m.usable() && o.m.probes.classify() == r.state)
            cpu.push_back(o.m.result.cpu_seconds / static_cast<double>(o.m.result.operations));
    run.cpu_accumulated_time = summarise(cpu).median * static_cast<double>(r.ns.n);
    run.counters["min_ns"] = r.ns.min;
    run.counters["max_ns"] = r.ns.max;
    run.counters["spread"] = r.ns.spread();
    run.counters["ci_low_ns"] = r.ns.ci.low;
    run.counters["ci_high_ns"] = r.ns.ci.high;
    for (const auto& [name, value] : percentiles(r.latency)) run.counters[name] = value;
    run.counters["unsteady"] = static_cast<double>(r.unsteady);
    if (r.ns.median > 0) run.counters["items_per_second"] = 1e9 / r.ns.median; // JSON knows no infinity
    if (r.ns.median > 0 && what.what->bytes > 0)
        run.counters["bytes_per_second"] = static_cast<double>(what.what->bytes) * 1e9 / r.ns.median;
    if (r.of_limit) run.counters["fraction_of_limit"] = *r.of_limit;
    if (r.ratio) {
        run.counters["speed_ratio_min"] = r.ratio->min;
        run.counters["speed_ratio_median"] = r.ratio->median;
        run.counters["speed_ratio_max"] = r.ratio->max;
        run.counters["speed_ratio_ci_low"] = r.ratio->ci.low;
        run.counters["speed_ratio_ci_high"] = r.ratio->ci.high;
        // Of times, for those who read it before there was one of speeds.
        run.counters["ratio_ours_to_peer_min"] = 1 / r.ratio->max;
        run.counters["ratio_ours_to_peer_median"] = 1 / r.ratio->median;
        run.counters["ratio_ours_to_peer_max"] = 1 / r.ratio->min;
        run.counters["ratio_ours_to_peer_ci_low"] = 1 / r.ratio->ci.high;
        run.counters["ratio_ours_to_peer_ci_high"] = 1 / r.ratio->ci.low;
        run.counters["ratio_pairs"] = static_cast<double>(r.ratio->n);
    }
    return run;
}

json topology(const machine& m) {
    json cpus = json::array();
    for (const cpu& c : m.cpus)
        cpus.push_back({{"cpu", c.index},
                        {"core", c.core},
                        {"l2", c.l2},
                        {"l3", c.l3},
                        {"package", c.package},
                        {"node", c.node}});
    return cpus;
}

void describe(json& benchmark, const subject& s, regime state) {
    benchmark["workload"] = s.what->workload;
    benchmark["placement"] = to_string(s.where.kind);
    benchmark["peer"] = s.what->peer;
    benchmark["regime"] = to_string(state);
}

/// What there is instead of a time.
const char* verdict_of(const run_result& r) {
    return !r.error.empty()       ? "error"
           : !r.collapsed.empty() ? "collapsed"
           : !r.skipped.empty()   ? "skipped"
           : r.starved()          ? "not measured"
                                  : "measured";
}

std::string ratio_of(const row& r, const entry& e) {
    if (!r.ratio) return e.peer == ours ? "1x" : "";
    return fmt::format("{:.2f}x ({:.2f}-{:.2f})", r.ratio->median, r.ratio->ci.low, r.ratio->ci.high);
}

/// What is said at the end of a line about its repetitions.
std::string marks_of(const row& r) {
    std::string marks;
    if (r.ns.scattered()) marks = fmt::format("  scattered ({:.1f}x)", r.ns.spread());
    if (r.unsteady)
        marks += fmt::format("  {} of {} unsteady", r.unsteady,
                             r.unsteady == r.ns.n ? r.ns.n : r.unsteady + r.ns.n);
    return marks;
}

std::string line_of(std::string_view name, std::string_view ns, std::string_view interval,
                    std::string_view worst, std::string_view rate, std::string_view ratio,
                    std::string_view limit, std::string_view marks = "") {
    return fmt::format("{:<60} {:>9} {:>15} {:>9} {:>11} {:>22} {:>7}{}\n", name, ns, interval, worst, rate,
                       ratio, limit, marks);
}

void print_row(const row& r, const entry& e, const std::string& name) {
    fmt::print("{}", line_of(name, three_digits(r.ns.median), range(r.ns), three_digits(r.ns.max),
                             r.latency.count() > 0 ? tail(r.latency) : rate(e, r.ns.median), ratio_of(r, e),
                             r.of_limit ? fmt::format("{:.1f} %", *r.of_limit * 100) : "", marks_of(r)));
}

/// The rows of a group in one regime, below a line of titles where there are peers to compare with.
/// @param block the title that was printed last
void print_regime(const session& s, const std::vector<row>& rows, std::size_t begin, std::size_t end,
                  regime state, std::string& block) {
    for (std::size_t k = begin; k < end; ++k) {
        const row& r = rows[k];
        if (r.state != state) continue;
        const entry& e = *s.subjects[r.subject].what;
        const std::string group = s.subjects[r.subject].group();
        const std::string title =
            state == regime::none ? group : fmt::format("{}  [{}]", group, to_string(state));
        if (title != block && !e.peer.empty())
            fmt::print("\n{}",
                       line_of(title, "ns", "95 %", "worst", "rate", "ours is faster (95 %)", "limit"));
        print_row(r, e, e.peer.empty() ? title : "  " + e.peer);
        block = title;
    }
}

} // namespace

void print_table(const session& s, const std::vector<row>& rows) {
    std::string block;
    // Rows of a group are neighbours by subject, but regimes must be: so one pass for each regime of it.
    for (std::size_t i = 0; i < rows.size();) {
        const std::string group = s.subjects[rows[i].subject].group();
        std::size_t end = i;
        while (end < rows.size() && s.subjects[rows[end].subject].group() == group) ++end;
        for (const regime state : {regime::near, regime::far, regime::none})
            print_regime(s, rows, i, end, state, block);
        for (const observation& o : s.seen)
            if (!o.m.result.collapsed.empty() && s.subjects[o.subject].group() == group)
                fmt::print("{:<60} collapsed: {}\n", "  " + s.subjects[o.subject].what->peer,
                           o.m.result.collapsed);
        i = end;
    }
}

void print_semantics(const catalogue& all, bool markdown) {
    if (markdown) fmt::print("{}", semantics_table_head());
    for (const semantics& p : all.peers)
        fmt::print("{}", markdown ? semantics_table_row(p) : semantics_block(p));
    for (const std::string& p : missing_peers()) fmt::print(stderr, "not here: {}\n", p);
}

json make_json(const session& s, const std::vector<row>& rows, const catalogue& all, const machine& m,
               const std::vector<std::string>& invocation, const std::vector<std::string>& warnings) {
    std::vector<gbench_run> runs = s.runs;
    for (const row& r : rows) runs.push_back(aggregate(s, r));

    std::ostringstream text;
    benchmark::JSONReporter reporter;
    reporter.SetOutputStream(&text);
    reporter.SetErrorStream(&text);
    reporter.ReportContext(benchmark::BenchmarkReporter::Context());
    for (const gbench_run& r : runs) reporter.ReportRuns({r});
    reporter.Finalize();

    json document = json::parse(text.str());
    json head = command::make_document("ringproof-bench/1", invocation);
    head.erase("results");
    head["topology"] = topology(m);
    head["warnings"] = warnings;
    head["peers_missing"] = missing_peers();
    head["peers"] = json::array();
    for (const semantics& p : all.peers)
        head["peers"].push_back({{"peer", p.peer},
                                 {"payload", p.payload},
                                 {"order", p.order},
                                 {"full", p.full},
                                 {"lost", p.lost},
                                 {"overwrite", p.overwrite},
                                 {"processes", p.processes},
                                 {"producer_dies", p.death}});
    head["repetitions"] = s.repetitions;
    head["measure_seconds"] = s.measure_seconds;
    head["priority"] = s.priority == urgency::realtime ? "realtime"
                       : s.priority == urgency::high   ? "high"
                                                       : "normal";
    head["interrupted"] = s.interrupted;
    const fitness how = fitness_of(s.seen);
    head["fit"] = how.fit();
    head["fitness"] = {{"measurements", how.taken},
                       {"unsteady", how.unsteady},
                       {"not_measured", how.not_measured},
                       {"text", how.text()}};
    document["context"]["ringproof"] = std::move(head);

    json& list = document["benchmarks"];
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (i < s.runs.size()) {
            const observation& o = s.seen[i];
            describe(list[i], s.subjects[o.subject], o.m.probes.classify());
            list[i]["steady"] = o.m.steady;
            list[i]["verdict"] = verdict_of(o.m.result);
        } else {
            const row& r = rows[i - s.runs.size()];
            describe(list[i], s.subjects[r.subject], r.state);
            for (const auto& [share, ns] : tail_curve(r.latency)) list[i]["tail"].push_back({share, ns});
        }
    }
    return document;
}

} // namespace ringproof::bench
