// SPDX-License-Identifier: Apache-2.0
#include "log/result.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

namespace {

test with(const std::string& condition) {
    return parse_test({"t.litmus", "X86 T\n{ }\nP0 ;\n MOV EAX,[x] ;\n" + condition + "\n"});
}

/// Final states by the value of 0:EAX, and how often each came.
using counts = std::map<std::vector<std::int64_t>, std::uint64_t>;

} // namespace

TEST_CASE("a result counts the final states that satisfy the proposition, and the others") {
    const test_result r = make_result(with("exists (0:EAX=1)"), counts{{{0}, 5}, {{1}, 3}, {{2}, 1}});
    CHECK(r.name == "T");
    CHECK(r.positive == 3);
    CHECK(r.negative == 6);
    REQUIRE(r.states.size() == 3);
    CHECK_FALSE(r.states[0].witness);
    CHECK(r.states[1].witness);
    CHECK(r.states[1].values == std::vector<std::int64_t>{1});
    CHECK(state_text(r.shown, r.states[1].values) == "0:EAX=1;");
}

TEST_CASE("states that the filter rejects are left out") {
    const test_result r =
        make_result(with("filter (0:EAX!=2) exists (0:EAX=1)"), counts{{{0}, 5}, {{1}, 3}, {{2}, 1}});
    CHECK(r.states.size() == 2);
    CHECK(r.positive + r.negative == 8);
}

TEST_CASE("a result that was compared with a model is consistent with it or refutes it") {
    test_result r = make_result(with("exists (0:EAX=1)"), counts{{{0}, 5}});
    CHECK(r.verdict() == "observed");
    r.model = "sc";
    CHECK(r.verdict() == "consistent");
    CHECK(r.holds());
    r.forbidden.push_back({0});
    CHECK(r.verdict() == "refuted");
    CHECK_FALSE(r.holds());
}
