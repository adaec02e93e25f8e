// SPDX-License-Identifier: Apache-2.0
// A program in Catch2 version 3 that has a main() of its own.
#include <catch2/catch_all.hpp>

static int set_up = 0;
TEST_CASE("is set up") { CHECK(set_up == 1); }

int main(int argc, char** argv) {
    set_up = 1;
    return Catch::Session().run(argc, argv);
}
