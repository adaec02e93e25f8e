// SPDX-License-Identifier: Apache-2.0
#include "../../src/cat/lexer.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::cat;

namespace {

std::vector<std::string> words_of(const std::string& text) {
    const source from{"m.cat", text};
    lexer in(from);
    std::vector<std::string> words;
    while (in.now().what != token::kind::end) words.push_back(in.take().text);
    return words;
}

std::string error_of(const std::string& text) {
    try {
        words_of(text);
    } catch (const syntax_error& e) {
        const std::string what = e.what();
        return what.substr(0, what.find('\n'));
    }
    return "";
}

using list = std::vector<std::string>;

} // namespace

TEST_CASE("the longest sign that fits is one token, and names may have dots, dashes and a prime") {
    CHECK(words_of("po^-1|rf||co") == list{"po", "^", "-1", "|", "rf", "||", "co"});
    CHECK(words_of("a++b -> c") == list{"a", "++", "b", "->", "c"});
    CHECK(words_of("po-loc dmb.full co'") == list{"po-loc", "dmb.full", "co'"});
    CHECK(words_of("_ 0 _x") == list{"_", "0", "_x"});
}

TEST_CASE("words of the language are keywords, a word behind a quote is a tag") {
    const source from{"m.cat", "let letter 'acquire \"a title\""};
    lexer in(from);
    CHECK(in.now().is("let"));
    CHECK(in.take().what == token::kind::keyword);
    CHECK(in.take().what == token::kind::word);
    const token tag = in.take();
    CHECK(tag.what == token::kind::tag);
    CHECK(tag.text == "acquire");
    const token title = in.take();
    CHECK(title.what == token::kind::string);
    CHECK(title.text == "a title");
    CHECK(in.take().what == token::kind::end);
    CHECK(in.take().what == token::kind::end); // as often as it is asked for
}

TEST_CASE("comments are left out, nested ones and those to the end of a line") {
    CHECK(words_of("a (* b (* c *) d *) e // f\ng # h\ni") == list{"a", "e", "g", "i"});
}

TEST_CASE("what is never closed, and what has no meaning, is an error where it begins") {
    CHECK(error_of("a\n (* b (* c *)") == "m.cat:2:2: this comment is never closed: expected '*)'");
    CHECK(error_of("include \"x") == "m.cat:1:9: this text is never closed: expected '\"'");
    CHECK(error_of("a @ b") == "m.cat:1:3: this character has no meaning in a model");
}

TEST_CASE("a star that an operand follows is a product, any other is a closure") {
    const auto follows = [](const std::string& text) {
        const source from{"m.cat", text};
        const lexer in(from);
        return in.operand_follows();
    };
    for (const char* product : {"* W", "* 'tag", "* (W)", "* [W]", "* {}", "* _", "* 0", "* ~W"})
        CHECK(follows(product));
    for (const char* closure : {"*", "* | po", "* ; po", "* in", "* as name", "*)"})
        CHECK_FALSE(follows(closure));
}
