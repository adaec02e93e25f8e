// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/progress.hpp>

#include <catch2/catch.hpp>

using namespace ringproof::command;

TEST_CASE("large numbers are rounded to two digits") {
    CHECK(format_about(0) == "0");
    CHECK(format_about(87.4) == "87");
    CHECK(format_about(4'239) == "4.2 thousand");
    CHECK(format_about(31'400'000) == "31 M");
    CHECK(format_about(812e9) == "812 G");
    CHECK(format_about(5e24) == "5.0e+06 E");
}

TEST_CASE("the time left is that of the rest, whatever was done before") {
    CHECK(time_left(30, 0, 0.5) == "30 s");
    // Gone on with at 90 %: half of the rest took a minute.
    CHECK(time_left(60, 0.9, 0.95) == "1 min 00 s");
    CHECK(time_left(60, 0, 0.0005).empty());
    CHECK(time_left(60, 0.9, 0.9).empty());
    CHECK(time_left(60, 0.9, 0.8).empty()); // the rest turned out to be larger
}
