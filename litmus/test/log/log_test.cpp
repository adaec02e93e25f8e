// SPDX-License-Identifier: Apache-2.0
#include "log/result.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

namespace {

test_result result_for(const std::string& final_part) {
    const test t = parse_test({"t.litmus", "X86 SB\n{ }\nP0 | P1 ;\nMOV [x],$1 | MOV [y],$1 ;\nMOV EAX,[y] | "
                                           "MOV EAX,[x] ;\n" +
                                               final_part});
    test_result r = make_result(t, {{{0, 0}, 40}, {{0, 1}, 1234567}, {{1, 0}, 3}, {{1, 1}, 28}});
    r.seconds = 0.444;
    return r;
}

} // namespace

TEST_CASE("the log has litmus7's form for exists") {
    CHECK(to_log(result_for("exists (0:EAX=0 /\\ 1:EAX=0)")) == R"(Test SB Allowed
Histogram (4 states)
40    *>0:EAX=0; 1:EAX=0;
1234567:>0:EAX=0; 1:EAX=1;
3     :>0:EAX=1; 1:EAX=0;
28    :>0:EAX=1; 1:EAX=1;
Ok

Witnesses
Positive: 40, Negative: 1234598
Condition exists (0:EAX=0 /\ 1:EAX=0) is validated
Observation SB Sometimes 40 1234598
Time SB 0.44
)");
}

TEST_CASE(
    "with ~exists the witnesses are those of the whole condition, the observation that of its proposition") {
    const std::string log = to_log(result_for("~exists (0:EAX=0 /\\ 1:EAX=0)"));
    CHECK(log.find("Test SB Forbidden\n") == 0);
    CHECK(log.find("40    *>0:EAX=0; 1:EAX=0;\n") != std::string::npos);
    CHECK(log.find("\nNo\n\nWitnesses\nPositive: 1234598, Negative: 40\n") != std::string::npos);
    CHECK(log.find("is NOT validated\n") != std::string::npos);
    CHECK(log.find("Observation SB Sometimes 40 1234598\n") != std::string::npos);
}

TEST_CASE("with forall the star marks the counterexamples") {
    const std::string log = to_log(result_for("forall (0:EAX=1 \\/ 1:EAX=1)"));
    CHECK(log.find("Test SB Required\n") == 0);
    CHECK(log.find("40    *>0:EAX=0; 1:EAX=0;\n") != std::string::npos);
    CHECK(log.find("28    :>0:EAX=1; 1:EAX=1;\n") != std::string::npos);
    CHECK(log.find("\nNo\n\nWitnesses\nPositive: 1234598, Negative: 40\n") != std::string::npos);
}

TEST_CASE("states that the filter rejects are neither shown nor counted") {
    const test_result r = result_for("filter (0:EAX=0)\nexists (1:EAX=0)");
    REQUIRE(r.states.size() == 2);
    CHECK(r.positive == 40);
    CHECK(r.negative == 1234567);
    CHECK(r.seen == 4);
}
