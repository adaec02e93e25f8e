// SPDX-License-Identifier: Apache-2.0
#include "hardware/tune.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <vector>

using namespace ringproof::litmus;

namespace {
const std::atomic<bool> go_on{false};
}

TEST_CASE("tuning finds the settings that show most, one parameter after the other") {
    const trial attempt = [](const run_options& o) {
        score s;
        s.witnesses = 1000;
        if (o.size == 20'000) s.witnesses *= 2;
        if (o.stride == 3) s.witnesses *= 3;
        if (!o.touch) s.witnesses *= 4;
        if (o.sync == synchronisation::user && o.group == 8) s.witnesses *= 5;
        return s;
    };
    const tuned t = tune(run_options(), 0.5, attempt, go_on);
    CHECK(t.before.witnesses == 1000);
    CHECK(t.after.witnesses == 24'000); // the last needs two changes at once, which alone show nothing
    CHECK(t.best.size == 20'000);
    CHECK(t.best.stride == 3);
    CHECK_FALSE(t.best.touch);
    CHECK(t.best.seconds == 0.5);
    CHECK(as_options(t.best) == "-s 20000 --stride 3 --sync none --affinity incr --no-touch");
}

TEST_CASE("brief tuning tries seven settings, from those given, and keeps the best") {
    std::vector<std::string> tried;
    run_options given;
    given.runs = 7;
    const tuned t = tune_briefly(
        given, 0.01,
        [&](const run_options& o) {
            tried.push_back(as_options(o));
            CHECK(o.seconds == 0.01);
            return score{o.size == 500 && !o.touch && o.stride == 1 ? 9.0 : 1.0, 3, 0};
        },
        go_on);
    CHECK(tried.size() == 7);
    CHECK(std::set<std::string>(tried.begin(), tried.end()).size() == 7);
    CHECK(tried.front() == as_options(run_options()));
    CHECK(t.trials == 7);
    CHECK(as_options(t.best) == "-s 500 --stride 1 --sync none --affinity incr --no-touch");
    CHECK(t.best.runs == 7);
    CHECK(t.before.witnesses == 1);
    CHECK(t.after.witnesses == 9);
}

TEST_CASE("tuning without witnesses looks for more states, and noise does not move it") {
    unsigned calls = 0;
    const tuned t = tune(
        run_options(), 1,
        [&](const run_options& o) {
            score s;
            s.states = o.flush ? 4 : 3;
            return ++calls, s;
        },
        go_on);
    CHECK(t.best.flush);
    CHECK(t.trials == calls);
    const tuned same = tune(
        run_options(), 1,
        [&](const run_options& o) {
            return score{o.shuffle ? 1000.0 : 1010.0, 3, 0};
        },
        go_on);
    CHECK(same.best.shuffle);
}

TEST_CASE("an affinity that there is not is passed over, and tuning can be stopped") {
    const tuned t = tune(
        run_options(), 1,
        [](const run_options& o) -> score {
            if (o.pinning == affinity::package) throw not_on_this_machine("one package");
            return {o.pinning == affinity::siblings ? 2.0 : 1.0, 1, 0};
        },
        go_on);
    CHECK(t.best.pinning == affinity::siblings);
    const std::atomic<bool> stop{true};
    CHECK(tune(
              run_options(), 1, [](const run_options&) { return score{}; }, stop)
              .trials == 1);
}
