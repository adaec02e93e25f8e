// SPDX-License-Identifier: Apache-2.0
#include "../../src/compare/compare.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace ringproof::bench;

namespace {

/// Skewed, with an outlier now and then, as benchmarks are.
std::vector<double> run_of(std::mt19937_64& chance, double ns, std::size_t n = 11) {
    std::vector<double> values(n);
    for (double& v : values) {
        const double u = static_cast<double>(chance() % 1000000) / 1e6;
        v = ns * (1 + 0.03 * u + (chance() % 20 == 0 ? 0.5 : 0));
    }
    return values;
}

std::vector<sample_pair> machine(std::mt19937_64& chance, double slower) {
    std::vector<sample_pair> pairs;
    for (int i = 0; i < 60; ++i) {
        const double ns = 5 + i;
        pairs.push_back(
            {"b" + std::to_string(i), run_of(chance, ns), run_of(chance, i == 17 ? ns * slower : ns), false});
    }
    return pairs;
}

} // namespace

TEST_CASE("Twenty comparisons of a build with itself raise no alarm") {
    std::mt19937_64 chance(11);
    for (int i = 0; i < 20; ++i) {
        const comparison c = compare(machine(chance, 1), 0.1);
        CHECK_FALSE(c.failed);
        CHECK_FALSE(c.undecided());
    }
}

TEST_CASE("One benchmark of sixty that is a quarter slower fails, and no other") {
    std::mt19937_64 chance(12);
    for (int i = 0; i < 20; ++i) {
        const comparison c = compare(machine(chance, 1.25), 0.1);
        CHECK(c.failed);
        for (const change& x : c.changes) CHECK((x.says == verdict::failed) == (x.what.name == "b17"));
    }
}

TEST_CASE("Slower for certain, but by less than asked, is told and does not fail") {
    std::mt19937_64 chance(13);
    const comparison c = compare(machine(chance, 1.06), 0.1);
    CHECK_FALSE(c.failed);
    CHECK(c.changes[17].says == verdict::slower);
    CHECK(c.changes[17].ci.low > 1);
}

TEST_CASE("Nothing fails that was not asked to") {
    std::mt19937_64 chance(14);
    CHECK_FALSE(compare(machine(chance, 2), std::nullopt).failed);
}

TEST_CASE("Three repetitions against three can show nothing, and are said to") {
    std::mt19937_64 chance(15);
    const comparison c = compare({{"b", {1, 1.1, 1.2}, {9, 9.1, 9.2}, false}}, 0.1);
    // A single test: 1 in 20 is 5 %, one-sided.
    CHECK(c.changes[0].says == verdict::too_few);
    CHECK(c.undecided());
    CHECK(needed_repetitions(1) == 4);
    CHECK(needed_repetitions(100) == 8);
}

TEST_CASE("A change that a limit shows too is the machine's") {
    std::mt19937_64 chance(16);
    auto pairs = machine(chance, 1.25);
    CHECK(compare(pairs, 0.1).failed);
    pairs.push_back({"limit", run_of(chance, 50), run_of(chance, 65), true});
    const comparison c = compare(pairs, 0.1);
    CHECK(c.tolerance == Approx(0.3).margin(0.05));
    CHECK_FALSE(c.failed);
    CHECK(c.changes[17].says == verdict::same);
}

TEST_CASE("What was never left alone proves nothing, and takes no power from the rest") {
    std::mt19937_64 chance(5);
    auto pairs = machine(chance, 1.25);
    pairs[17].disturbed = true;
    const comparison c = compare(pairs, 0.1);
    CHECK_FALSE(c.failed);
    CHECK(c.changes[17].says == verdict::disturbed);
    for (sample_pair& p : pairs) p.disturbed = true;
    CHECK(compare(pairs, 0.1).undecided());
    // One real change of 15 % among hundreds that were disturbed: as if it were alone.
    const auto disturbed = pairs;
    for (int i = 0; i < 5; ++i) pairs.insert(pairs.end(), disturbed.begin(), disturbed.end());
    pairs.push_back({"alone", {10, 10.1, 10.2, 10.3, 10.4}, {12, 12.1, 12.2, 12.3, 12.4}, false, false});
    CHECK(compare(pairs, 0.1).changes.back().says == verdict::failed);
}

TEST_CASE("When the machine's own limits have moved as far, that is said") {
    std::mt19937_64 chance(16);
    auto pairs = machine(chance, 1.5);
    pairs.push_back({"limit/stream/16KiB", run_of(chance, 100), run_of(chance, 150), true});
    const comparison c = compare(pairs, 0.1);
    CHECK_FALSE(c.failed); // half as slow again, as the machine is
    CHECK(c.drift.has_value());
    pairs[17].after = run_of(chance, 1000);
    CHECK(compare(pairs, 0.1).failed); // that is not the machine
    pairs.back() = {"limit/stream/16KiB", run_of(chance, 100), run_of(chance, 100), true};
    CHECK_FALSE(compare(pairs, 0.1).drift.has_value());
}
