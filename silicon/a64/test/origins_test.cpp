// SPDX-License-Identifier: Apache-2.0
#include "origins.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::silicon::a64;

namespace {

shared_origin read(std::size_t index) {
    auto o = std::make_shared<origin>();
    for (auto* set : {&o->from, &o->picked, &o->needs}) set->insert(index);
    return o;
}

} // namespace

TEST_CASE("a value comes from the reads of all that it is computed of") {
    origins all;
    all.set(1, read(3));
    all.set(2, read(5));
    register_set both_of;
    both_of.insert(1);
    both_of.insert(2);
    const shared_origin sum = all.of(both_of);
    REQUIRE(sum);
    CHECK(sum->from.contains(3));
    CHECK(sum->from.contains(5));
    CHECK_FALSE(sum->from.contains(4));
    CHECK_FALSE(all.of(register_number{4}));
    CHECK_FALSE(all.of(no_register)); // zero comes from nowhere
    all.set(no_register, read(1));
    CHECK_FALSE(all.of(no_register));
}

TEST_CASE("values keep their origin in memory of their own, byte by byte") {
    origins all;
    all.set_memory(0x100, 8, read(2));
    CHECK(all.of_memory(0x104, 4)->from.contains(2));
    all.set_memory(0x100, 8, nullptr);
    CHECK_FALSE(all.of_memory(0x100, 8));
    all.set_memory(0x100, 4, read(2));
    all.set_memory(0x104, 4, read(7));
    CHECK(all.of_memory(0x100, 8)->from.contains(2));
    CHECK(all.of_memory(0x100, 8)->from.contains(7));
    CHECK_FALSE(all.of_memory(0x104, 1)->from.contains(2));
}
