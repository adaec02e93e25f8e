// SPDX-License-Identifier: Apache-2.0
#include "escape.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::report;

TEST_CASE("XML text keeps no character that means something to XML") {
    CHECK(escape_xml("<a b=\"c\" d='e'>&]]>") == "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;]]&gt;");
    CHECK(escape_xml("two\nlines\tand") == "two&#10;lines&#9;and");
}

TEST_CASE("what XML 1.0 cannot carry becomes a replacement character") {
    CHECK(escape_xml(std::string("a\0b\x1b", 4)) == "a\xEF\xBF\xBD"
                                                    "b\xEF\xBF\xBD");
    CHECK(escape_xml("\xEF\xBF\xBF") == "\xEF\xBF\xBD");
    CHECK(escape_xml("\xEF\xBF\xBD") == "\xEF\xBF\xBD");
}

TEST_CASE("letters of every language pass through every format unchanged") {
    for (const char* text : {"über 環", "\xF0\x9F\x94\x92"}) {
        CHECK(escape_xml(text) == text);
        CHECK(escape_markdown(text) == text);
        CHECK(escape_script(text) == text);
    }
}

TEST_CASE("Markdown text cannot start a cell, a tag, a link or a line") {
    CHECK(escape_markdown("a|b\n# c") == "a\\|b \\# c");
    CHECK(escape_markdown("<img onerror=x> [l](u) `c` *b*") ==
          "&lt;img onerror=x&gt; \\[l\\](u) \\`c\\` \\*b\\*");
}

TEST_CASE("JSON inside a script element cannot end it or open another") {
    const std::string text = escape_script("\"</script><!--<script>&\xE2\x80\xA8\xE2\x80\xA9\"");
    CHECK(text == "\"\\u003c/script\\u003e\\u003c!--\\u003cscript\\u003e\\u0026\\u2028\\u2029\"");
    CHECK(escape_script("\xE2\x80\xAA") == "\xE2\x80\xAA"); // its neighbour is left alone
}

TEST_CASE("a path becomes a URI without spaces or other schemes") {
    CHECK(escape_uri_path("a b/c<d>.cpp") == "a%20b/c%3Cd%3E.cpp");
    CHECK(escape_uri_path("javascript:x") == "javascript%3Ax");
}
TEST_CASE("a word reads as itself in a shell") {
    CHECK(escape_shell("--rounds=3") == "--rounds=3");
    CHECK(escape_shell("a b") == "'a b'");
    CHECK(escape_shell("$(x)'`y`") == "'$(x)'\\''`y`'");
    CHECK(escape_shell("").size() == 2);
}
