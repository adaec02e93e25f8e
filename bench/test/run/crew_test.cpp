// SPDX-License-Identifier: Apache-2.0
#include "../../src/run/crew.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>

using namespace ringproof::bench;

namespace {

const int here = machine::detect().cpus.front().index;
const run_times brief{seconds(0.001), seconds(0.01), seconds(0.2)};

void count_until_stopped(worker& w) {
    for (std::uint64_t n = 0; w.keep_going(n); ++n) w.wait();
}

} // namespace

TEST_CASE("Workers count what they did between measure and stop, and no more than the wall allows") {
    crew c(brief, true, urgency::normal);
    const auto windows = c.run({{here, {}, count_until_stopped}, {here, {}, count_until_stopped}});
    CHECK(c.error().empty());
    REQUIRE(windows.size() == 2);
    for (const window& w : windows) {
        if (w.wall <= 0) continue; // starved by other programs: possible, and reported elsewhere
        CHECK(w.count > 0);
        CHECK(w.off_cpu() >= 0);
        CHECK(w.off_cpu() <= 1);
    }
}

TEST_CASE("A thread that sleeps was not held up") {
    crew c({seconds(0.001), seconds(0.05), seconds(0.5)}, true, urgency::normal);
    const auto windows = c.run({{here, {}, [](worker& w) {
                                     for (std::uint64_t n = 0; w.keep_going(n); ++n)
                                         std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                 }}});
    REQUIRE(c.error().empty());
    if (windows[0].wall <= 0) return; // starved by other programs: nothing was measured
    // Asleep all the time: whatever others did with the CPU, only the moments after waking can be held up.
    CHECK(windows[0].cpu < windows[0].wall);
    CHECK(windows[0].held + windows[0].cpu < windows[0].wall);
}

TEST_CASE("The first failure stops everybody and is what is reported") {
    crew c(brief, true, urgency::normal);
    c.run({{here, {}, [](worker& w) { w.fail("first"); }}, {here, {}, [](worker& w) {
                                                                while (w.wait()) {
                                                                }
                                                            }}});
    CHECK(c.error() == "first");
}

TEST_CASE("A worker that still waits after the stop is ended, and the run is known as stuck") {
    crew c(brief, true, urgency::normal);
    c.run({{here, {}, [](worker& w) {
                while (w.wait()) {
                }
            }}});
    CHECK(c.error().empty());
    CHECK_THAT(c.stuck(), Catch::Contains("still waiting"));
}

TEST_CASE("What a preparation throws is the run's error, and nobody works") {
    crew c(brief, true, urgency::normal);
    bool worked = false;
    c.run({{here, [] { throw std::runtime_error("no memory"); }, [&](worker&) { worked = true; }}});
    CHECK(c.error() == "no memory");
    CHECK_FALSE(worked);
}

TEST_CASE("A worker that cannot be pinned is an error that names the CPU") {
    crew c(brief, true, urgency::normal);
    c.run({{1 << 20, {}, count_until_stopped}});
    CHECK_THAT(c.error(), Catch::Contains(std::to_string(1 << 20)));
}
