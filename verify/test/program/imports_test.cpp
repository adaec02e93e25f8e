// SPDX-License-Identifier: Apache-2.0
#include "../../src/program/imports.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;

TEST_CASE("what the program imports is found by a part of its name, and nothing else") {
    const auto all = [](const dl_phdr_info&) { return true; };
    const auto none = [](const dl_phdr_info&) { return false; };
    CHECK(imports("malloc", all));
    CHECK(imports("allo", all));
    CHECK_FALSE(imports("malloc", none));
    CHECK_FALSE(imports("a function that nobody has", all));
}
