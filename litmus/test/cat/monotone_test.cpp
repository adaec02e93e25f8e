// SPDX-License-Identifier: Apache-2.0
#include "../../src/cat/monotone.hpp"
#include "model_in_execution.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::cat;

namespace {

std::size_t checks_of(const std::string& text) {
    return checks_for_parts(run("include \"cos.cat\"\n" + text)).size();
}

} // namespace

TEST_CASE("a check of a relation that only grows is asked about parts of executions") {
    CHECK(checks_of("acyclic po | rf | co | fr") == 1);
    CHECK(checks_of("empty rmw & (fre ; coe)") == 1);
    CHECK(checks_of("irreflexive (rf ; po)+ ; co?") == 1);
    CHECK(checks_of("let rec a = rf | (a ; po ; a) acyclic a") == 1);
    CHECK(checks_of("acyclic (po | rf) \\ id") == 1);
}

TEST_CASE("a check that may be met again when more is chosen is asked about whole executions") {
    CHECK(checks_of("acyclic po \\ rf") == 0);
    CHECK(checks_of("acyclic po & ~rf") == 0);
    CHECK(checks_of("let rec a = po \\ (rf | a) acyclic a") == 0);
    CHECK(checks_of("let rec a = po | (b ; a) and b = (W * W) \\ co acyclic a") == 0);
    CHECK(checks_of("empty [FW] ; loc") == 0);
    CHECK(checks_of("~empty rf as seen") == 0);
    CHECK(checks_of("flag ~empty rf as seen") == 0);
    CHECK(checks_of("acyclic po | addr") == 0); // nothing is chosen
}

TEST_CASE("all that the models here reject is asked about parts, but for what compares values") {
    for (const std::string name : {"sc", "x86-tso", "aarch64", "riscv", "lkmm"}) {
        INFO(name);
        CHECK_FALSE(checks_for_parts(interpret(*parse_model({name, *built_in(name + ".cat")}), {})).empty());
    }
}
