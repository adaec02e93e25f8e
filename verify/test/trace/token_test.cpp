// SPDX-License-Identifier: Apache-2.0
#include "../../src/trace/token.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>

using namespace ringproof::verify;

namespace {

replay_token example() {
    replay_token token;
    token.scenario = name_hash("a scenario");
    token.model = memory_model::sc;
    token.steps = {
        {0, 0xffff, 0, 0xffff'ffff}, {1, 0xffff, 0, 3}, {31, 1, 31'999, 0xffff'ffff}, {2, 0xffff, 0, 70'000}};
    return token;
}

bool same(const step& a, const step& b) {
    return a.thread == b.thread && a.rf_thread == b.rf_thread && a.rf_index == b.rf_index &&
           a.co_index == b.co_index;
}

} // namespace

TEST_CASE("a token holds what was put in") {
    const replay_token before = example(), after = decode(encode(before));
    CHECK(after.scenario == before.scenario);
    CHECK(after.model == before.model);
    REQUIRE(after.steps.size() == before.steps.size());
    for (std::size_t i = 0; i < after.steps.size(); ++i) CHECK(same(after.steps[i], before.steps[i]));
}

TEST_CASE("a token has only letters that a shell leaves alone") {
    CHECK(encode(example()).find_first_not_of(
              "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == std::string::npos);
}

TEST_CASE("a token that was cut off or changed is refused") {
    const std::string text = encode(example());
    for (std::size_t length = 0; length < text.size(); ++length)
        CHECK_THROWS_AS(decode(text.substr(0, length)), std::invalid_argument);
    for (std::size_t i = 0; i + 1 < text.size(); ++i) { // the last letter has unused bits
        std::string changed = text;
        changed[i] = changed[i] == 'x' ? 'y' : 'x';
        CHECK_THROWS_AS(decode(changed), std::invalid_argument);
    }
}

TEST_CASE("no text whatsoever crashes the decoder") {
    std::mt19937 random(1);
    for (int i = 0; i < 20'000; ++i) {
        std::string text(random() % 60, ' ');
        for (char& c : text) c = static_cast<char>(random() % 96 + 32);
        try {
            decode(text);
        } catch (const std::invalid_argument&) {
        }
    }
    SUCCEED();
}
