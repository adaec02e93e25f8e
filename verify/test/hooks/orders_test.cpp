// SPDX-License-Identifier: Apache-2.0
#include "../../src/hooks/orders.hpp"
#include "../../src/weaken/letters.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;
using steps = std::vector<order>;

TEST_CASE("one step weaker is the next order that the access can have") {
    CHECK(one_step_weaker(ordered::load, order::seq_cst) == steps{order::acquire});
    CHECK(one_step_weaker(ordered::load, order::acquire) == steps{order::relaxed});
    CHECK(one_step_weaker(ordered::store, order::seq_cst) == steps{order::release});
    CHECK(one_step_weaker(ordered::modify, order::seq_cst) == steps{order::acq_rel});
    CHECK(one_step_weaker(ordered::compare, order::acq_rel) == steps{order::acquire, order::release});
    CHECK(one_step_weaker(ordered::failed_compare, order::acquire) == steps{order::relaxed});
    CHECK(one_step_weaker(ordered::fence, order::release) == steps{order::relaxed});
    CHECK(one_step_weaker(ordered::store, order::relaxed).empty());
}

TEST_CASE("a signal fence has no step from seq_cst to acq_rel: one thread cannot tell them apart") {
    CHECK(one_step_weaker(ordered::signal_fence, order::seq_cst) == steps{order::acquire, order::release});
}

TEST_CASE("acquire and release are each no stronger than acq_rel, and neither than the other") {
    CHECK(no_stronger(order::acquire, order::acq_rel));
    CHECK(no_stronger(order::relaxed, order::release));
    CHECK(no_stronger(order::acq_rel, order::acq_rel));
    CHECK_FALSE(no_stronger(order::acquire, order::release));
    CHECK_FALSE(no_stronger(order::release, order::acquire));
    CHECK_FALSE(no_stronger(order::seq_cst, order::acq_rel));
}

TEST_CASE("a call's key has its place, its access and its order") {
    const call_site site{0x7f12'3456'789a, ordered::compare, order::acq_rel};
    const call_site back = call_site::of(site.key());
    CHECK(back.pc == site.pc);
    CHECK(back.what == site.what);
    CHECK(back.asked == site.asked);
}

TEST_CASE("the comment above a function gives it its letter") {
    const auto letters =
        letters_of({"/// A. The producer asks.", "/// More about it.",
                    "[[nodiscard]] static int load_tail(int x) {", "", "/// D in band. A slot is given back.",
                    "static void vacate(int& word) {", "// An ordinary comment.", "void other();"});
    CHECK(letters == std::map<std::string, char>{{"load_tail", 'A'}, {"vacate", 'D'}});
}

TEST_CASE("a reason for an order stands on its line or above it, within the paragraph") {
    const std::vector<std::string> lines{"// Over-strong: for people.",
                                         "void f() {",
                                         "    fence();",
                                         "",
                                         "    fence();",
                                         "    fence(); // over-strong here",
                                         "    over-strong no comment"};
    CHECK(has_excuse(lines, 3));
    CHECK_FALSE(has_excuse(lines, 5));
    CHECK(has_excuse(lines, 6));
    CHECK(has_excuse(lines, 1));
    CHECK_FALSE(has_excuse({"fence();"}, 1));
    CHECK_FALSE(has_excuse(lines, 99 * 0));
}
