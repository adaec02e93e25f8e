// SPDX-License-Identifier: Apache-2.0
#include "ringproof/slots.hpp"

#include <catch2/catch.hpp>
#include <memory>

using ringproof::detail::slots;
using ringproof::detail::storage;

TEST_CASE("positions a capacity apart share a slot, also across the 2^64 wrap") {
    slots<storage<int>> array(4);
    CHECK(array.capacity() == 4);
    CHECK(&array[1] == &array[5]);
    CHECK(&array[0 - std::uint64_t{1}] == &array[3]);
    CHECK(&array[0] != &array[1]);
}

TEST_CASE("the first slot begins a pair of lines") {
    slots<storage<char>> array(2);
    CHECK(reinterpret_cast<std::uintptr_t>(&array[0]) % ringproof::line_pair == 0);
}

TEST_CASE("a slot holds one value from construct to destroy") {
    auto shared = std::make_shared<int>(3);
    storage<std::shared_ptr<int>> slot;
    slot.construct(shared);
    CHECK(*slot.value() == 3);
    CHECK(shared.use_count() == 2);
    slot.destroy();
    CHECK(shared.use_count() == 1);
}
