// SPDX-License-Identifier: Apache-2.0
#include "../../src/frontend/c_tokens.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

namespace {

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (const c::token& t : c::tokens_of({"t.c", text}, {0, text.size()})) words.push_back(t.text);
    REQUIRE(words.back().empty()); // the end
    words.pop_back();
    return words;
}

using list = std::vector<std::string>;

} // namespace

TEST_CASE("signs of two letters are one token, in the order in which they stand") {
    CHECK(words_of("a+=b==c") == list{"a", "+=", "b", "==", "c"});
    CHECK(words_of("p->x<<1<=y") == list{"p", "->", "x", "<<", "1", "<=", "y"});
    CHECK(words_of("!a!=b") == list{"!", "a", "!=", "b"});
    CHECK(words_of("*x&&&y") == list{"*", "x", "&&", "&", "y"});
}

TEST_CASE("a token knows what it is and where it stands, and comments are none") {
    const std::string text = "x /* y */ = 12; // z\nr_1";
    const std::vector<c::token> all = c::tokens_of({"t.c", text}, {0, text.size()});
    REQUIRE(all.size() == 6);
    CHECK(all[0].is_word);
    CHECK_FALSE(all[1].is_word);
    CHECK(all[1].offset == text.find('='));
    CHECK(all[2].is_number);
    CHECK(all[2].text == "12");
    CHECK(all[4].text == "r_1");
    CHECK(all[4].is_word);
    CHECK(all[5].offset == text.size());
    CHECK_THROWS_WITH(words_of("a /* b"), Catch::Contains("t.c:1:3: this comment is never closed"));
}

TEST_CASE("only the cell is read, not what stands around it") {
    const std::string text = "before middle after";
    const std::vector<c::token> all = c::tokens_of({"t.c", text}, {7, 13});
    REQUIRE(all.size() == 2);
    CHECK(all[0].text == "middle");
    CHECK(all[1].offset == 13);
}
