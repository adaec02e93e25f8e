// SPDX-License-Identifier: Apache-2.0
#include "../../src/cat/ast.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::cat;

namespace {

using ekind = expression::kind;

expression_ptr parse(const std::string& text) {
    return parse_model({"m.cat", "\"m\" let r = " + text})->body.at(0).bindings.at(0).what;
}

std::string error_of(const std::string& text) {
    try {
        parse_model({"m.cat", text});
    } catch (const syntax_error& e) {
        return std::string(e.what()).substr(0, std::string(e.what()).find('\n'));
    }
    return "";
}

} // namespace

TEST_CASE("union binds loosest, then sequence, difference, intersection, product") {
    CHECK(parse("a | b ; c")->what == ekind::unite);
    CHECK(parse("a ; b | c")->what == ekind::unite);
    CHECK(parse("a ; b \\ c")->what == ekind::sequence);
    CHECK(parse("a \\ b & c")->what == ekind::subtract);
    CHECK(parse("a & b * c")->what == ekind::intersect);
    CHECK(parse("~a & b")->what == ekind::intersect);
    CHECK(parse("f a ; b")->what == ekind::sequence);
}

TEST_CASE("a star is a product before an operand and a closure elsewhere") {
    CHECK(parse("a * b")->what == ekind::product);
    CHECK(parse("a* ; b")->what == ekind::sequence);
    CHECK(parse("a* ; b")->parts[0]->what == ekind::star);
    CHECK(parse("a^* | b")->parts[0]->what == ekind::star);
    CHECK(parse("(W * _)")->what == ekind::product);
    CHECK(parse("a^-1?")->what == ekind::optional);
}

TEST_CASE("a mistake is pointed at") {
    CHECK(error_of("\"m\"\nlet r = a |\n") == "m.cat:3:1: expected an expression, found the end");
    CHECK(error_of("\"m\"\nacyclic (a | b") == "m.cat:2:15: expected ')', found the end");
    CHECK(error_of("\"m\" (* never closed") == "m.cat:1:5: this comment is never closed: expected '*)'");
    CHECK(error_of("\"m\" let r = a $ b") == "m.cat:1:15: this character has no meaning in a model");
    CHECK(error_of("\"m\" let r = " + std::string(5000, '(')).find("nested too deeply") != std::string::npos);
}
