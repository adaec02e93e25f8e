// SPDX-License-Identifier: Apache-2.0
#include "cpu_list.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ringproof::record_command;

TEST_CASE("a CPU list is sorted and has each CPU once") {
    CHECK(parse_cpu_list("0") == std::vector<int>{0});
    CHECK(parse_cpu_list("7,0-3,2") == std::vector<int>{0, 1, 2, 3, 7});
}

TEST_CASE("what is no CPU list is refused") {
    for (const char* text :
         {"", ",", "1,", "a", "1-", "-1", "3-1", "0-99999999", "1 2", "99999999999999999999"})
        CHECK_THROWS_AS(parse_cpu_list(text), std::invalid_argument);
}

TEST_CASE("there is a CPU that is switched on") { CHECK_FALSE(online_cpus().empty()); }
