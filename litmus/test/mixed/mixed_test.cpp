// SPDX-License-Identifier: Apache-2.0
// Random programs that access the same bytes in several sizes: the simulator against every execution, byte by byte.
#include "../../src/enumerate/search.hpp"
#include "../../src/frontend/front_ends.hpp"
#include "bytewise.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

using namespace ringproof::litmus;

namespace {

bytewise::result simulated(const std::string& text, std::size_t parts_after, const model& m) {
    const loaded_test t = load_test({"t.litmus", text}, 2);
    limits l;
    l.parts_after = parts_after;
    const simulation s = simulate(t.text, t.what, m, l);
    bytewise::result all;
    for (const state& one : s.states) {
        std::vector<std::uint32_t> values;
        for (const value& v : one.values) values.push_back(static_cast<std::uint32_t>(v.number));
        all[values] = one.executions;
    }
    return all;
}

} // namespace

TEST_CASE(
    "of random programs with accesses of several sizes the simulator finds what trying every byte finds") {
    const char* asked = std::getenv("RINGPROOF_MIXED_PROGRAMS");
    const int programs = asked ? std::atoi(asked) : 400;
    constexpr std::uint64_t most_choices = 5'000;
    const model m = model::load("aarch64", {});
    std::mt19937 random(2204);
    int compared = 0;
    std::uint64_t executions = 0;
    while (compared < programs) {
        const bytewise::threads t = bytewise::random_threads(random);
        if (bytewise::count_of(t) > most_choices) continue;
        ++compared;
        const std::string text = bytewise::litmus_text(t);
        INFO(text);
        const bytewise::result expected = bytewise::executions(t);
        REQUIRE(simulated(text, limits::never, m) == expected);
        REQUIRE(simulated(text, 0, m) == expected);
        for (const auto& [values, count] : expected) executions += count;
    }
    CHECK(executions > 2 * static_cast<std::uint64_t>(programs)); // or nothing is compared
}
