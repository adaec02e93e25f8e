// SPDX-License-Identifier: Apache-2.0
#include "../../compat/catch2/ringproof_catch2/branches.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify::catch2;

namespace {

/// A test case with sections a (with a1, a2) and b, and below b two values of a generator and a section for each.
path walked(const std::vector<unsigned>& ways) {
    walk w;
    w.begin(ways);
    if (w.enters(1, "a")) {
        if (w.enters(2, "a1")) w.leave_section();
        if (w.enters(3, "a2")) w.leave_section();
        w.leave_section();
    }
    if (w.enters(4, "b")) {
        w.set_ways(w.take_value(5), 2);
        if (w.enters(6, "c")) w.leave_section();
        if (w.enters(6, "d")) w.leave_section();
        w.leave_section();
    }
    return w.taken();
}

} // namespace

TEST_CASE("every path through sections and values is walked once, in depth-first order") {
    std::vector<std::string> names;
    std::vector<unsigned> ways;
    do {
        const path p = walked(ways);
        names.push_back(p.name);
        CHECK(to_path(to_text(p)).branches == p.branches);
        CHECK(to_path(to_text(p)).name == p.name);
        ways = next_ways(p);
    } while (!ways.empty() && names.size() < 20);
    CHECK(names == std::vector<std::string>{"a / a1", "a / a2", "b / value 1 / c", "b / value 1 / d",
                                            "b / value 2 / c", "b / value 2 / d"});
}

TEST_CASE("paths differ where a section is missing, or there is one more") {
    const path p = walked({0, 1});
    walk shorter;
    shorter.begin({0, 1});
    CHECK(shorter.enters(1, "a"));
    CHECK_FALSE(shorter.enters(2, "a1"));
    CHECK(shorter.enters(3, "a2"));
    shorter.leave_section(), shorter.leave_section();
    CHECK_FALSE(shorter.taken().branches == p.branches); // b has not been met
    CHECK_FALSE(shorter.enters(4, "b"));
    CHECK(shorter.taken().branches == p.branches);
    CHECK_FALSE(shorter.enters(7, "late"));
    CHECK_FALSE(shorter.taken().branches == p.branches);
}
