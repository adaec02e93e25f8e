// SPDX-License-Identifier: Apache-2.0
#include "../../src/program/base.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <unistd.h>

using namespace ringproof::verify;

TEST_CASE("the executable has its own code and data, and nothing of libraries or of the heap") {
    static int data = 1;
    const auto address = [](const auto* p) { return reinterpret_cast<std::uintptr_t>(p); };
    CHECK(in_executable(address(&data)));
    CHECK(in_executable(reinterpret_cast<std::uintptr_t>(&in_executable)));
    CHECK(in_executable(program_base() + 64));
    CHECK_FALSE(in_executable(address(environ)));
    int local = 0;
    CHECK_FALSE(in_executable(address(&local)));
    CHECK_FALSE(in_executable(0));
}
