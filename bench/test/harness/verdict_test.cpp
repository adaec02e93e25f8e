// SPDX-License-Identifier: Apache-2.0
#include "../../src/harness/verdict.hpp"

#include "../../src/workload/adapter.hpp"

#include <atomic>
#include <catch2/catch.hpp>

using namespace ringproof::bench;

namespace {

/// Takes a few items, then none, and gives none out any more: what a preempted lock holder looks like.
struct standstill {
    using payload = item;
    standstill(std::size_t, std::size_t) {}
    template <class Fill>
    bool try_push(Fill&& fill) {
        item i = 0;
        if (pushes == 3) return false;
        fill(i);
        last = i;
        return ++pushes, true;
    }
    template <class Use>
    bool try_pop(Use&&) {
        return false;
    }
    standstill& producer() { return *this; }
    standstill& consumer() { return *this; }
    int pushes = 0;
    item last = 0;
};

run_result stuck() {
    run_result r;
    r.operations = 8;
    r.seconds = 0.04;
    r.stuck = "still waiting 3 s after the stop";
    return r;
}

entry of(const char* peer) {
    entry e;
    e.peer = peer;
    return e;
}

const placement shared_cpus{distance::oversubscribed, {0, 0}, 0};
const placement own_cpus{distance::same_l3, {1}, 0};

} // namespace

TEST_CASE("A peer that stands still where threads share CPUs has collapsed, which is no error") {
    const run_result r = judge(of("other"), shared_cpus, stuck());
    CHECK(r.error.empty());
    CHECK(r.collapsed == "still waiting 3 s after the stop");
    CHECK_FALSE(r.usable());
    CHECK_FALSE(r.starved());
}

TEST_CASE("Standing still is an error of ours, of a limit, and of anybody with a CPU to itself") {
    CHECK_THAT(judge(of("ringproof"), shared_cpus, stuck()).error, Catch::Contains("still waiting"));
    CHECK_THAT(judge(of("ringproof_batches"), shared_cpus, stuck()).error, Catch::Contains("still waiting"));
    CHECK_THAT(judge(of(""), shared_cpus, stuck()).error, Catch::Contains("still waiting"));
    CHECK_THAT(judge(of("other"), own_cpus, stuck()).error, Catch::Contains("items lost"));
}

TEST_CASE("A peer's thread that other programs kept from its CPU tells nothing about the peer") {
    run_result held = stuck();
    held.off_cpu = 0.5;
    CHECK(judge(of("other"), own_cpus, held).starved());
    CHECK_FALSE(judge(of("ringproof"), own_cpus, held).error.empty());
}

TEST_CASE("Wrong delivery is an error of anybody, anywhere") {
    run_result r = stuck();
    r.error = "lost: 3 of 8 never arrived";
    CHECK(judge(of("other"), shared_cpus, r).error == r.error);
    CHECK(judge(of("other"), shared_cpus, r).collapsed.empty());
}

TEST_CASE(
    "Nothing done in all the time is a collapse if the threads ran, and nothing at all if they did not") {
    run_result r;
    r.seconds = 0.04;
    r.cpu_seconds = 0.05;
    CHECK_FALSE(judge(of("other"), shared_cpus, r).collapsed.empty());
    CHECK(judge(of("ringproof"), shared_cpus, r).starved());
    r.cpu_seconds = 0.001;
    CHECK(judge(of("other"), shared_cpus, r).starved());
}

TEST_CASE("A queue that takes three items and gives none out ends a round trip, which is then stuck") {
    catalogue all;
    add_ping_pong<standstill>(all, "spsc/items:8/ping-pong", "standstill");
    run_settings settings;
    settings.times = {seconds(0.001), seconds(0.005), seconds(0.1)};
    settings.priority = urgency::normal;
    const int cpu = machine::detect().cpus.front().index;
    const placement where{distance::oversubscribed, {cpu}, cpu};
    run_result raw;
    for (int tries = 0; tries < 50 && raw.stuck.empty(); ++tries) { // other programs may let no thread run
        raw = all[0].run(where, settings);
        settings.times.measure *= 1.2;
    }
    CHECK(raw.error.empty());
    CHECK_THAT(raw.stuck, Catch::Contains("after the stop"));
    CHECK_FALSE(judge(all[0], where, raw).collapsed.empty());
}
