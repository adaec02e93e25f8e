// SPDX-License-Identifier: Apache-2.0
#include "../../src/cat/coherence.hpp"
#include "../../src/cat/interpreter.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::cat;

namespace {

graph run(const std::string& text) { return interpret(*parse_model({"m.cat", "\"m\"\n" + text}), {}); }

std::string error_of(const std::string& text) {
    try {
        run(text);
    } catch (const syntax_error& e) {
        return std::string(e.what()).substr(0, std::string(e.what()).find('\n'));
    }
    return "";
}

/// Three events, program order 0 -> 1 -> 2; the first and the last in W, the middle one in R.
struct small_execution : base_values {
    void fill(const std::string& name, bool is_set, word* to) const override {
        if (is_set && name == "W") to[0] = 0b101;
        if (is_set && name == "R") to[0] = 0b010;
        if (!is_set && name == "po") to[0] = 0b110, to[1] = 0b100;
    }
};

bool first_check_holds(const std::string& text) {
    const small_execution execution;
    setting s;
    s.size = extent(3);
    s.execution = &execution;
    const graph g = interpret(*parse_model({"m.cat", "\"m\"\n" + text}), s);
    evaluator e(g);
    e.start(extent(3), execution);
    return e.holds(g.checks.at(0));
}

} // namespace

TEST_CASE("relations and sets are computed as the language defines them") {
    CHECK(first_check_holds("acyclic po"));
    CHECK_FALSE(first_check_holds("acyclic po | po^-1"));
    CHECK(first_check_holds("~empty po ; po"));
    CHECK(first_check_holds("empty po ; po ; po"));
    CHECK(first_check_holds("empty po \\ ((W * R) | (R * W) | (W * W))"));
    CHECK_FALSE(first_check_holds("irreflexive po?"));
    CHECK(first_check_holds("empty W & R"));
    CHECK(first_check_holds("empty [R] ; po ; [R]"));
    CHECK(first_check_holds("empty (~po & po)"));
    CHECK(first_check_holds("empty domain(po) \\ (W | R) | (range(po) & {})"));
}

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

TEST_CASE("let rec is the least fixed point, of relations and of sets") {
    CHECK(first_check_holds("let rec t = po | (t ; t)\nempty t \\ po+"));
    CHECK(first_check_holds("let rec t = po | (t ; t)\nempty po+ \\ t"));
    CHECK(first_check_holds("let rec s = W | range([s] ; po)\nempty _ \\ s"));
    CHECK(first_check_holds("let rec a = po & (W * _) | (b ; b) and b = a | (po & (R * _))\nempty po \\ b"));
}

TEST_CASE("an undefined name, a set for a relation, and a missing file are errors in place") {
    CHECK(error_of("acyclic po | nonsense") == "m.cat:2:14: 'nonsense' is not defined");
    CHECK(error_of("acyclic W") == "m.cat:2:1: expected a relation, this is a set of events");
    CHECK(error_of("let r = W ; po\n") == "m.cat:2:11: expected a relation, this is a set of events");
    CHECK(error_of("include \"no-such.cat\"") ==
          "m.cat:2:1: there is no file 'no-such.cat' (searched: the built-in models)");
    CHECK(error_of("let r = try nonsense with 0\nempty r").empty());
}

TEST_CASE("which models forbid incoherence is read off their checks") {
    for (const std::string& name : built_in_models()) {
        INFO(name);
        const forbidden_shapes s =
            coherence_of(interpret(*parse_model({name, *built_in(name + ".cat")}), {}));
        CHECK(s.all);
        CHECK(s.read_own_future);
    }
    const auto all = [](const std::string& check) {
        return coherence_of(run("include \"cos.cat\"\n" + check)).all;
    };
    CHECK(all("acyclic po-loc | rf | co | fr"));
    CHECK(all("irreflexive po ; (rf | co | fr)+"));
    CHECK_FALSE(all("acyclic po-loc | rf | co"));
    CHECK_FALSE(all("acyclic po-loc | rfe | co | fr"));
    CHECK_FALSE(all("flag ~acyclic po-loc | rf | co | fr as bad"));
    CHECK_FALSE(all("acyclic (po-loc & (W * W)) | rf | co | fr"));
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
