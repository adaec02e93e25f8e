// SPDX-License-Identifier: Apache-2.0
// What is suggested for a word that is none of those that there are.
#include <ringproof/command/mistyped.hpp>

#include <array>
#include <catch2/catch.hpp>

using namespace ringproof::command;

namespace {

constexpr std::array<std::string_view, 5> verbs{"verify", "check", "litmus", "bench", "record"};

} // namespace

TEST_CASE("changes are counted in letters, neighbours that are exchanged as one") {
    CHECK(changes_between("", "") == 0);
    CHECK(changes_between("bench", "bench") == 0);
    CHECK(changes_between("bench", "bnech") == 1);
    CHECK(changes_between("bench", "benh") == 1);
    CHECK(changes_between("bench", "benchh") == 1);
    CHECK(changes_between("bench", "banch") == 1);
    CHECK(changes_between("bench", "") == 5);
    CHECK(changes_between("verify", "litmus") == changes_between("litmus", "verify"));
}
TEST_CASE("of the words that there are the nearest is meant") {
    CHECK(nearest("chekc", verbs) == "check");
    CHECK(nearest("benhc", verbs) == "bench");
    CHECK(nearest("verfy", verbs) == "verify");
    CHECK(suggestion("recrod", verbs) == ": did you mean 'record'?");
}
TEST_CASE("what is near to nothing is left alone") {
    CHECK(nearest("frobnicate", verbs).empty());
    CHECK(nearest("", verbs).empty());
    CHECK(suggestion("frobnicate", verbs).empty());
}
