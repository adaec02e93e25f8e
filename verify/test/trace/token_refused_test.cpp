// SPDX-License-Identifier: Apache-2.0
// Tokens whose checksum is right, and that say what cannot be.
#include "../../src/graph/clock.hpp"
#include "../../src/trace/token.hpp"

#include <ringproof/verify/models.hpp>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

using namespace ringproof::verify;

namespace {

using bytes = std::vector<unsigned char>;

/// As encode() writes it: the checksum behind, six bits to a character.
std::string token_of(bytes all) {
    std::uint32_t hash = 2166136261u;
    for (const unsigned char b : all) hash = (hash ^ b) * 16777619u;
    for (int i = 0; i < 4; ++i) all.push_back(static_cast<unsigned char>(hash >> (8 * i)));
    constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string text;
    std::uint32_t held = 0, bits = 0;
    for (const unsigned char b : all) {
        held = held << 8 | b;
        for (bits += 8; bits >= 6; bits -= 6) text += digits[held >> (bits - 6) & 63];
    }
    if (bits > 0) text += digits[held << (6 - bits) & 63];
    return text;
}

/// A token of version 1, rc11 and scenario 0 with these steps behind.
std::string with_steps(const bytes& steps) {
    bytes all{1, 2, 0, 0, 0, 0};
    all.insert(all.end(), steps.begin(), steps.end());
    return token_of(all);
}

bytes number(std::uint32_t n) {
    bytes out;
    for (; n >= 0x80; n >>= 7) out.push_back(static_cast<unsigned char>((n & 0x7f) | 0x80));
    out.push_back(static_cast<unsigned char>(n));
    return out;
}

bytes read_of(std::uint32_t thread, std::uint32_t index) {
    bytes out{2}; // a read by thread 0
    for (const std::uint32_t n : {thread, index})
        for (const unsigned char b : number(n)) out.push_back(b);
    return out;
}

} // namespace

TEST_CASE("a token made by hand is read as one that was encoded") {
    const replay_token token = decode(with_steps(read_of(1, 3)));
    REQUIRE(token.steps.size() == 1);
    CHECK(token.steps[0].rf_thread == 1);
    CHECK(token.steps[0].rf_index == 3);
    CHECK(encode(token) == with_steps(read_of(1, 3)));
}

TEST_CASE("what raced is in the token, and what cannot race is refused") {
    const replay_token made{7, memory_model::tso, {}, {{0x7f12'3456'7890, false, 4}, {0x4010, true, 1}}};
    const replay_token read = decode(encode(made));
    REQUIRE(read.raced.size() == 2);
    CHECK(read.raced[0].at == 0x7f12'3456'7890);
    CHECK(read.raced[0].unit == 4);
    CHECK_FALSE(read.raced[0].in_program);
    CHECK(read.raced[1].in_program);
    CHECK(read.raced[1].unit == 1);
    CHECK_THROWS_WITH(decode(token_of({2, 2, 0, 0, 0, 0, 1, 0, 8, 3})),
                      Catch::Contains("access that cannot be"));
    CHECK_THROWS_WITH(decode(token_of({2, 2, 0, 0, 0, 0, 2, 0, 8, 4})),
                      Catch::Contains("ends in the middle"));
    CHECK_THROWS_WITH(decode(token_of({2, 2, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f})),
                      Catch::Contains("too large"));
}

TEST_CASE("a token of another version, or of no model, is refused") {
    CHECK_THROWS_WITH(decode(token_of({3, 2, 0, 0, 0, 0})), Catch::Contains("another version"));
    const auto of_model = [](std::size_t number) {
        return decode(token_of({1, static_cast<std::uint8_t>(number), 0, 0, 0, 0}));
    };
    CHECK_THROWS_WITH(of_model(named_models.size()), Catch::Contains("memory model"));
    for (std::size_t known = 0; known < named_models.size(); ++known)
        CHECK(static_cast<std::size_t>(of_model(known).model) == known);
}

TEST_CASE("a token that names threads or events that cannot be is refused") {
    bytes thread = number(max_threads << 2 | 1);
    CHECK_THROWS_WITH(decode(with_steps(thread)), Catch::Contains("a thread that cannot be"));
    CHECK_NOTHROW(decode(with_steps(number((max_threads - 1) << 2 | 1))));
    CHECK_THROWS_WITH(decode(with_steps(read_of(max_threads, 1))),
                      Catch::Contains("an event that cannot be"));
    CHECK_THROWS_WITH(decode(with_steps(read_of(0, 0))), Catch::Contains("an event that cannot be"));
    CHECK_THROWS_WITH(decode(with_steps(read_of(0, max_events + 1))),
                      Catch::Contains("an event that cannot be"));
    CHECK_NOTHROW(decode(with_steps(read_of(0, max_events))));
}

TEST_CASE("numbers of a token have up to 32 bits, and no more") {
    bytes write{3}; // a write by thread 0
    for (const unsigned char b : number(0xf000'0000)) write.push_back(b);
    CHECK(decode(with_steps(write)).steps.at(0).co_index == 0xf000'0000);
    CHECK_THROWS_WITH(decode(with_steps({3, 0xff, 0xff, 0xff, 0xff, 0xff, 1})), Catch::Contains("too large"));
}
