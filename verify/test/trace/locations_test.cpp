// SPDX-License-Identifier: Apache-2.0
// Members, elements and bytes.
#include "named.hpp"

using namespace ringproof::verify::test;
using Catch::Matchers::Contains;

namespace {

/// The labels of the atomic events, each in a line.
std::string labels_of(const std::string& name) {
    const json example = counterexample_named(name);
    std::string all;
    for (const json& e : example.at("events")) all += e.at("label").get<std::string>() + "\n";
    return all;
}

} // namespace

TEST_CASE("elements of std::array have their numbers") {
    CHECK(raced("a std::array in a global") == "global.slots[2].data[1]");
}
TEST_CASE("a part of an atomic object is its member, and a part of a number is its bytes") {
    CHECK_THAT(labels_of("half of an atomic structure"), Contains("load halves.high = 0, relaxed"));
    CHECK_THAT(labels_of("half of a word"), Contains("load bytes 4 to 7 of state = 0, relaxed"));
}
TEST_CASE("a race with a copy is on the bytes that both access, and says which call copies") {
    const std::string message = counterexample_named("a byte of what is copied").at("message");
    CHECK_THAT(message, Contains("data race on shared.last: ") && Contains("T1 writes at named.cpp:") &&
                            Contains("main reads shared by memcpy at " + place_of("std::memcpy")));
}
