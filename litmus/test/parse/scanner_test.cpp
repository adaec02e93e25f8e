// SPDX-License-Identifier: Apache-2.0
#include "parse/scanner.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("blanks and nested comments are skipped") {
    const source text{"t", "  (* one (* two *) ; | *)\n\tword"};
    scanner in(text);
    CHECK(in.identifier() == "word");
    CHECK(in.at_end());
}

TEST_CASE("numbers are read in decimal and hexadecimal, with signs, up to 64 bits") {
    const source text{"t", "12 -3 0x1F -9223372036854775808 18446744073709551615"};
    scanner in(text);
    CHECK(in.number("n") == 12);
    CHECK(in.number("n") == -3);
    CHECK(in.number("n") == 31);
    CHECK(in.number("n") == INT64_MIN);
    CHECK(in.number("n") == -1);
}

TEST_CASE("a number that does not fit is refused") {
    for (const char* bad : {"18446744073709551616", "-9223372036854775809", "0xzz", "12ab"}) {
        const source text{"t", bad};
        scanner in(text);
        CHECK_THROWS_AS(in.number("n"), syntax_error);
    }
}

TEST_CASE("a word is taken only as a whole word") {
    const source text{"t", "existsx exists("};
    scanner in(text);
    CHECK_FALSE(in.accept_word("exists"));
    CHECK(in.identifier() == "existsx");
    CHECK(in.accept_word("exists"));
    CHECK(in.peek() == '(');
}

TEST_CASE("an error shows file, line, column, the line and a caret below the column") {
    const source text{"file.litmus", "one\n\ttwo three\nfour"};
    scanner in(text);
    in.seek(9);
    try {
        in.expected("'four'");
        FAIL("nothing was thrown");
    } catch (const syntax_error& error) {
        CHECK(std::string(error.what()) ==
              "file.litmus:2:6: expected 'four', found 'three'\n  \ttwo three\n  \t    ^");
    }
}

TEST_CASE("an open comment is an error at its beginning") {
    const source text{"t", "x (* never closed"};
    scanner in(text);
    CHECK(in.identifier() == "x");
    try {
        in.at_end();
        FAIL("nothing was thrown");
    } catch (const syntax_error& error) {
        CHECK(error.line() == 1);
        CHECK(error.column() == 3);
    }
}
