// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include "probe.hpp"
#include "verdict.hpp"

#include <algorithm>
#include <csignal>

namespace ringproof::bench {
namespace {

volatile std::sig_atomic_t signalled = 0;

/// Keeps the runs, and puts in what Google Benchmark cannot know when every repetition is a family.
class collector : public benchmark::BenchmarkReporter {
  public:
    explicit collector(session& s) : session_(s) {}

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& reports) override {
        for (Run r : reports) {
            if (r.run_type != Run::RT_Iteration || session_.seen.size() == session_.runs.size()) continue;
            const observation& o = session_.seen[session_.runs.size()];
            r.run_name.iterations.clear(); // how we use the harness, not what was measured
            r.run_name.time_type.clear();
            r.family_index = static_cast<int64_t>(o.subject);
            r.per_family_instance_index = 0;
            r.repetition_index = o.repetition;
            r.repetitions = session_.repetitions;
            // Its own figure is the CPU time of the thread that sleeps meanwhile; ours is of those that work.
            r.cpu_accumulated_time = o.m.result.cpu_seconds;
            session_.runs.push_back(std::move(r));
        }
    }

  private:
    session& session_;
};

measurement measure_subject(const subject& s, const session& owner, double& retry_seconds) {
    run_settings settings;
    settings.times.measure = seconds(owner.measure_seconds);
    settings.priority = owner.priority;
    patience how;
    if (is_ours(*s.what)) settings.times.drain = seconds(20); // an error there, so no haste
    how.judge_off_cpu = !s.where.oversubscribed();
    how.retry_seconds = &retry_seconds;
    return measure(
        [&] { return judge(*s.what, s.where, s.what->run(s.where, settings)); },
        [&] { return s.what->probed ? probe_round_trip(s.where.producers[0], s.where.consumer) : 0; }, how);
}

void report(benchmark::State& state, const subject& s, const measurement& m) {
    const run_result& result = m.result;
    if (!result.error.empty()) {
        state.SkipWithError(result.error.c_str());
        return;
    }
    if (!result.collapsed.empty()) {
        state.SkipWithError(("collapsed: " + result.collapsed).c_str());
        return;
    }
    if (!result.skipped.empty()) {
        state.SkipWithError(("skipped: " + result.skipped).c_str());
        return;
    }
    if (result.starved()) {
        state.SkipWithError("not measured: the threads did not get to run");
        return;
    }
    // One batch of as many iterations as there were operations, taking the time they took.
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(result.operations)))
        state.SetIterationTime(result.latency
                                   ? result.nanoseconds() * 1e-9 * static_cast<double>(result.operations)
                                   : result.seconds);
    if (result.seconds > 0) { // JSON knows no infinity
        const double rate = static_cast<double>(result.operations) / result.seconds;
        state.counters["items_per_second"] = rate;
        if (s.what->bytes > 0) state.counters["bytes_per_second"] = rate * static_cast<double>(s.what->bytes);
    }
    if (result.latency)
        for (const auto& [name, value] : percentiles(*result.latency)) state.counters[name] = value;
    for (const auto& [name, value] : result.more) state.counters[name] = value;
    state.counters["off_cpu"] = result.off_cpu;
    state.counters["attempts"] = m.attempts;
    if (m.probes.present()) {
        state.counters["rtt_before_ns"] = m.probes.before;
        state.counters["rtt_after_ns"] = m.probes.after;
    }
    state.SetLabel(std::string(to_string(m.probes.classify())) + (m.steady ? "" : " unsteady"));
}

} // namespace

void stop_on_signals() {
    struct sigaction action {};
    action.sa_handler = [](int) { signalled = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND); // a second one kills
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

void session::run(const std::function<void(double, const std::string&)>& progress) {
    const std::vector<step> steps = interleave(subjects.size(), repetitions);
    std::size_t next = 0;
    double retries = retry_seconds;
    const auto begin = steady::now();
    bool late = false;
    for (const step& st : steps) {
        const subject& s = subjects[st.subject];
        benchmark::RegisterBenchmark(
            s.name().c_str(),
            [&, st](benchmark::State& state) {
                progress(static_cast<double>(next++) / static_cast<double>(steps.size()), s.name());
                const bool failed = std::any_of(seen.begin(), seen.end(), [&](const observation& o) {
                    return o.subject == st.subject && o.m.result.decided();
                });
                late = late || seconds(steady::now() - begin).count() > deadline_seconds;
                if (signalled || failed || late) { // once broken is broken, and once refused refused
                    interrupted = signalled != 0;
                    out_of_time = out_of_time || (late && !failed);
                    state.SkipWithError("skipped");
                    return;
                }
                seen.push_back({st.subject, st.repetition, measure_subject(s, *this, retries)});
                report(state, s, seen.back().m);
            })
            ->Iterations(1)
            ->UseManualTime()
            ->Unit(benchmark::kNanosecond);
    }
    collector reporter(*this);
    benchmark::RunSpecifiedBenchmarks(&reporter, "all");
    benchmark::ClearRegisteredBenchmarks();
}

std::vector<std::string> session::unmeasured() const {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        const auto starved = [&](const observation& o) { return o.subject == i && o.m.result.starved(); };
        const auto known = [&](const observation& o) { return o.subject == i && !o.m.result.starved(); };
        if (std::any_of(seen.begin(), seen.end(), starved) && std::none_of(seen.begin(), seen.end(), known))
            result.push_back(subjects[i].name());
    }
    return result;
}

std::vector<std::string> session::collapsed() const {
    std::vector<std::string> result;
    for (const observation& o : seen)
        if (!o.m.result.collapsed.empty())
            result.push_back(subjects[o.subject].name() + ": " + o.m.result.collapsed);
    return result;
}

std::vector<std::string> session::skipped() const {
    std::vector<std::string> result;
    for (const observation& o : seen)
        if (!o.m.result.skipped.empty())
            result.push_back(subjects[o.subject].name() + ": " + o.m.result.skipped);
    return result;
}

std::vector<std::string> session::errors() const {
    std::vector<std::string> result;
    for (const observation& o : seen)
        if (!o.m.result.error.empty()) result.push_back(subjects[o.subject].name() + ": " + o.m.result.error);
    return result;
}

} // namespace ringproof::bench
