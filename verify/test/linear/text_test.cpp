// SPDX-License-Identifier: Apache-2.0
#include "../../src/linear/text.hpp"

#include <catch2/catch.hpp>

namespace rl = ringproof::verify::linear;

namespace {

std::vector<rl::operation> queue() {
    rl::operation push, pop;
    push.name = "push";
    push.fresh = true;
    pop.name = "pop";
    pop.form = rl::answer_form::optional;
    return {push, pop};
}

/// T1 pushes 1; then, and then only, T2 pushes 2 and pops that.
rl::history second_comes_out_first() {
    rl::history h;
    h.names = {"T1", "T2"};
    h.calls = {{0, 0, 1, {}}, {0, 1, 2, {}}, {1, 1, 0, {1, 2}}};
    h.before = {0, 1, 3};
    return h;
}

} // namespace

TEST_CASE("a call is written with what it takes and what it returned") {
    CHECK(rl::call_text(queue()[0], rl::made_call{0, 0, 7, {}}) == "push(7)");
    CHECK(rl::call_text(queue()[1], rl::made_call{1, 0, 0, {1, 7}}) == "pop() = 7");
    CHECK(rl::call_text(queue()[1], rl::made_call{1, 0, 0, {0, 0}}) == "pop() = nothing");
}

TEST_CASE("a history is drawn with a line for each thread") {
    CHECK(rl::drawing(second_comes_out_first(), queue()) ==
          "      T1    | push(1) --|\n"
          "      T2                  | push(2) --| | pop() = 2 |\n");
}

TEST_CASE("where intervals would show more order than there is, the pairs in order are listed") {
    rl::history h;
    h.names = {"T1", "T2", "T3", "T4"};
    h.calls = {{0, 0, 1, {}}, {0, 1, 2, {}}, {1, 2, 0, {1, 1}}, {1, 3, 0, {1, 2}}};
    h.before = {0, 0, 1, 2}; // each pop behind the push of its own value
    CHECK_THAT(
        rl::drawing(h, queue()),
        Catch::Contains(
            "in order are only: T1's push(1) before T3's pop() = 1; T2's push(2) before T4's pop() = 2"));
    h.calls = {{0, 0, 1, {}}, {0, 0, 2, {}}, {1, 1, 0, {0, 0}}, {1, 1, 0, {1, 1}}};
    h.before = {0, 1, 0, 4};
    h.names = {"T1", "T2"};
    CHECK_THAT(rl::drawing(h, queue()), Catch::Contains("calls of different threads are in no order"));
    CHECK_THAT(rl::drawing(second_comes_out_first(), queue()), !Catch::Contains("only"));
}

TEST_CASE("the reason names the longest order, and what cannot come next") {
    const rl::history h = second_comes_out_first();
    CHECK(rl::reason(h, queue(), {false, {0, 1}}) ==
          "no order goes further than push(1), push(2): next cannot be pop() = 2");
    CHECK(rl::reason(h, queue(), {false, {}}) == "no call can be the first: push(1)");
}
