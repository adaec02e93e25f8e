// SPDX-License-Identifier: Apache-2.0
// 2,000 random programs: the simulator, with and without what it leaves out early, against every execution.
#include "../../src/enumerate/search.hpp"
#include "../../src/frontend/front_ends.hpp"
#include "every_execution.hpp"
#include "random_program.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

namespace {

every_execution::result states_of(const simulation& s) {
    every_execution::result all;
    for (const state& one : s.states) all[one.values] = one.executions;
    return all;
}

struct totals {
    std::uint64_t executions = 0, every = 0, by_parts = 0, whole = 0;
};

totals compare(const std::string& dialect, const std::string& under, int programs) {
    std::mt19937 random(2204);
    const model m = model::load(under, {});
    totals sum;
    for (int k = 0; k < programs; ++k) {
        const std::string text = random_program(dialect, random);
        INFO(text);
        const loaded_test t = load_test({"t.litmus", text}, 2);
        limits by_parts, whole;
        by_parts.parts_after = 0;
        whole.parts_after = limits::never;
        const simulation a = simulate(t.text, t.what, m, by_parts), b = simulate(t.text, t.what, m, whole);
        const every_execution slow(t.text, t.what, m);
        REQUIRE(states_of(a) == slow.found);
        REQUIRE(states_of(b) == slow.found);
        REQUIRE(a.flags == b.flags);
        sum.executions += a.positive + a.negative;
        sum.every += slow.candidates;
        sum.by_parts += a.candidates;
        sum.whole += b.candidates;
    }
    CHECK(sum.executions > static_cast<std::uint64_t>(programs)); // or nothing is compared
    CHECK(sum.whole < sum.every);
    CHECK(sum.by_parts < sum.whole);
    return sum;
}

} // namespace

TEST_CASE("of 400 random programs of X86 the simulator finds what trying every execution finds") {
    compare("X86", "x86-tso", 400);
}
TEST_CASE("of 400 random programs of AArch64 the simulator finds what trying every execution finds") {
    compare("AArch64", "aarch64", 400);
}
TEST_CASE("of 400 random programs of RISC-V the simulator finds what trying every execution finds") {
    compare("RISCV", "riscv", 400);
}
TEST_CASE("of 400 random programs of C11 the simulator finds what trying every execution finds") {
    compare("C11", "rc11", 400);
}
TEST_CASE("of 400 random programs of the kernel's C the simulator finds what trying every execution finds") {
    compare("kernel", "lkmm", 400);
}

TEST_CASE(
    "of 400 random programs with locks the model rejects parts of executions only if it rejects them whole") {
    std::mt19937 random(2205);
    const model m = model::load("lkmm", {});
    std::uint64_t by_parts = 0, whole = 0;
    for (int k = 0; k < 400; ++k) {
        const std::string text = random_program("locks", random);
        INFO(text);
        const loaded_test t = load_test({"t.litmus", text}, 2);
        limits parts, only_whole;
        parts.parts_after = 0;
        only_whole.parts_after = limits::never;
        const simulation a = simulate(t.text, t.what, m, parts), b = simulate(t.text, t.what, m, only_whole);
        REQUIRE(states_of(a) == states_of(b));
        REQUIRE(a.flags == b.flags);
        by_parts += a.candidates;
        whole += b.candidates;
    }
    CHECK(by_parts < whole);
}
