// SPDX-License-Identifier: Apache-2.0
#include "../../ranks/message.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>

using namespace ringproof::verify::ranks;

TEST_CASE("a message comes as it was sent") {
    const message sent{message::kind::left, 7, 9, "text\0with a zero", "result", 1.5};
    const message got = unpacked(packed(sent));
    CHECK(got.what == sent.what);
    CHECK(got.assignment == 7);
    CHECK(got.divide == 9);
    CHECK(got.text == sent.text);
    CHECK(got.result == sent.result);
    CHECK(got.seconds == 1.5);
}

TEST_CASE("what no rank has sent is refused") {
    const std::string sent = packed({message::kind::part, 1, 2, "text", "result"});
    CHECK_THROWS_AS(unpacked(""), std::invalid_argument);
    for (std::size_t length = 0; length < sent.size(); ++length)
        CHECK_THROWS_AS(unpacked(sent.substr(0, length)), std::invalid_argument);
    CHECK_THROWS_AS(unpacked(sent + "x"), std::invalid_argument);
    std::string kind = sent;
    kind[0] = 100;
    CHECK_THROWS_AS(unpacked(kind), std::invalid_argument);
    std::mt19937 random(1);
    for (int i = 0; i < 10'000; ++i) {
        std::string changed = sent;
        changed[random() % changed.size()] = static_cast<char>(random());
        try {
            const message m = unpacked(changed);
            CHECK(m.text.size() + m.result.size() == 10);
        } catch (const std::invalid_argument&) {
        }
    }
}
