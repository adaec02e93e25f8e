// SPDX-License-Identifier: Apache-2.0
#include "../cli/token.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace ringproof::silicon::a64;

namespace {

replay_token some_token() {
    return {0x0123456789abcdefu,
            {3, {{0x10010000, 8}, {0x10010008, 4}, {0x70100010, 16}}},
            {0, 2, 34, 35, 36, 71, 1}};
}

} // namespace

TEST_CASE("a token is read as it was written") {
    const replay_token token = some_token(), same = decode_token(encode(token));
    CHECK(same.program == token.program);
    CHECK(same.learnt.threads == 3);
    CHECK(same.path == token.path);
    REQUIRE(same.learnt.pieces.size() == 3);
    for (std::size_t k = 0; k < 3; ++k) {
        CHECK(same.learnt.pieces[k].address == token.learnt.pieces[k].address);
        CHECK(same.learnt.pieces[k].bytes == token.learnt.pieces[k].bytes);
    }
    const replay_token small = decode_token(encode({1, {}, {}}));
    CHECK(small.path.empty());
    CHECK(small.learnt.pieces.empty());
}

TEST_CASE("a token has only characters that a shell leaves alone") {
    CHECK(encode(some_token()).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-_") ==
          std::string::npos);
}

TEST_CASE("each change of a token's character, and each cut, is noticed") {
    const std::string text = encode(some_token());
    for (std::size_t k = 0; k < text.size(); ++k) {
        std::string changed = text;
        changed[k] = changed[k] == '1' ? '2' : '1';
        CHECK_THROWS_AS(decode_token(changed), std::invalid_argument);
        CHECK_THROWS_AS(decode_token(text.substr(0, k)), std::invalid_argument);
    }
    CHECK_THROWS_WITH(decode_token("AQ12"), Catch::Contains("no replay token of --model armv8"));
}
