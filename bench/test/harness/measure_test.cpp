// SPDX-License-Identifier: Apache-2.0
#include "../../src/harness/measure.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace ringproof::bench;

namespace {

run_result good(double off_cpu = 0) {
    run_result r;
    r.operations = 1000;
    r.seconds = 1e-6;
    r.off_cpu = off_cpu;
    return r;
}

/// Gives out a list of values, one a call.
template <class T>
auto one_by_one(std::vector<T> values, int& calls) {
    return [values, &calls] { return values.at(static_cast<std::size_t>(calls++)); };
}

} // namespace

TEST_CASE("Probes that agree around a run that was left alone: one attempt") {
    int runs = 0, probes = 0;
    const auto m = measure(one_by_one<run_result>({good()}, runs), one_by_one<double>({90, 95}, probes), {});
    CHECK(m.steady);
    CHECK(m.attempts == 1);
    CHECK(m.result.nanoseconds() == Approx(1));
}

TEST_CASE("Probes that disagree are measured again") {
    int runs = 0, probes = 0;
    const auto m = measure(one_by_one<run_result>({good(), good()}, runs),
                           one_by_one<double>({90, 430, 430, 425}, probes), {});
    CHECK(m.steady);
    CHECK(m.attempts == 2);
    CHECK(m.probes.classify() == regime::far);
}

TEST_CASE("A machine that never settles ends after the attempts, marked, with the least disturbed one") {
    int runs = 0, probes = 0;
    patience how;
    how.attempts = 3;
    const auto m = measure(one_by_one<run_result>({good(0.5), good(0.1), good(0.9)}, runs),
                           one_by_one<double>({90, 90, 90, 90, 90, 90}, probes), how);
    CHECK_FALSE(m.steady);
    CHECK(m.attempts == 3);
    CHECK(m.result.off_cpu == 0.1);
}

TEST_CASE("Oversubscribed threads wait for each other, which is no disturbance") {
    int runs = 0, probes = 0;
    patience how;
    how.judge_off_cpu = false;
    CHECK(
        measure(one_by_one<run_result>({good(0.6)}, runs), one_by_one<double>({90, 90}, probes), how).steady);
}

TEST_CASE("A fault of the queue is not repeated until it goes away") {
    int runs = 0, probes = 0;
    run_result bad = good(0.5);
    bad.error = "lost: 3 of 1000 never arrived";
    const auto m = measure(one_by_one<run_result>({good(0.5), bad, good()}, runs),
                           one_by_one<double>({90, 90, 90, 90, 90, 90}, probes), {});
    CHECK(m.result.error == bad.error);
    CHECK(runs == 2);
}

TEST_CASE("A run whose threads were starved is repeated, and unusable if it stays so") {
    int runs = 0, probes = 0;
    const auto m =
        measure(one_by_one<run_result>({{}, good()}, runs), one_by_one<double>({90, 90, 90, 90}, probes), {});
    CHECK(m.usable());
    CHECK(m.attempts == 2);
    CHECK_FALSE(measurement{}.usable());
}

TEST_CASE("When the time for repeating is used up there is one attempt") {
    int runs = 0, probes = 0;
    double left = 0;
    patience how;
    how.retry_seconds = &left;
    const auto m =
        measure(one_by_one<run_result>({good(0.5)}, runs), one_by_one<double>({90, 90}, probes), how);
    CHECK_FALSE(m.steady);
    CHECK(m.attempts == 1);
}
