// SPDX-License-Identifier: Apache-2.0
#include "model_in_execution.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::cat;

TEST_CASE("functions take tuples, are curried, recurse over sets, and see what was defined before them") {
    CHECK(first_check_holds("let f(a, b) = a \\ b\nempty f(po, po)"));
    CHECK(first_check_holds("let f = fun a -> fun b -> a & b\nempty f po (po^-1)"));
    CHECK(first_check_holds("let g(s) = s & W\nlet W = R\n~empty g(_)"));
    CHECK(
        first_check_holds("let rec pairs S = match S with || {} -> 0 || e ++ S -> ({e} * {e}) | pairs S end\n"
                          "empty pairs W \\ id"));
    CHECK_FALSE(
        first_check_holds("let rec pairs S = match S with || {} -> 0 || e ++ S -> ({e} * {e}) | pairs S end\n"
                          "empty pairs W"));
}

TEST_CASE("an undefined name, a set for a relation, and a missing file are errors in place") {
    CHECK(error_of("acyclic po | nonsense") == "m.cat:2:14: 'nonsense' is not defined");
    CHECK(error_of("empty [Marked]") ==
          "m.cat:2:8: 'Marked' is not defined: its .bell file does that (--bell FILE)");
    CHECK(error_of("acyclic W") == "m.cat:2:1: expected a relation, this is a set of events");
    CHECK(error_of("let r = W ; po\n") == "m.cat:2:11: expected a relation, this is a set of events");
    CHECK(error_of("include \"no-such.cat\"") ==
          "m.cat:2:1: there is no file 'no-such.cat' (searched: the built-in models)");
    CHECK(error_of("let r = try nonsense with 0\nempty r").empty());
}

TEST_CASE(
    "a model that takes its dependencies from registers is refused, unless it includes the file we replace") {
    CHECK(error_of("catdep let data = [Rreg]\nacyclic po\n").find("not supported, unless it includes") !=
          std::string::npos);
}

TEST_CASE("what no test has events of is empty from the start, so that a model may look into it") {
    // No execution is needed to see that there is nothing to order.
    const graph g = run("let f S = match S with || {} -> po || x ++ xs -> 0 end\nacyclic f(TLBI * W) as a\n");
    REQUIRE(g.checks.size() == 1);
    CHECK_FALSE(g.is_empty(g.checks[0].what));
}

TEST_CASE("the inverse is written with and without a roof") {
    CHECK(first_check_holds("empty (po^-1 \\ (po -1)) as a\n"));
}

TEST_CASE("a model made to explode is an error with a place") {
    std::string tuples = "let t0 = (po, po)\n", calls = "let f0 x = x | x\n";
    for (int k = 1; k < 40; ++k) {
        const std::string now = std::to_string(k), before = std::to_string(k - 1);
        tuples += "let t" + now + " = (t" + before + ", t" + before + ")\n";
        calls += "let f" + now + " x = f" + before + " (f" + before + " x)\n";
    }
    CHECK(error_of(tuples).find("too many members") != std::string::npos);
    CHECK(error_of(calls + "let y = f39 po\n").find("too many steps") != std::string::npos);
    CHECK(error_of("let rec f x = f (x ; x)\nlet y = f po\n").find("calls itself too deeply") !=
          std::string::npos);
}

namespace {

/// `part` so often, with `sign` between.
std::string chain(const std::string& part, const std::string& sign, int times) {
    std::string text = part;
    for (int k = 1; k < times; ++k) text += sign + part;
    return text;
}

} // namespace

TEST_CASE("expressions as deep as no model is are errors with a place, in every operator") {
    for (const char* sign : {" | ", " ; ", " & ", " \\ ", " ++ "})
        CHECK(error_of("acyclic " + chain("po", sign, 10'000)).find("m.cat:2:") == 0);
    CHECK(error_of("acyclic " + chain("W", " * ", 10'000)).find("this expression is too deep") !=
          std::string::npos);
    CHECK(error_of("acyclic po" + chain("^-1", "", 10'000)).find("this expression is too deep") !=
          std::string::npos);
    CHECK(error_of("acyclic " + chain("po", " \\ ", 10'000))
              .find("more than 1000 operators inside each other") != std::string::npos);
    CHECK(error_of("acyclic f" + chain(" po", "", 10'000)).find("this expression is too deep") !=
          std::string::npos);
    CHECK(error_of("if " + chain("not", " ", 10'000) + " \"a\" acyclic po end").find("nested too deeply") !=
          std::string::npos);
    // Each pair of parentheses starts afresh for the parser, not for the tree.
    std::string nested = "po";
    for (int k = 0; k < 50; ++k) nested = "(" + nested + chain("^-1", "", 900) + ")";
    CHECK(error_of("acyclic " + nested).find("this expression is too deep") != std::string::npos);
    CHECK(error_of("acyclic po" + chain("^-1", "", 900)).empty());
    CHECK(error_of("acyclic " + chain("(po ; po)", " | ", 900)).empty());
    CHECK(error_of("if " + chain("\"a\"", " || ", 10'000) + " acyclic po end").empty());
}

TEST_CASE("functions that call themselves inside deep expressions end with an error, not with the stack") {
    CHECK(error_of("let rec f x = " + chain("f(x ; x)", " | ", 400) + "\nacyclic f po\n").find("m.cat:2:") ==
          0);
    std::string tuples = "let t0 = po\n";
    for (int k = 1; k < 2'000; ++k)
        tuples += "let t" + std::to_string(k) + " = (t" + std::to_string(k - 1) + ", po)\n";
    CHECK(error_of(tuples).find("too many members") != std::string::npos);
}

TEST_CASE("a model of very many names is read, let go of, and evaluated or refused") {
    std::string text = "let a0 = po\n";
    for (int k = 1; k < 2'000; ++k)
        text += "let a" + std::to_string(k) + " = a" + std::to_string(k - 1) + " ; po\n";
    CHECK(error_of(text + "acyclic a1999 as deep\n").empty());
    CHECK(first_check_holds(text + "acyclic a1999 as deep\n"));
    for (int k = 2'000; k < 40'000; ++k)
        text += "let a" + std::to_string(k) + " = a" + std::to_string(k - 1) + "\n";
    CHECK(error_of(text).empty()); // long, and each name is found at once
    for (int k = 0; k < 2'000; ++k) text += "let b" + std::to_string(k) + " = a0\n";
    CHECK(error_of(text).find("this model takes too many steps") != std::string::npos);
}
