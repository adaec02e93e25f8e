// SPDX-License-Identifier: Apache-2.0
// Names of allocated objects.
#include "named.hpp"

using namespace ringproof::verify::test;

TEST_CASE("what is allocated has the name of what it is assigned to, and its members have theirs") {
    CHECK(raced("C: a structure with an open end") == "rb->nest");
    CHECK(raced("C: the open end") == "rb->words[1]");
    CHECK(raced("a member's array") == "buf_[2].data[1]");
    CHECK(raced("an array of unique_ptr") == "nodes[3].value");
    CHECK(raced("an array with its number in front") == "owners[2].other");
    CHECK(raced("two objects of one name") == "n#2->value");
}
TEST_CASE("without a name it has its type and place, and without a type its place") {
    CHECK(raced("an object whose name is not known") ==
          "node@" + place_of("{ return new node; }") + ".value");
    CHECK(raced("C: memory without a type") == "new@" + place_of("void* raw") + "+0x8");
}
