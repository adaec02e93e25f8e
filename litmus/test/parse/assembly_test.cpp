// SPDX-License-Identifier: Apache-2.0
#include "parse/assembly.hpp"

#include "parse/text.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("a label is found with the instruction that it stands before") {
    const source text{"t", "L0: L1:"};
    const scanner in(text);
    label_list labels;
    labels.define(in, 0, "L0", 3);
    labels.define(in, 4, "L1", 5);
    CHECK(labels.size() == 2);
    CHECK(labels.target(text, 0, "L0") == 3);
    CHECK(labels.target(text, 0, "L1") == 5);
}

TEST_CASE("a label twice is an error at the second, and one that is missing where it is used") {
    const source text{"t", "L0: L0: L1"};
    const scanner in(text);
    label_list labels;
    labels.define(in, 0, "L0", 0);
    try {
        labels.define(in, 4, "L0", 1);
        FAIL("accepted");
    } catch (const syntax_error& error) {
        CHECK(error.column() == 5);
        CHECK(error.message() == "label 'L0' is defined twice");
    }
    try {
        labels.target(text, 8, "L1");
        FAIL("found");
    } catch (const syntax_error& error) {
        CHECK(error.column() == 9);
        CHECK(error.message() == "there is no label 'L1' in this thread");
    }
}

TEST_CASE("a variable is found by its whole name, and none has the index behind the last") {
    const std::vector<variable> all{{"x", 32, 0}, {"xy", 64, 1}};
    CHECK(find_variable(all, "x") == 0);
    CHECK(find_variable(all, "xy") == 1);
    CHECK(find_variable(all, "y") == 2);
}

TEST_CASE("only ASCII letters become small or capital") {
    CHECK(lower("LDAXR_@[Z\xc4") == "ldaxr_@[z\xc4");
    CHECK(upper("ish`{z\xe4") == "ISH`{Z\xe4");
}
